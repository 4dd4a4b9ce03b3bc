#![doc = include_str!("../README.md")]
#![cfg_attr(not(test), warn(clippy::wildcard_enum_match_arm))]

mod bounds;
mod circuit_shape;
mod committee;
pub mod encoding;
mod error;
mod layout;
mod limbs;
mod modes;
mod parts;
mod scheme;
mod selection;
mod shape;
mod sorting;
mod statement;
mod sum;
mod terms;
#[cfg(test)]
mod tests;
mod threshold;
pub mod translation;
mod witness;

pub use circuit_shape::{CircuitShape, OtherStatement};
pub use committee::Committee;
pub use error::{Error, Rejection};
pub use muster_schemes::membership::{MaskError, SignerMask, MAX_MASKED};
pub use muster_schemes::signature::{
    AnySignature as Signature, KeyKind, Message, MessageForm, PlainBytes, PointHash, PublicMessage,
    Rule, SignedBytes,
};
pub use parts::Columns;
pub use scheme::{Scheme, SchemeVisitor, Suite, UnknownScheme};
pub use selection::{Selection, Signatures};
pub use shape::{Mode, Request, Shape, MAX_SLOTS};
pub use sorting::Dropped;
pub use statement::{
    Statement, KEY_SET_ROOT, MESSAGE, MESSAGE_FIRST, MESSAGE_HIGH, MESSAGE_LOW, MESSAGE_SECOND,
    MESSAGE_THIRD, THRESHOLD,
};
pub use terms::Terms;
pub use witness::Witness;

#[cfg(test)]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
