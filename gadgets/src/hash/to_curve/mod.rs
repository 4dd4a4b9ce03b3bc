//! Hashes to curves in circuit: RFC 9380 for BLS12-381 and BN254, and the search for a point as in EigenLayer's contracts.

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
#[cfg(test)]
mod tests;

pub use expand::{expand, expand_with_keccak};
pub use extension::{Extension, MapInput};
pub(crate) use g1::{clear_cofactor, clearing_equations};
pub use group::AssignedPoint;
pub use hash::{AssignedStages, HashToCurve, MapInstructions, MappedPoint};
pub use message::{Expandable, FixedMessage};
pub use search::{FoundPoint, PointSearch};
