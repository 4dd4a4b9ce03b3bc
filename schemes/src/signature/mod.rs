//! Signature schemes: one folder each.

mod aggregate;
mod any;
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
mod form;
mod key_format;
mod kinds;
mod message;
pub mod musig;
mod nonce;
pub mod plain;
mod point_hash;
mod scheme;
pub mod schnorr;
pub mod secret;
mod signed_bytes;
#[cfg(test)]
mod suite;

pub use aggregate::AggregateError;
pub use any::{AnySignature, MemberSignature};
pub use choices::{Choices, NoSuchChoice};
pub use description::Description;
pub use edwards::{signature_from_parts, RawSignature, Signature};
pub use error::SignatureError;
pub use form::{MessageForm, UnknownForm, MAX_MESSAGE_BYTES};
pub use key_format::{KeyFormat, KEY_WORD_BITS};
pub use kinds::{KeyKind, Rule};
pub use message::{Message, PublicMessage, SignedMessage};
pub use plain::{PlainBytes, MAX_PLAIN_BYTES};
pub use point_hash::{FarPoint, PointHash, UnknownHash, MAX_CANDIDATES};
pub use scheme::SignatureScheme;
pub use signed_bytes::SignedBytes;
