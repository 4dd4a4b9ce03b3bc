//! Hashes to curves: RFC 9380 for BLS12-381 and BN254, and the search for a point as in EigenLayer's contracts.

pub mod bls12381;
pub mod bn254;
pub mod expand;
pub mod suite;
#[cfg(test)]
mod tests;

pub use bls12381::{Bls12381G1, Bls12381G2};
pub use bn254::Bn254G1;
pub use expand::{Expander, Tag, TagError};
pub use suite::{hash_to_curve, hash_to_field, Stages, Suite};
