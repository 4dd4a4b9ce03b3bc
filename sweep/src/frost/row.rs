//! A row, as files hold it.

use std::fmt;

use muster_threshold::frost::{ceremony::Times, SuiteName};
use serde::{Deserialize, Serialize};

use super::asked::FrostAsked;
use crate::{Error, Row as _};

/// What a row is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ask {
    /// The suite.
    pub suite: SuiteName,
    /// How many sign.
    pub threshold: u16,
    /// Of how many.
    pub signers: u16,
}

impl Ask {
    fn of(asked: &FrostAsked) -> Self {
        Self { suite: asked.suite, threshold: asked.threshold, signers: asked.signers }
    }

    /// The same, of so many runs.
    pub fn asked(self, repeat: u64) -> FrostAsked {
        let Self { suite, threshold, signers } = self;
        FrostAsked { suite, threshold, signers, repeat }
    }

    /// Seconds that the row takes, roughly: all but little of them go into the searches for a cheater,
    /// a step a signer.
    pub fn cost(&self, repeat: u64) -> f64 {
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
    ///
    /// # Errors
    ///
    /// [`Error::Frost`] if a step fails.
    pub fn measure(asked: &FrostAsked) -> Result<Self, Error> {
        let &FrostAsked { suite, threshold, signers, repeat } = asked;
        let times = suite.ceremony().measure(threshold, signers, repeat as usize)?;
        Ok(Self { suite, threshold, signers, times })
    }

    /// Seconds that a row takes, roughly.
    pub fn seconds(asked: &FrostAsked) -> f64 {
        Ask::of(asked).cost(asked.repeat)
    }

    /// Whether it is what was asked for.
    pub fn is_of(&self, asked: &FrostAsked) -> bool {
        self.ask() == Ask::of(asked)
    }
}

/// A row. The order of the fields is that of the columns in the CSV. Times are medians, in milliseconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    pub(super) suite: SuiteName,
    pub(super) threshold: u16,
    pub(super) signers: u16,
    #[serde(flatten)]
    pub(super) times: Times,
}
