//! A queue of Temporal's: activities that wait for workers, and workers that wait for activities.

use std::collections::VecDeque;

/// The stage that a workflow is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    Make,
    Confirm,
}

/// A worker that asks for an activity.
#[derive(Clone, Copy, Debug)]
pub(super) struct Poller {
    pub(super) worker: usize,
    /// The life in which it asks.
    pub(super) life: u32,
}

/// A queue, and the pace of its activities.
#[derive(Debug)]
pub(super) struct Lane {
    waiting: VecDeque<usize>,
    pollers: Vec<Poller>,
    pub(super) pace: Pace,
}

/// Both queues.
#[derive(Debug)]
pub(super) struct Lanes {
    pub(super) make: Lane,
    pub(super) confirm: Lane,
}

impl Lanes {
    /// The lane of a stage.
    pub(super) fn of(&mut self, stage: Stage) -> &mut Lane {
        match stage {
            Stage::Make => &mut self.make,
            Stage::Confirm => &mut self.confirm,
        }
    }
}

/// How a worker goes through the jobs of an activity.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    /// Jobs at once.
    pub(super) at_once: u32,
    /// Seconds before a job computes.
    pub(super) before: f64,
    /// Seconds that it computes, on all cores.
    pub(super) seconds: f64,
    /// Seconds after that.
    pub(super) after: f64,
}

/// An activity and the worker that has it from now on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Handed {
    pub(super) flow: usize,
    pub(super) worker: usize,
}

impl Lane {
    /// An empty lane.
    pub(super) fn new(pace: Pace) -> Self {
        Self { waiting: VecDeque::new(), pollers: vec![], pace }
    }

    /// A workflow's activity waits.
    pub(super) fn wait(&mut self, flow: usize) {
        self.waiting.push_back(flow);
    }

    /// A worker waits.
    pub(super) fn poll(&mut self, poller: Poller) {
        self.pollers.push(poller);
    }

    /// Gives the activity that has waited longest to a live worker; `pick` chooses one of so many.
    pub(super) fn hand_out(
        &mut self,
        mut pick: impl FnMut(usize) -> usize,
        lives: impl Fn(Poller) -> bool,
    ) -> Option<Handed> {
        while !self.waiting.is_empty() && !self.pollers.is_empty() {
            let last = self.pollers.len() - 1;
            let poller = self.pollers.swap_remove(pick(last + 1).min(last));
            if lives(poller) {
                let flow = self.waiting.pop_front()?;
                return Some(Handed { flow, worker: poller.worker });
            }
        }
        None
    }
}
