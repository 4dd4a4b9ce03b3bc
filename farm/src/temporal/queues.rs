//! Queues: jobs wait for workers that have the memory for them.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::job::{Incoming, Task};

/// Where workflows wait.
pub const FLOW_QUEUE: &str = "muster";
/// Where proofs wait to be verified.
pub const VERIFY_QUEUE: &str = "muster-verify";

/// By how much a prediction may be wrong, in percent.
const MARGIN: u64 = 15;
/// Processors may be slower than the one of the model, and busy.
pub(crate) const PATIENCE: f64 = 40.0;
/// Keys are fetched and loaded before the first proof.
pub(crate) const LEAST_TIME: Duration = Duration::from_secs(300);
/// No job is waited for longer than this, whatever its prediction.
const MOST: Duration = Duration::from_secs(30 * 24 * 3_600);

/// Memory of classes, in GiB.
const SIZES: [u32; 4] = [1, 4, 16, 64];

/// A class of jobs that take at most this much memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Class {
    /// In GiB.
    pub gib: u32,
    /// Whether a job has the machine to itself.
    #[serde(default)]
    pub alone: bool,
}

impl Class {
    /// All classes.
    pub fn all() -> impl Iterator<Item = Self> {
        SIZES.into_iter().flat_map(|gib| [false, true].map(|alone| Self { gib, alone }))
    }

    /// The class of a job: none if it takes more memory than any class has.
    pub fn of(task: &Task) -> Option<Self> {
        let bytes = (task.bytes / 100).saturating_mul(100 + MARGIN);
        let alone = task.job.work.is_measured();
        Self::all().find(|class| class.alone == alone && bytes <= class.bytes())
    }

    /// In bytes.
    pub fn bytes(self) -> u64 {
        u64::from(self.gib) << 30
    }

    /// Where its jobs wait.
    pub fn queue(self) -> String {
        let work = if self.alone { "measure" } else { "prove" };
        format!("muster-{work}-{}g", self.gib)
    }
}

/// How long jobs may take together before they count as lost. Whoever submits predicts the seconds, which may be anything.
pub(super) fn time_limit(tasks: &[Task<Incoming>]) -> Duration {
    let seconds: f64 = tasks.iter().map(|task| task.seconds.max(0.0)).sum();
    let work = Duration::try_from_secs_f64(PATIENCE * seconds).unwrap_or(MOST);
    work.saturating_add(LEAST_TIME).min(MOST)
}
