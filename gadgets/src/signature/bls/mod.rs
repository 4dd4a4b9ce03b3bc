//! BLS signatures over BLS12-381 and BN254, outside a circuit: keys, signatures, their sums and the check
//! of many at once.

mod bls12381;
mod bn254;
mod endomorphism;
mod error;
mod multiples;
mod point;
mod scheme;
mod secret;
#[cfg(test)]
mod tests;

pub use bls12381::{MinPublicKey, MinSignature};
pub use bn254::Bn254;
pub use error::BlsError;
pub use point::{PublicKey, Signature};
pub use scheme::{Sign, Suite};
pub use secret::SecretKey;
