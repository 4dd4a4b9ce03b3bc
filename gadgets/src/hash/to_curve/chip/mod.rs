//! Hashes to curves in circuit.

mod bn254;
mod expand;
mod extension;
mod g1;
mod g2;
mod group;
mod hash;
mod message;
mod reduce;
mod search;
mod sign;
mod suite;
#[cfg(test)]
mod tests;
mod xor;

pub use expand::expand;
pub use extension::Extension;
pub use hash::{AssignedPoint, AssignedStages, HashToCurve};
pub use search::PointSearch;
pub use suite::MapInstructions;

pub use message::FixedMessage;
pub use reduce::{hash_to_field, FieldEquations, Unreduced};
