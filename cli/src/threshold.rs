//! Thresholds on the command line.

use std::str::FromStr;

use muster_prover::files::CommitteeFile;
use muster_schemes::decimal;
use muster_schemes::membership::Quorum;

use crate::Error;

/// A sum of weights, or a part of all of them: `8`, `>2/3`, `>=2/3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ThresholdArg {
    /// A sum of weights.
    Weight(u128),
    /// A part of the total weight.
    Part(Quorum),
}

impl FromStr for ThresholdArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.starts_with(|first: char| first.is_ascii_digit()) {
            return decimal::read(text).map(Self::Weight).map_err(|reason| reason.to_string());
        }
        text.parse().map(Self::Part).map_err(|reason| {
            format!("neither an integer nor a quorum of the total weight: {reason}")
        })
    }
}

/// The threshold that a proof should be about: the number itself, since a proof does not have the total weight.
pub(crate) fn proven(text: &str) -> Result<u64, String> {
    if text.starts_with('>') {
        let reason =
            "a proof states a number, not a quorum of the total weight: give the number that `muster \
                      root COMMITTEE --threshold` prints for this quorum";
        return Err(reason.into());
    }
    decimal::read(text).map_err(|reason| reason.to_string())
}

impl ThresholdArg {
    /// The threshold for the committee in a file, whose weights are those after any shift.
    pub(crate) fn of(self, file: &CommitteeFile) -> Result<u64, Error> {
        let threshold = match self {
            Self::Weight(weight) => {
                weight.try_into().map_err(|_| format!("invalid value '{weight}': 2^64 or more"))
            }
            Self::Part(quorum) => file.threshold(quorum),
        };
        threshold.map_err(|reason| Error::usage(format!("--threshold: {reason}")))
    }

    /// The same where a sum of weights is meant to be one of weights before the shift.
    pub(crate) fn before_shift(self, file: &CommitteeFile) -> Result<u64, Error> {
        let shift = file.narrowed.map(|narrowed| narrowed.shift).unwrap_or_default();
        match self {
            Self::Weight(weight) => Self::Weight(shift.threshold(weight)).of(file),
            Self::Part(_) => self.of(file),
        }
    }
}
