//! Signature schemes, one folder each, and what they share.

pub mod bip340;
pub mod bls;
mod choices;
pub mod cometbft;
mod description;
#[cfg(test)]
mod digest_suite;
pub mod ecdsa;
pub mod ed25519;
pub mod eddsa;
pub mod edwards;
mod error;
mod message;
pub mod musig;
mod point_hash;
mod scheme;
pub mod schnorr;
pub mod secret;
mod signed_bytes;
#[cfg(test)]
mod suite;

pub use choices::{Choices, NoSuchChoice};
pub use description::Description;
pub use edwards::{signature_from_parts, RawSignature, Signature};
pub use error::SignatureError;
pub use message::{
    Message, MessageForm, PublicMessage, SignedMessage, UnknownForm, MAX_MESSAGE_BYTES,
};
pub use point_hash::{FarPoint, PointHash, UnknownHash, MAX_CANDIDATES};
pub use scheme::{AnySignature, KeyKind, MemberSignature, Rule, SignatureScheme};
pub use signed_bytes::{PlainBytes, SignedBytes, MAX_PLAIN_BYTES, PLAIN_INPUTS};

pub use crate::membership::{KeyFormat, KEY_WORD_BITS};

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
