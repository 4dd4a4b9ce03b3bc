//! A region of the farm, event by event.

use std::iter::repeat_n;

use super::{
    clock::{Clock, Event},
    server::{Lane, Lanes, Poller, Stage, Transitions},
    sharing::Sharing,
    trial::{Counts, Report, Trial},
    worker::{Key, Task, Worker},
};
use crate::sizing::{
    counts::{Pace, BEAT_SECONDS, HEARTBEAT_SECONDS, VERIFIERS},
    Fleet, Load,
};

/// Pause before an activity is given to another worker, in seconds: the first one of Temporal's retries.
const PAUSE_SECONDS: f64 = 1.0;

/// A workflow.
#[derive(Debug)]
struct Flow {
    came: f64,
    stage: Stage,
    /// Grows whenever an activity is given to a worker, ends or is lost: events announced before are void.
    run: u32,
    worker: usize,
    /// Jobs that no worker is working on.
    left: u32,
    /// Jobs that its worker is working on.
    at_work: u32,
    /// When its worker last showed that it was alive.
    beaten: f64,
}

/// A region.
pub(super) struct Farm<'a, R> {
    load: &'a Load,
    fleet: &'a Fleet,
    trial: &'a Trial,
    random: R,
    now: f64,
    clock: Clock,
    server: Transitions,
    /// The connection to the store, and the workers whose keys are on their way.
    keys: Sharing<usize>,
    workers: Vec<Worker>,
    lanes: Lanes,
    flows: Vec<Flow>,
    /// Free places, of workflows that are done.
    free: Vec<usize>,
    counts: Counts,
    before: Counts,
    seconds: Vec<f64>,
    loaded_at: Option<f64>,
}

impl<'a, R: FnMut() -> f64> Farm<'a, R> {
    pub(super) fn new(load: &'a Load, fleet: &'a Fleet, trial: &'a Trial, random: R) -> Self {
        let key = if trial.is_cold { Key::Missing } else { Key::Loaded };
        let workers = (0..fleet.workers_of_region()).map(|_| Worker::new(fleet.slots, key));
        let mut farm = Self {
            load,
            fleet,
            trial,
            random,
            now: 0.0,
            clock: Clock::until(trial.end()),
            server: Transitions::new(fleet.server),
            keys: Sharing::new(fleet.store.bytes_per_second),
            workers: workers.collect(),
            lanes: Lanes {
                make: Lane::new(Pace::of_make(load, fleet)),
                confirm: Lane::new(Pace::of_confirm(load, fleet)),
            },
            flows: vec![],
            free: vec![],
            counts: Counts::default(),
            before: Counts::default(),
            seconds: vec![],
            loaded_at: None,
        };
        farm.clock.at(trial.warm_up, Event::Counted);
        for worker in 0..farm.workers.len() {
            farm.polls(worker);
            farm.expect_failure(worker);
        }
        farm.expect_workflow();
        farm
    }

    /// Plays it to the end.
    pub(super) fn play(mut self) -> Report {
        while let Some((time, event)) = self.clock.next() {
            self.now = time;
            self.happens(event);
        }
        self.now = self.trial.end();
        self.report()
    }

    /// What was counted since [`Event::Counted`].
    fn report(mut self) -> Report {
        let (before, after) = (self.before, self.counted());
        let rate = |count: f64| count / self.trial.seconds;
        let done = (after.done - before.done) as f64;
        let came = (after.came - before.came) as f64;
        // Without workers, nobody is busy.
        let time = self.trial.seconds * f64::from(self.fleet.workers_of_region().max(1));
        self.seconds.sort_by(f64::total_cmp);
        Report {
            throughput: rate(done),
            utilisation: (after.busy - before.busy) / time,
            median_seconds: quantile(&self.seconds, 0.5),
            p99_seconds: quantile(&self.seconds, 0.99),
            transitions: rate(after.transitions - before.transitions),
            failures: after.failures - before.failures,
            retries: after.retries - before.retries,
            in_vain: after.in_vain - before.in_vain,
            waiting: after.came - after.done,
            growth: rate(came - done),
            loaded_at: self.loaded_at,
        }
    }

    fn happens(&mut self, event: Event) {
        match event {
            Event::Counted => self.before = self.counted(),
            Event::Came => self.came(),
            Event::Waiting { flow } => self.waits(flow),
            Event::Begun { flow, run } if self.is_current(flow, run) => self.begins(flow),
            Event::Beat { flow, run } if self.is_current(flow, run) => self.beats(flow),
            Event::Looked { flow, run } if self.is_current(flow, run) => self.looks(flow),
            Event::Fetched { flow, run } if self.is_current(flow, run) => self.computes(flow),
            Event::Stored { flow, run } if self.is_current(flow, run) => self.stored(flow),
            Event::TimedOut { flow, run } if self.is_current(flow, run) => self.times_out(flow),
            Event::Computed { worker, changes }
                if self.workers[worker].cores.changes() == changes =>
            {
                self.computed(worker);
            }
            Event::Loaded { changes } if self.keys.changes() == changes => self.loaded(),
            Event::Done { flow, poller } => self.activity_done(flow, poller),
            Event::Closed { flow } => self.closes(flow),
            Event::Failed { worker } => self.fails(worker),
            Event::Restarted { worker } => self.restarts(worker),
            // Events announced before their activity or worker was lost.
            _ => {}
        }
    }

    fn is_current(&self, flow: usize, run: u32) -> bool {
        self.flows[flow].run == run
    }

    /// The counts up to now.
    fn counted(&mut self) -> Counts {
        let now = self.now;
        let busy = self.workers.iter_mut().map(|worker| worker.cores.busy(now)).sum();
        Counts { transitions: self.server.made(now), busy, ..self.counts }
    }

    /// A random number of seconds with this mean and without memory (exponentially distributed).
    fn chance(&mut self, mean: f64) -> f64 {
        let part = (self.random)().clamp(0.0, 1.0 - f64::EPSILON);
        -mean * (1.0 - part).ln()
    }

    fn expect_workflow(&mut self) {
        let rate = self.load.workflows() / f64::from(self.fleet.regions);
        let pause = self.chance(1.0 / rate);
        self.clock.at(self.now + pause, Event::Came);
    }

    fn came(&mut self) {
        self.expect_workflow();
        self.counts.came += u64::from(self.load.batch);
        let new = Flow {
            came: self.now,
            stage: Stage::Make,
            run: 0,
            worker: 0,
            left: self.load.batch,
            at_work: 0,
            beaten: self.now,
        };
        let flow = match self.free.pop() {
            Some(flow) => {
                let run = self.flows[flow].run;
                self.flows[flow] = Flow { run, ..new };
                flow
            }
            None => {
                self.flows.push(new);
                self.flows.len() - 1
            }
        };
        // The start, and the task that asks for the first activity.
        let asked = self.server.ask(self.now, 3);
        self.clock.at(asked, Event::Waiting { flow });
    }

    fn waits(&mut self, flow: usize) {
        let stage = self.flows[flow].stage;
        self.lanes.of(stage).waiting.push_back(flow);
        self.hand_out(stage);
    }

    /// Brings activities and workers together: whatever has waited longest goes to a worker that lives.
    fn hand_out(&mut self, stage: Stage) {
        loop {
            let lane = self.lanes.of(stage);
            let Some(last) = lane.pollers.len().checked_sub(1) else { return };
            let Some(&flow) = lane.waiting.front() else { return };
            // The server keeps the queue in parts, and does not know what else a machine is working on.
            let pick = ((self.random)() * (last + 1) as f64) as usize;
            let Poller { worker, life } = lane.pollers.swap_remove(pick.min(last));
            if self.workers[worker].life != life {
                continue;
            }
            lane.waiting.pop_front();
            self.workers[worker].activities.push(flow);
            let activity = &mut self.flows[flow];
            activity.worker = worker;
            activity.beaten = self.now;
            let run = self.next_run(flow);
            let told = self.server.ask(self.now, 1);
            self.clock.at(told, Event::Begun { flow, run });
        }
    }

    fn next_run(&mut self, flow: usize) -> u32 {
        let run = &mut self.flows[flow].run;
        *run += 1;
        *run
    }

    fn begins(&mut self, flow: usize) {
        self.beats(flow);
        let Flow { stage, worker, run, .. } = self.flows[flow];
        self.clock.at(self.now + HEARTBEAT_SECONDS, Event::Looked { flow, run });
        if stage == Stage::Confirm || self.workers[worker].key == Key::Loaded {
            self.takes_jobs(flow);
            return;
        }
        self.workers[worker].parked.push(flow);
        if self.workers[worker].key == Key::Missing {
            self.workers[worker].key = Key::Coming;
            self.keys.come(self.now, self.load.key_bytes as f64, worker);
            self.expect_key();
        }
    }

    fn beats(&mut self, flow: usize) {
        self.server.ask(self.now, 1);
        let activity = &mut self.flows[flow];
        activity.beaten = self.now;
        let run = activity.run;
        self.clock.at(self.now + BEAT_SECONDS, Event::Beat { flow, run });
    }

    fn looks(&mut self, flow: usize) {
        self.server.ask(self.now, 1);
        let Flow { beaten, run, .. } = self.flows[flow];
        self.clock.at(beaten + HEARTBEAT_SECONDS, Event::Looked { flow, run });
    }

    fn expect_key(&mut self) {
        if let Some((time, changes)) = self.keys.next() {
            self.clock.at(time, Event::Loaded { changes });
        }
    }

    fn loaded(&mut self) {
        let Some(worker) = self.keys.go(self.now) else { return };
        self.loaded_at = Some(self.now);
        self.expect_key();
        self.workers[worker].key = Key::Loaded;
        let parked = std::mem::take(&mut self.workers[worker].parked);
        parked.into_iter().for_each(|flow| self.takes_jobs(flow));
    }

    /// An activity takes on as many jobs as its worker does at once.
    fn takes_jobs(&mut self, flow: usize) {
        let stage = self.flows[flow].stage;
        let Pace { at_once, before, .. } = self.lanes.of(stage).pace;
        let activity = &mut self.flows[flow];
        let run = activity.run;
        while activity.left > 0 && activity.at_work < at_once {
            activity.left -= 1;
            activity.at_work += 1;
            self.clock.at(self.now + before, Event::Fetched { flow, run });
        }
    }

    fn computes(&mut self, flow: usize) {
        let Flow { stage, worker, run, .. } = self.flows[flow];
        let seconds = self.lanes.of(stage).pace.seconds;
        self.workers[worker].compute(self.now, Task { flow, run, stage }, seconds);
        self.expect_computed(worker);
    }

    fn expect_computed(&mut self, worker: usize) {
        if let Some((time, changes)) = self.workers[worker].cores.next() {
            self.clock.at(time, Event::Computed { worker, changes });
        }
    }

    fn computed(&mut self, worker: usize) {
        let task = self.workers[worker].computed(self.now, self.load.prove_seconds);
        self.expect_computed(worker);
        if let Some(Task { flow, run, stage }) = task {
            let stored = self.now + self.lanes.of(stage).pace.after;
            self.clock.at(stored, Event::Stored { flow, run });
        }
    }

    fn stored(&mut self, flow: usize) {
        let activity = &mut self.flows[flow];
        activity.at_work -= 1;
        if activity.left > 0 {
            self.takes_jobs(flow);
        } else if activity.at_work == 0 {
            let worker = activity.worker;
            self.next_run(flow);
            self.workers[worker].activities.retain(|other| *other != flow);
            let poller = Poller { worker, life: self.workers[worker].life };
            let told = self.server.ask(self.now, 1);
            self.clock.at(told, Event::Done { flow, poller });
        }
    }

    /// The worker is free for another activity, and the workflow's next task begins what follows.
    fn activity_done(&mut self, flow: usize, poller: Poller) {
        let stage = self.flows[flow].stage;
        self.lanes.of(stage).pollers.push(poller);
        self.hand_out(stage);
        let asked = self.server.ask(self.now, 2);
        if stage == Stage::Confirm {
            self.clock.at(asked, Event::Closed { flow });
            return;
        }
        let confirmed = &mut self.flows[flow];
        confirmed.stage = Stage::Confirm;
        confirmed.left = self.load.batch;
        self.clock.at(asked, Event::Waiting { flow });
    }

    fn closes(&mut self, flow: usize) {
        self.counts.done += u64::from(self.load.batch);
        if self.now >= self.trial.warm_up {
            self.seconds.push(self.now - self.flows[flow].came);
        }
        self.free.push(flow);
    }

    /// A worker asks for as many activities as it does at once.
    fn polls(&mut self, worker: usize) {
        let poller = Poller { worker, life: self.workers[worker].life };
        self.lanes.make.pollers.extend(repeat_n(poller, self.fleet.slots as usize));
        self.lanes.confirm.pollers.extend(repeat_n(poller, VERIFIERS as usize));
    }

    fn expect_failure(&mut self, worker: usize) {
        if let Some(failures) = self.fleet.failures {
            let pause = self.chance(failures.mean_seconds);
            self.clock.at(self.now + pause, Event::Failed { worker });
        }
    }

    fn restarts(&mut self, worker: usize) {
        self.polls(worker);
        self.hand_out(Stage::Make);
        self.hand_out(Stage::Confirm);
        self.expect_failure(worker);
    }

    fn fails(&mut self, worker: usize) {
        if self.workers[worker].key == Key::Coming {
            self.keys.leave(self.now, |other| *other == worker);
            self.expect_key();
        }
        let (proofs, activities) = self.workers[worker].fail(self.now, self.fleet.slots);
        self.counts.failures += 1;
        self.counts.in_vain += proofs as u64;
        for flow in activities {
            let run = self.next_run(flow);
            // What is already in the store is not made again.
            let lost = &mut self.flows[flow];
            lost.left += lost.at_work;
            lost.at_work = 0;
            let noticed = (lost.beaten + HEARTBEAT_SECONDS).max(self.now);
            self.clock.at(noticed, Event::TimedOut { flow, run });
        }
        let restart = self.fleet.failures.map_or(0.0, |failures| failures.restart_seconds);
        self.clock.at(self.now + restart, Event::Restarted { worker });
    }

    fn times_out(&mut self, flow: usize) {
        self.counts.retries += 1;
        let told = self.server.ask(self.now, 1);
        self.clock.at(told + PAUSE_SECONDS, Event::Waiting { flow });
    }
}

/// The least of some sorted numbers that the given part of them does not exceed.
fn quantile(sorted: &[f64], part: f64) -> Option<f64> {
    let rank = (sorted.len() as f64 * part).ceil() as usize;
    sorted.get(rank.saturating_sub(1)).copied()
}
