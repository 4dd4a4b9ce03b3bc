//! Exact fractions of a total weight.

use std::{fmt, str::FromStr};

use crate::decimal;

/// Largest numerator and denominator.
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
    pub(super) fn floor_of(self, whole: u128) -> (u128, bool) {
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
