//! Temporal's server: state transitions one after the other, at a limited rate, and queues.

use std::collections::VecDeque;

use crate::sizing::{counts::Pace, Server};

/// A server at work.
#[derive(Debug)]
pub(super) struct Transitions {
    server: Server,
    /// When it is done with all that it was asked for.
    free: f64,
    asked: u64,
}

impl Transitions {
    pub(super) fn new(server: Server) -> Self {
        Self { server, free: 0.0, asked: 0 }
    }

    /// Asks for some transitions, each requested after the one before. Returns when the last is answered.
    pub(super) fn ask(&mut self, now: f64, count: u32) -> f64 {
        self.asked += u64::from(count);
        if let Some(limit) = self.server.transitions_per_second {
            self.free = self.free.max(now) + f64::from(count) / limit;
        }
        self.free.max(now) + f64::from(count) * self.server.request_seconds
    }

    /// How many transitions it has made.
    pub(super) fn made(&self, now: f64) -> f64 {
        let limit = self.server.transitions_per_second.unwrap_or(0.0);
        self.asked as f64 - (self.free - now).max(0.0) * limit
    }
}

/// The stage that a workflow is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    Make,
    Confirm,
}

/// A worker that asks for an activity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Poller {
    pub(super) worker: usize,
    /// The life in which it asks.
    pub(super) life: u32,
}

/// A queue: activities that wait for workers, and workers that wait for activities.
#[derive(Debug)]
pub(super) struct Lane {
    pub(super) waiting: VecDeque<usize>,
    pub(super) pollers: Vec<Poller>,
    pub(super) pace: Pace,
}

impl Lane {
    /// An empty lane.
    pub(super) fn new(pace: Pace) -> Self {
        Self { waiting: VecDeque::new(), pollers: vec![], pace }
    }
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
