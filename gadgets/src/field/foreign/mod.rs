//! Relations between elements of a prime field other than the native one.

#[cfg(feature = "circuit")]
pub mod chip;
pub mod format;
#[cfg(feature = "circuit")]
pub mod halves;
#[cfg(feature = "circuit")]
pub mod integer;
#[cfg(feature = "circuit")]
pub(crate) mod pack;
#[cfg(feature = "circuit")]
pub mod regroup;
pub mod relation;
#[cfg(feature = "circuit")]
pub mod script;
#[cfg(test)]
mod tests;

pub use format::{Format, LimbShape, Range, DIGIT_BITS};
pub use relation::{Checks, Relation, Shifted, Sought, Widths};
