//! How jobs end.

use serde::{Deserialize, Serialize};

use super::Fault;

/// What came of a job in the end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// The store has its result, which was verified.
    Done,
    /// There is none.
    Failed(Fault),
}
