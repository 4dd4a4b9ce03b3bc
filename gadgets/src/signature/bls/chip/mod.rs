//! BLS signatures in circuit.

mod group;
mod keys;
mod signed;
#[cfg(test)]
mod tests;

pub use group::PointGroup;
pub use keys::KeySums;
pub use signed::{equations, AssignedSigned, MessagePoint};
