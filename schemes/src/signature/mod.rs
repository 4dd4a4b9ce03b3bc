//! Signature schemes, one folder each, and what they share.
//!
//! Schemes implement [`SignatureScheme`], and their modules have examples. BLS signatures of one message add up, and so do
//! their keys, whose owners must have proven that they know the secrets:
//!
//! ```
//! use ff::Field;
//! use muster_schemes::signature::bls::{
//!     Ciphersuite, MinSigPopBn254, PublicKey, SecretKey, Signature,
//! };
//!
//! fn two_sign_together<S: Ciphersuite<Signed = [u8]>>() {
//!     let secrets = [1, 2].map(|byte| SecretKey::<S>::from_bytes([byte; 32]).unwrap());
//!     let keys = secrets.each_ref().map(|secret| secret.public_key());
//!     let signatures = secrets.each_ref().map(|secret| secret.sign(b"pay 5"));
//!     let key = PublicKey::sum(&keys).unwrap();
//!     let signature = Signature::combine(&signatures, &[S::Scalar::ONE; 2]).unwrap();
//!     assert!(key.verify(b"pay 5", &signature));
//!     assert!(!key.verify(b"pay 6", &signature));
//! }
//!
//! two_sign_together::<MinSigPopBn254>();
//! # #[cfg(feature = "bls")]
//! // With the feature `bls`; keys are in G1, as in Ethereum.
//! two_sign_together::<muster_schemes::signature::bls::MinPkPopBls12381>();
//! ```

pub mod bip340;
pub mod bls;
mod choices;
pub mod cometbft;
pub mod ecdsa;
pub mod ed25519;
pub mod eddsa;
pub mod edwards;
mod error;
mod key_format;
mod message;
pub mod musig;
mod point_hash;
mod scheme;
pub mod schnorr;
pub mod secret;
mod signed_bytes;
#[cfg(test)]
mod tests;

pub use choices::{Choices, NoSuchChoice};
pub use edwards::{signature_from_parts, RawSignature, Signature};
pub use error::SignatureError;
pub use message::{
    Message, MessageForm, PublicMessage, SignedMessage, UnknownForm, MAX_MESSAGE_BYTES,
};
pub use point_hash::{FarPoint, HashTag, PointHash, UnknownHash, MAX_CANDIDATES, MAX_HASH_TAG};
pub use scheme::{AnySignature, Description, KeyKind, MemberSignature, Rule, SignatureScheme};
pub use signed_bytes::{PlainBytes, SignedBytes, MAX_PLAIN_BYTES, PLAIN_INPUTS};

pub use key_format::{KeyFormat, KEY_WORD_BITS};

use thiserror::Error;

use bls::BlsError;
use musig::MusigError;

/// Why several signers have no common signature or key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum AggregateError {
    /// From MuSig.
    #[error(transparent)]
    Musig(#[from] MusigError),
    /// From BLS.
    #[error(transparent)]
    Bls(#[from] BlsError),
}
