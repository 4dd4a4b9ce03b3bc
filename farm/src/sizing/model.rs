//! On paper: what a load asks of a fleet, by closed formulas.
//!
//! Workers share a region's jobs evenly, and their cores without loss. The formulas know nothing of chance: no
//! queue is longer than it must be. [`simulate`](super::simulate) says what chance adds.

use serde::{Serialize, Serializer};

use super::{
    counts::{
        beats, transitions_alive, Pace, Requests, ACTIONS, EVENTS, PAYLOAD_LIMIT, TRANSITIONS,
        TRANSITIONS_OF_RETRY, VERIFIERS,
    },
    Fleet, Load,
};

/// What a load asks of a fleet. Figures for server and store are for one region: each has its own.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Demand {
    /// Proofs a second that the workers of all regions can make.
    pub capacity: f64,
    /// Jobs that come, divided by those that the workers can do: too many if above 1, and infinite without workers.
    pub utilisation: f64,
    /// The same if a region is lost and the others do its jobs; none if there is only one.
    pub utilisation_without_a_region: Option<f64>,
    /// Workers of all regions that would be busy all the time.
    pub workers: f64,
    /// Seconds from submitted to verified, for a workflow that has a worker to itself.
    pub seconds_alone: f64,
    /// Workflows a second.
    pub workflows: f64,
    /// Events of histories a second.
    pub events: f64,
    /// State transitions a second that the server has to make.
    pub transitions: f64,
    /// State transitions of a workflow.
    pub transitions_of_workflow: f64,
    /// Billed actions a second of Temporal's cloud.
    pub actions: f64,
    /// Bytes a second of histories that the server writes.
    pub history_bytes: f64,
    /// What the store has to do per second.
    pub store: Requests,
    /// Seconds until all workers have fetched keys and SRS from the store, if they all begin at once.
    pub cold_start: f64,
    /// Proofs a second that are lost with their workers.
    pub in_vain: f64,
    /// What is not enough.
    pub shortfalls: Vec<Shortfall>,
}

/// What is not enough. In JSON it is the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Shortfall {
    /// More jobs come than the workers can do.
    #[error("too few workers: jobs come faster than they are done")]
    Workers,
    /// The server would have to make more state transitions than it can.
    #[error("the server is too slow: jobs come faster than it can hand them on")]
    Server,
    /// The store would have to take in or give out more bytes than it can.
    #[error("the way to the store is too narrow")]
    Store,
    /// Workers that all begin at once get their keys later than an activity's time limit.
    #[error("when all workers start at once, their jobs time out before the keys are there")]
    ColdStart,
    /// The jobs of a workflow are longer than the server accepts.
    #[error("the jobs of a workflow are longer than the server takes")]
    Payload,
}

impl Serialize for Shortfall {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl Demand {
    /// What `load` asks of `fleet`.
    ///
    /// # Errors
    ///
    /// The number that makes no sense.
    pub fn of(load: &Load, fleet: &Fleet) -> Result<Self, String> {
        load.check()?;
        fleet.check()?;
        let regions = f64::from(fleet.regions);
        let part = Load { rate: load.rate / regions, ..*load };
        let of_worker = capacity_of_worker(load, fleet);
        let capacity = f64::from(fleet.workers_of_region()) * of_worker * regions;
        let utilisation = load.rate / capacity;
        let work = Work::of(load, fleet, utilisation);
        let failures = fleet.failures.map_or(0.0, |failures| 1.0 / failures.mean_seconds);
        let lost = failures * work.at_once;
        let keys = load.key_bytes as f64 * f64::from(fleet.workers_of_region());
        let workflows = part.workflows();
        let transitions_of_workflow = f64::from(TRANSITIONS)
            + transitions_alive(work.prove_seconds)
            + transitions_alive(work.verify_seconds);
        let actions = f64::from(ACTIONS) + beats(work.prove_seconds) + beats(work.verify_seconds);
        let others = (fleet.regions > 1).then(|| utilisation * regions / (regions - 1.0));
        let mut demand = Self {
            capacity,
            utilisation,
            utilisation_without_a_region: others,
            workers: load.rate / of_worker,
            seconds_alone: seconds_alone(load, fleet),
            workflows,
            events: workflows * f64::from(EVENTS),
            transitions_of_workflow,
            transitions: workflows * transitions_of_workflow
                + lost * f64::from(TRANSITIONS_OF_RETRY),
            actions: workflows * actions,
            history_bytes: workflows * load.history_bytes(),
            store: Requests::of_job(load).times(part.rate),
            cold_start: keys / fleet.store.bytes_per_second,
            in_vain: lost,
            shortfalls: vec![],
        };
        demand.shortfalls = demand.shortfalls_of(load, fleet);
        Ok(demand)
    }

    fn shortfalls_of(&self, load: &Load, fleet: &Fleet) -> Vec<Shortfall> {
        let server = fleet.server.transitions_per_second;
        let bytes = self.store.bytes_in.max(self.store.bytes_out);
        let all = [
            (self.utilisation > 1.0, Shortfall::Workers),
            (server.is_some_and(|limit| self.transitions > limit), Shortfall::Server),
            (bytes > fleet.store.bytes_per_second, Shortfall::Store),
            (self.cold_start > load.time_limit(), Shortfall::ColdStart),
            (load.payload_bytes() > PAYLOAD_LIMIT, Shortfall::Payload),
        ];
        all.into_iter().filter_map(|(is_short, what)| is_short.then_some(what)).collect()
    }
}

/// Proofs a second of a worker.
fn capacity_of_worker(load: &Load, fleet: &Fleet) -> f64 {
    let computing = 1.0 / (load.prove_seconds + load.verify_seconds);
    // While some jobs wait for the store, others compute; but no more are under way than fit the slots.
    let under_way = |activities: u32, pace: Pace| {
        f64::from(activities) * f64::from(pace.at_once) / (pace.seconds + pace.wait())
    };
    let making = under_way(fleet.slots, Pace::of_make(load, fleet));
    let confirming = under_way(VERIFIERS, Pace::of_confirm(load, fleet));
    let able = computing.min(making).min(confirming);
    let Some(failures) = fleet.failures else { return able };
    let reload = load.key_bytes as f64 / fleet.store.bytes_per_second;
    let away = failures.restart_seconds + reload;
    let up = failures.mean_seconds / (failures.mean_seconds + away);
    // A failure finds each of the current proofs half done on average.
    let in_vain = f64::from(fleet.slots) * load.prove_seconds / 2.0 / failures.mean_seconds;
    able * up * (1.0 - in_vain).max(0.0)
}

/// What a region's workers are working on.
struct Work {
    /// Seconds of an activity that proves.
    prove_seconds: f64,
    /// Seconds of one that verifies.
    verify_seconds: f64,
    /// Proofs at work at once, and activities.
    at_once: f64,
}

impl Work {
    fn of(load: &Load, fleet: &Fleet, utilisation: f64) -> Self {
        let busy = utilisation.min(1.0);
        let batch = f64::from(load.batch);
        let alone = |pace: Pace| {
            // Those that compute at once share the cores, and then all of them wait.
            let at_once = f64::from(pace.at_once);
            batch / at_once * (at_once * pace.seconds + pace.wait())
        };
        // The more there is to do, the more activities share a worker's cores. While one waits, others compute.
        let sharing = 1.0 + f64::from(fleet.slots - 1) * busy;
        let making = alone(Pace::of_make(load, fleet));
        let slots = f64::from(fleet.workers_of_region()) * f64::from(fleet.slots);
        Self {
            prove_seconds: making.max(batch * load.prove_seconds * sharing),
            verify_seconds: alone(Pace::of_confirm(load, fleet)),
            at_once: slots * busy,
        }
    }
}

/// Seconds of a workflow that has a worker to itself: each transition is a request to the server.
fn seconds_alone(load: &Load, fleet: &Fleet) -> f64 {
    let alone = Work::of(load, fleet, 0.0);
    let requests = f64::from(TRANSITIONS) * fleet.server.request_seconds;
    requests + alone.prove_seconds + alone.verify_seconds
}
