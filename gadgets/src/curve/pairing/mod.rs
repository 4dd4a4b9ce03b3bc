//! Pairings: whether a product of them is 1.

pub mod chip;
#[cfg(test)]
#[path = "../../../../schemes/src/curve/pairing/tests/samples.rs"]
pub(crate) mod samples;
