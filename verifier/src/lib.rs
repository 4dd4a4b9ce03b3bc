#![doc = include_str!("../README.md")]

mod arrangement;
mod claim;
mod compact;
mod decider;
mod domain;
mod encoding;
mod equation;
mod error;
mod key;
mod opening;
mod packing;
mod parts;
mod proof;
mod protocol;
mod transcript;
mod verify;

#[cfg(test)]
mod tests;

pub use ark_bn254::Fr as Scalar;

pub use arrangement::{Arrangement, Opened, Polynomial, Term};
pub use decider::{Cell, Decider, Filled, Row, Variable};
pub use encoding::{scalar_from_bytes, scalar_to_bytes, PointError};
pub use error::{
    BatchError, FillError, KeyError, PackingError, ProofPoint, ProtocolError, TooManyRows,
    VerifyError,
};
pub use key::{CompactKey, CompactKeyParts, EvmKey, Format, Key, KeyParts};
pub use packing::{Pack, Packing, Round};
pub use parts::{Column, Node, ProtocolParts, Table};
pub use protocol::Protocol;
pub use transcript::Transcript;
pub use verify::{verify_batch, BatchItem};
