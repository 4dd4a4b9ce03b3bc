//! Poseidon over the BN254 scalar field with circomlib's constants (x⁵, 8 full rounds).

pub mod native;
mod spec;

#[cfg(test)]
mod tests;

pub use native::{domain, hash, hash_with_domain, permute, stretch, MAX_INPUTS};
pub use spec::{PoseidonSpec, SparseRound, FULL_ROUNDS, MAX_WIDTH, MIN_WIDTH, PARTIAL_ROUNDS};
