//! The result of a simulation.

use serde::Serialize;

/// The result of a simulation of one region, for the seconds that count.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// Proofs a second that were verified.
    pub throughput: f64,
    /// The part of their time for which workers computed.
    pub utilisation: f64,
    /// Seconds from submitted to verified: half of the proofs took at most this. None if there were none.
    pub median_seconds: Option<f64>,
    /// 99 of 100 took at most this.
    pub p99_seconds: Option<f64>,
    /// State transitions that the server made a second.
    pub transitions: f64,
    /// Workers that failed.
    pub failures: u64,
    /// Activities that were given to another worker.
    pub retries: u64,
    /// Proofs that were lost with their workers.
    pub in_vain: u64,
    /// Jobs that had come and were not done at the end.
    pub waiting: u64,
    /// By how many a second the waiting jobs grew: overload of the farm shows here.
    pub growth: f64,
    /// When a worker last finished fetching its keys, in seconds from the beginning; none if none had to.
    pub loaded_at: Option<f64>,
}

impl Report {
    /// Whether the farm did what came: fewer than one in 20 jobs were left over.
    pub fn keeps_up(&self) -> bool {
        self.growth <= (self.throughput + self.growth) / 20.0
    }
}

/// What is counted as time passes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    /// Jobs that came.
    pub(super) came: u64,
    /// Jobs that were done.
    pub(super) done: u64,
    /// Workers that failed.
    pub(super) failures: u64,
    /// Activities that were given to another worker.
    pub(super) retries: u64,
    /// Proofs that were lost.
    pub(super) in_vain: u64,
    /// State transitions.
    pub(super) transitions: f64,
    /// Seconds that workers computed, all together.
    pub(super) busy: f64,
}
