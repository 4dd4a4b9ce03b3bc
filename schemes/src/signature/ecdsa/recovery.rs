//! The bytes that say which point R is.

use std::ops::RangeInclusive;

/// As they are, and as Bitcoin and Ethereum write them.
pub(super) const BYTES: [RangeInclusive<u8>; 2] = [0..=3, 27..=30];

/// The same in words.
pub(crate) fn in_words() -> String {
    BYTES.map(|range| format!("{} to {}", range.start(), range.end())).join(" or ")
}
