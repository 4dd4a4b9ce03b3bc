//! Queues: jobs wait where workers are that have the memory.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::job::Task;

/// Where workflows wait.
pub const FLOW_QUEUE: &str = "muster";
/// Where proofs wait to be verified.
pub const VERIFY_QUEUE: &str = "muster-verify";

/// What a prediction may be wrong by, in percent.
const MARGIN: u64 = 15;
/// Processors may be slower than the one of the model, and busy.
const PATIENCE: f64 = 20.0;
/// Keys are fetched and loaded before the first proof.
const LEAST: Duration = Duration::from_secs(300);

/// Jobs that take at most so much memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Class {
    /// In GiB.
    pub gib: u32,
}

impl Class {
    /// All classes.
    pub const ALL: [Self; 4] =
        [Self { gib: 1 }, Self { gib: 4 }, Self { gib: 16 }, Self { gib: 64 }];

    /// The class of a job: none if it takes more than any.
    pub fn of(task: &Task) -> Option<Self> {
        let bytes = task.bytes / 100 * (100 + MARGIN);
        Self::ALL.into_iter().find(|class| bytes <= class.bytes())
    }

    /// In bytes.
    pub fn bytes(self) -> u64 {
        u64::from(self.gib) << 30
    }

    /// Where its jobs wait.
    pub fn queue(self) -> String {
        format!("muster-prove-{}g", self.gib)
    }
}

/// How long jobs may take together before they are taken for lost.
pub(super) fn time_limit(tasks: &[Task]) -> Duration {
    let seconds: f64 = tasks.iter().map(|task| task.seconds).sum();
    LEAST + Duration::from_secs_f64(PATIENCE * seconds)
}
