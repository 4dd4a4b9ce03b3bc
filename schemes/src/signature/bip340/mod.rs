//! Schnorr signatures over secp256k1 as in Bitcoin (BIP-340).

pub mod native;
mod types;

#[cfg(test)]
mod tests;
#[cfg(test)]
pub(crate) mod vectors;

pub use native::{challenge, challenge_midstate, CHALLENGE_TAG};
pub use types::{Bip340, PublicKey, SecretKey, Signature};
