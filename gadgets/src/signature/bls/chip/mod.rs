//! BLS signatures in circuit.

mod group;
mod keys;
mod message;
mod signed;
#[cfg(test)]
mod tests;

pub use group::PointGroup;
pub use keys::KeySums;
pub use message::MessagePoint;
pub use signed::{equations, AssignedSigned};
