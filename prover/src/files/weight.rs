//! Weights in JSON, which may be wider than those of a set.

use serde_json::Value;

use crate::number::Number;

/// The greatest integer up to which every JSON reader is exact.
const EXACT: u64 = (1 << 53) - 1;

/// A weight as a file has it.
pub(super) type RawWeight = Number<u128>;

/// A weight or a threshold as JSON: a number up to 2^53 - 1, and else a string.
pub fn to_json(weight: u128) -> Value {
    match u64::try_from(weight) {
        Ok(number) if number <= EXACT => number.into(),
        _ => weight.to_string().into(),
    }
}
