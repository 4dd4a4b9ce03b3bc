//! What is simulated, and what comes of it.

use serde::Serialize;

/// How long, and from where.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trial {
    /// Seconds that are simulated and counted.
    pub seconds: f64,
    /// Seconds that are simulated before that, until queues have reached their usual length.
    pub warm_up: f64,
    /// Whether workers begin without their keys.
    pub is_cold: bool,
}

/// More jobs than this take too much time and memory.
const MOST_JOBS: f64 = 5e6;
/// More seconds than this, of all workers, take too long.
const MOST_WORKER_SECONDS: f64 = 2e7;

impl Trial {
    /// Whether it can be simulated with this many workers and this many jobs a second.
    ///
    /// # Errors
    ///
    /// What makes no sense.
    pub fn check(&self, workers: u32, rate: f64) -> Result<(), String> {
        let is_time = self.seconds > 0.0 && self.warm_up >= 0.0;
        if !is_time || !self.end().is_finite() {
            let (seconds, warm_up) = (self.seconds, self.warm_up);
            return Err(format!("seconds to play: {seconds} after {warm_up} are no time"));
        }
        let jobs = rate * self.end();
        if jobs > MOST_JOBS {
            return Err(format!(
                "seconds to play: {jobs:.0} jobs would come, more than {MOST_JOBS:.0}"
            ));
        }
        let seconds = f64::from(workers) * self.end();
        if seconds > MOST_WORKER_SECONDS {
            return Err(format!(
                "seconds to play: {seconds:.0} of all workers, more than {MOST_WORKER_SECONDS:.0}"
            ));
        }
        Ok(())
    }

    /// When it is over.
    pub(super) fn end(&self) -> f64 {
        self.warm_up + self.seconds
    }
}

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
