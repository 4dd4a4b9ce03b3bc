//! FROST(Baby Jubjub, Poseidon): groups that sign as one signer of `schnorr-babyjubjub`.
//!
//! The challenge is the Poseidon hash of muster-schemes' scheme, the other hashes are Blake2b-512
//! with labels. Elements are checked on reading to be in the prime-order subgroup and not the
//! identity, since the circuit's equation has no cofactor.

mod ciphersuite;
mod group;

#[cfg(test)]
mod tests;

pub use super::sample::sign_by_group;
pub use ciphersuite::{
    message_to_field, public_key, signature, signing_key, BabyJubjubPoseidon, CONTEXT,
};
pub use group::{Element, ScalarField, Subgroup};
