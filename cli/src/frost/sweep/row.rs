//! A row, as files hold it.

use std::fmt;

use muster_threshold::frost::{ceremony::Times, SuiteName};
use serde::{Deserialize, Serialize};

use super::asked::FrostAsked;
use crate::{sweep::Row as _, Error};

/// What a row is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ask {
    pub(super) suite: SuiteName,
    pub(super) threshold: u16,
    pub(super) signers: u16,
}

impl Ask {
    fn of(asked: &FrostAsked) -> Self {
        Self { suite: asked.suite, threshold: asked.threshold, signers: asked.signers }
    }

    /// The same, of so many runs.
    pub(super) fn asked(self, repeat: u64) -> FrostAsked {
        let Self { suite, threshold, signers } = self;
        FrostAsked { suite, threshold, signers, repeat }
    }

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

impl Row {
    /// Measures a row.
    pub(crate) fn measure(asked: &FrostAsked) -> Result<Self, Error> {
        let &FrostAsked { suite, threshold, signers, repeat } = asked;
        let times = suite.ceremony().measure(threshold, signers, repeat as usize)?;
        Ok(Self { suite, threshold, signers, times })
    }

    /// Seconds that a row takes, roughly.
    pub(crate) fn seconds(asked: &FrostAsked) -> f64 {
        Ask::of(asked).cost(asked.repeat)
    }

    /// Whether it is what was asked for.
    pub(crate) fn is_of(&self, asked: &FrostAsked) -> bool {
        self.ask() == Ask::of(asked)
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
