//! Thresholds that are a part of the total weight.

use std::{fmt, str::FromStr};

use thiserror::Error;

use super::Fraction;

/// The part of the total weight that signers must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quorum {
    /// Strictly more than a fraction of it, as `> 2/3` in CometBFT.
    MoreThan(Fraction),
    /// A fraction of it or more.
    AtLeast(Fraction),
}

/// Why a quorum gives no threshold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum QuorumError {
    /// No signature would be needed.
    #[error("{quorum} of a total weight of {total} needs no signer")]
    Nothing {
        /// The quorum.
        quorum: Quorum,
        /// The total weight.
        total: u128,
    },
    /// All members together do not reach it.
    #[error("{quorum} of a total weight of {total} is more than all members have")]
    Unreachable {
        /// The quorum.
        quorum: Quorum,
        /// The total weight.
        total: u128,
    },
}

impl Quorum {
    /// The threshold for a set of this total weight: the least sum of weights that is a quorum, from 1 to
    /// `total`.
    ///
    /// # Errors
    ///
    /// Any [`QuorumError`].
    pub fn threshold(self, total: u128) -> Result<u128, QuorumError> {
        let reached = match self {
            Self::MoreThan(fraction) => {
                let (below, _) = fraction.floor_of(total);
                (below < total).then(|| below + 1)
            }
            Self::AtLeast(fraction) => {
                let (below, is_exact) = fraction.floor_of(total);
                Some(below + u128::from(!is_exact))
            }
        };
        match reached {
            Some(0) => Err(QuorumError::Nothing { quorum: self, total }),
            Some(threshold) => Ok(threshold),
            None => Err(QuorumError::Unreachable { quorum: self, total }),
        }
    }
}

impl fmt::Display for Quorum {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MoreThan(fraction) => write!(out, ">{fraction}"),
            Self::AtLeast(fraction) => write!(out, ">={fraction}"),
        }
    }
}

impl FromStr for Quorum {
    type Err = String;

    /// Reads `>2/3` and `>=2/3`.
    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(fraction) = text.strip_prefix(">=") {
            return fraction.trim_start().parse().map(Self::AtLeast);
        }
        let fraction = text.strip_prefix('>').ok_or("a quorum is like >2/3 or >=2/3")?;
        fraction.trim_start().parse().map(Self::MoreThan)
    }
}
