//! Hashes to curves in circuit: RFC 9380 for BLS12-381 and BN254, and the search for a point as in EigenLayer's contracts.

mod bn254;
mod clearing;
mod expand;
mod extension;
mod first;
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

pub(crate) use clearing::{clear_cofactor, clearing_equations};
pub use expand::{expand, expand_with_keccak};
pub use extension::Extension;
pub use first::Expandable;
pub use hash::{AssignedPoint, AssignedStages, HashToCurve};
pub use message::FixedMessage;
pub use search::{FoundPoint, PointSearch};
pub use sign::MapInput;
pub use suite::{MapInstructions, MappedPoint};
