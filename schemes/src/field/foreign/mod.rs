//! Relations between elements of a prime field other than the native one.

pub mod format;
pub mod relation;
#[cfg(test)]
mod tests;

pub use format::{Format, LimbShape, Range, DIGIT_BITS};
pub use relation::{Checks, Relation, Shifted, Sought, Widths};
