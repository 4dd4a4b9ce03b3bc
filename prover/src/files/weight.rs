//! Weights in JSON, which may be wider than those of a set.

pub use crate::number::to_json;

use crate::number::Number;

/// A weight as a file has it.
pub(super) type RawWeight = Number<u128>;
