//! The result of a simulation.

/// The result of a simulation of one region, for the seconds that count.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Proofs a second that were verified.
    pub throughput: f64,
    /// Seconds from submitted to verified: half of the proofs took at most this. None if there were none.
    pub median_seconds: Option<f64>,
    /// 99 of 100 took at most this.
    pub p99_seconds: Option<f64>,
    /// State transitions that the server made a second.
    pub transitions: f64,
    /// The part of their time for which workers computed.
    pub utilisation: f64,
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

/// What was counted between two moments.
#[derive(Debug)]
pub(super) struct Window {
    pub(super) before: Counts,
    pub(super) after: Counts,
    pub(super) seconds: f64,
    pub(super) workers: u32,
}

impl Window {
    /// The report, with the seconds that workflows took.
    pub(super) fn report(&self, mut seconds: Vec<f64>, loaded_at: Option<f64>) -> Report {
        seconds.sort_by(f64::total_cmp);
        let (before, after) = (&self.before, &self.after);
        let rate = |count: f64| count / self.seconds;
        let done = (after.done - before.done) as f64;
        let came = (after.came - before.came) as f64;
        // Without workers, nobody is busy.
        let time = self.seconds * f64::from(self.workers.max(1));
        Report {
            throughput: rate(done),
            median_seconds: quantile(&seconds, 0.5),
            p99_seconds: quantile(&seconds, 0.99),
            transitions: rate(after.transitions - before.transitions),
            utilisation: (after.busy - before.busy) / time,
            failures: after.failures - before.failures,
            retries: after.retries - before.retries,
            in_vain: after.in_vain - before.in_vain,
            waiting: after.came - after.done,
            growth: rate(came - done),
            loaded_at,
        }
    }
}

/// The least of some sorted numbers that the given part of them does not exceed.
fn quantile(sorted: &[f64], part: f64) -> Option<f64> {
    let rank = (sorted.len() as f64 * part).ceil() as usize;
    sorted.get(rank.saturating_sub(1)).copied()
}
