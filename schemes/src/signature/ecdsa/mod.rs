//! ECDSA over secp256k1 and P-256 (FIPS 186-5, section 6).

pub mod native;
pub(crate) mod recovery;
mod secret;
mod signature;
mod suite;

#[cfg(test)]
mod tests;
#[cfg(test)]
pub(crate) mod vectors;

pub use native::nonce_point;
pub use secret::SecretKey;
pub use signature::{decode_recoverable, encode_recoverable, RecoveryId, Signature};
pub use suite::{Ecdsa, EcdsaP256, EcdsaSecp256k1, Suite};
