//! What participants keep and send each other, as documents that serde writes: one for each participant
//! and step. All name their suite; points, scalars and signatures are in the suite's own encoding, in `0x`
//! hex.
//!
//! A document that has been read may say anything. It is checked when it is decoded, which a
//! [`Ceremony`](super::ceremony::Ceremony) does; [`FieldError`] names the field.

mod document;
mod keys;
mod parcel;
mod rounds;

pub(super) use document::number;
pub use document::{Document, FieldError, Hex};
pub use keys::{GroupFile, ShareFile};
pub use parcel::{Kind, Parcel, Repair};
pub use rounds::{CommitmentFile, NoncesFile, SignatureFile, SignatureShareFile};
