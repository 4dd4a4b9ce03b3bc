//! Poseidon over the BN254 scalar field with circomlib's constants (x⁵, 8 full rounds).
//!
//! ```
//! use ff::PrimeField;
//! use halo2curves::bn256::Fr;
//! use muster_schemes::hash::poseidon;
//!
//! // As circomlib's `poseidon([1, 2])`.
//! let digest = poseidon::hash(&[Fr::from(1), Fr::from(2)]);
//! let published = "7853200120776062878684798364095072458815029376092732009249414926327459813530";
//! assert_eq!(digest, Fr::from_str_vartime(published).unwrap());
//!
//! // With a tag in the lane that is otherwise zero it is another function.
//! let tag = poseidon::domain("my-application");
//! assert_ne!(poseidon::hash_with_domain(tag, &[Fr::from(1), Fr::from(2)]), digest);
//! ```

pub mod native;
mod spec;

#[cfg(test)]
mod tests;

pub use native::{domain, hash, hash_with_domain, permute, stretch, MAX_INPUTS};
pub use spec::{PoseidonSpec, SparseRound, FULL_ROUNDS, MAX_WIDTH, MIN_WIDTH, PARTIAL_ROUNDS};
