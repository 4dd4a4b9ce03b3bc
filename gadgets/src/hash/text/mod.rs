//! Strings of bytes in circuit, whose lengths are cells.
//!
//! A [`Short`] is a string of at most 31 bytes in one cell, a [`Text`] one of 16-byte halves. Both are big-endian
//! integers that begin with the first byte and have zeros after the last one, so that strings can be joined by a
//! product and a sum.

mod bounded;
mod frame;
mod join;
mod shift;
mod short;
mod string;
mod varint;

#[cfg(test)]
mod tests;

pub use frame::Frame;
pub use join::{Draft, Stem};
pub use short::Short;
pub use string::Text;
pub use varint::Varint;
