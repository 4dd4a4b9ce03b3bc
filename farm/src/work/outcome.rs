//! How jobs end.

use serde::{Deserialize, Serialize};

use super::Fault;

/// The final outcome of a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// The store has its result, which was verified.
    Done,
    /// There is no result.
    Failed(Fault),
}
