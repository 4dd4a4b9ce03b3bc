//! BLS signatures over BLS12-381 and BN254: keys, signatures, their sums, and checks of many at once.

#[cfg(any(test, feature = "bls"))]
mod bls12381;
mod bn254;
#[cfg(any(test, feature = "bls"))]
mod endomorphism;
mod error;
mod hashed_message;
#[cfg(any(test, feature = "bls"))]
pub mod member;
mod message_group;
mod multiples;
mod point;
mod point_message;
mod raw;
mod scheme;
mod secret;
mod signed_point;
pub mod tags;
#[cfg(test)]
mod tests;

#[cfg(any(test, feature = "bls"))]
pub use bls12381::{
    MinPkBasicBls12381, MinPkPopBls12381, MinPkProofBls12381, MinSigBasicBls12381,
    MinSigPopBls12381, MinSigProofBls12381,
};
pub use bn254::{MinSigBasicBn254, MinSigPopBn254, MinSigProofBn254};
pub use error::BlsError;
pub use hashed_message::{HashedMessage, PUBLIC_BYTES};
pub use message_group::{MessageGroup, POINT_WORD_BITS};
pub use point::{PublicKey, Signature};
pub use point_message::PointMessage;
pub use raw::{public_words, RawSigned};
pub use scheme::{Ciphersuite, Sign};
pub use secret::SecretKey;
pub use signed_point::SignedPoint;
