//! How much weight must sign: thresholds that are a part of the total weight, and weights that are too wide for a leaf.

use std::{fmt, str::FromStr};

use thiserror::Error;

use crate::decimal;

/// Largest numerator and denominator of a fraction.
const MOST: u32 = 1000;

/// A fraction between 0 and 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fraction {
    numerator: u32,
    denominator: u32,
}

impl Fraction {
    /// A fraction of small numbers; `None` if it is above 1, its denominator is 0, or its numbers
    /// are above 1000.
    pub const fn new(numerator: u32, denominator: u32) -> Option<Self> {
        if denominator > 0 && denominator <= MOST && numerator <= denominator {
            Some(Self { numerator, denominator })
        } else {
            None
        }
    }

    /// The numerator as given.
    pub fn numerator(self) -> u128 {
        u128::from(self.numerator)
    }

    /// The denominator as given.
    pub fn denominator(self) -> u128 {
        u128::from(self.denominator)
    }

    /// Whether `part` is more than this fraction of `whole`, both below 2^100.
    pub fn is_exceeded(self, part: u128, whole: u128) -> bool {
        part * self.denominator() > self.numerator() * whole
    }

    /// Whether this fraction is below another one.
    pub fn is_below(self, other: Self) -> bool {
        self.numerator() * other.denominator() < other.numerator() * self.denominator()
    }

    /// The greatest integer that is at most this fraction of `whole`, and whether it equals it.
    fn floor_of(self, whole: u128) -> (u128, bool) {
        let (numerator, denominator) = (self.numerator(), self.denominator());
        // `whole` is `quotient·denominator + rest`. No product exceeds `whole` or 10^6.
        let (quotient, rest) = (whole / denominator, whole % denominator);
        let part = rest * numerator;
        (quotient * numerator + part / denominator, part.is_multiple_of(denominator))
    }
}

impl fmt::Display for Fraction {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}/{}", self.numerator, self.denominator)
    }
}

impl FromStr for Fraction {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('/');
        let numbers =
            parts.and_then(|(a, b)| Some((decimal::read(a).ok()?, decimal::read(b).ok()?)));
        let made = numbers.and_then(|(numerator, denominator)| Self::new(numerator, denominator));
        made.ok_or_else(|| format!("{text:?} is not a fraction like 2/3 with numbers up to {MOST}"))
    }
}

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

/// Bits that weights lose at their lower end: `⌊w/2^S⌋` stands for the weight `w`, `⌈T/2^S⌉` for the
/// threshold `T`.
///
/// Whoever reaches the shifted threshold reaches the threshold itself:
/// `Σwᵢ ≥ 2^S·Σ⌊wᵢ/2^S⌋ ≥ 2^S·⌈T/2^S⌉ ≥ T`. The converse does not hold, as each signer may lose up
/// to `2^S - 1`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WeightShift(u32);

impl WeightShift {
    /// The greatest number of bits.
    pub const MOST: u32 = u128::BITS - 1;

    /// A shift by this many bits; `None` if they are more than [`Self::MOST`].
    pub const fn new(bits: u32) -> Option<Self> {
        if bits <= Self::MOST {
            Some(Self(bits))
        } else {
            None
        }
    }

    /// The bits.
    pub fn bits(self) -> u32 {
        self.0
    }

    /// The shifted weight, `⌊weight/2^S⌋`. A member for whom it is 0 cannot be in a set.
    pub fn weight(self, weight: u128) -> u128 {
        weight >> self.0
    }

    /// The shifted threshold, `⌈threshold/2^S⌉`.
    pub fn threshold(self, threshold: u128) -> u128 {
        threshold.div_ceil(1 << self.0)
    }
}
