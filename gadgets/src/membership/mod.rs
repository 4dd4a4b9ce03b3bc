//! The commitment to a set of keys and its opening.

pub(crate) mod chip;
pub mod mask;
pub mod signers;
#[cfg(test)]
mod tests;
pub mod translation;

pub use chip::AssignedWhole;
