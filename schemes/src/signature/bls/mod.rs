//! BLS signatures over BLS12-381 and BN254: keys, signatures, their sums, and checks of many at once.

#[cfg(any(test, feature = "bls"))]
mod bls12381;
mod bn254;
#[cfg(any(test, feature = "bls"))]
mod endomorphism;
#[cfg(any(test, feature = "bls"))]
pub mod member;
mod message_group;
mod multiples;
mod point;
mod point_message;
mod raw;
mod scheme;
mod secret;
mod signed;
pub mod tags;
#[cfg(test)]
mod tests;

#[cfg(any(test, feature = "bls"))]
pub use bls12381::{
    MinPkBasicBls12381, MinPkPopBls12381, MinPkProofBls12381, MinSigBasicBls12381,
    MinSigPopBls12381, MinSigProofBls12381,
};
pub use bn254::{MinSigBasicBn254, MinSigPopBn254, MinSigProofBn254};
pub use message_group::{MessageGroup, POINT_WORD_BITS};
pub use point::{PublicKey, Signature};
pub use point_message::PointMessage;
pub use raw::{public_words, RawSigned};
pub use scheme::{BlsError, Ciphersuite, OtherHash, Sign};
pub use secret::SecretKey;
pub use signed::{HashedMessage, SignedPoint, PUBLIC_BYTES};
