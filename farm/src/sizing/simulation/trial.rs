//! What is simulated.

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
