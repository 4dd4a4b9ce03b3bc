//! A row, as files hold it.

use std::fmt;

use muster_threshold::frost::{ceremony::Times, SuiteName};
use serde::{Deserialize, Serialize};

/// What a row is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ask {
    pub(super) suite: SuiteName,
    pub(super) threshold: u16,
    pub(super) signers: u16,
}

impl Ask {
    /// Seconds that the row takes, roughly: all but little of them go into the searches for a cheater,
    /// a step a signer.
    pub(super) fn cost(&self, repeat: u64) -> f64 {
        0.1 + 2e-4 * (repeat as f64 + 1.0) * f64::from(self.threshold)
            + 1e-3 * f64::from(self.signers)
    }
}

impl fmt::Display for Ask {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} {}/{}", self.suite, self.threshold, self.signers)
    }
}

/// A row. The order of the fields is that of the columns in the CSV. Times are medians, in milliseconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Row {
    pub(super) suite: SuiteName,
    pub(super) threshold: u16,
    pub(super) signers: u16,
    #[serde(flatten)]
    pub(super) times: Times,
}
