//! The commitment to a set of keys and its opening.

pub mod mask;
pub mod signers;
#[cfg(test)]
mod tests;
pub mod translation;
pub(crate) mod tree;

pub use tree::AssignedWhole;
