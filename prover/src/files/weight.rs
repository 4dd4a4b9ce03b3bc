//! Weights in JSON: a number or, since other tools read numbers above 2^53 inexactly, a string of decimal
//! digits.

use std::fmt;

use muster_schemes::decimal;
use serde::{
    de::{self, Visitor},
    Deserialize, Deserializer,
};
use serde_json::Value;

/// The greatest integer up to which every JSON reader is exact.
const EXACT: u64 = (1 << 53) - 1;

/// A weight as a file has it, which may be wider than those of a set.
#[derive(Clone, Copy, Debug)]
pub(super) struct RawWeight(pub(super) u128);

impl<'de> Deserialize<'de> for RawWeight {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Digits)
    }
}

struct Digits;

impl Visitor<'_> for Digits {
    type Value = RawWeight;

    fn expecting(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str("an integer below 2^64, or a string of its decimal digits")
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<RawWeight, E> {
        Ok(RawWeight(number.into()))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<RawWeight, E> {
        decimal::read(text).map(RawWeight).map_err(E::custom)
    }
}

/// A weight or a threshold as JSON: a number up to 2^53 - 1, and else a string.
pub fn to_json(weight: u128) -> Value {
    match u64::try_from(weight) {
        Ok(number) if number <= EXACT => number.into(),
        _ => weight.to_string().into(),
    }
}
