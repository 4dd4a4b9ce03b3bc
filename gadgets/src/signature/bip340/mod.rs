//! Schnorr signatures over secp256k1 as in Bitcoin (BIP-340).

pub mod chip;
#[cfg(test)]
#[path = "../../../../schemes/src/signature/bip340/tests/vectors.rs"]
pub(crate) mod vectors;
