#![doc = include_str!("../README.md")]

mod arrangement;
mod batch;
mod challenges;
mod domain;
mod encoding;
mod equation;
mod error;
mod key;
mod opening;
mod parts;
mod proof;
mod protocol;
mod transcript;
mod verify;

#[cfg(test)]
mod tests;

pub use ark_bn254::Fr as Scalar;

pub use arrangement::{Arrangement, Opened, Polynomial, Term};
pub use batch::{verify_batch, BatchItem};
pub use encoding::{scalar_from_bytes, scalar_to_bytes, PointError};
pub use error::{BatchError, KeyError, ProofPoint, ProtocolError, VerifyError};
pub use key::{Key, KeyParts};
pub use parts::{Column, Node, ProtocolParts, Table};
pub use protocol::Protocol;
pub use transcript::Transcript;
