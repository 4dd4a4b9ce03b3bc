//! What participants keep and send each other, as documents that serde writes: one for each
//! participant and step. Each names its suite; points, scalars and signatures are in the suite's
//! own encoding, in `0x` hex.
//!
//! Reading a document checks nothing of what it says. That is done by decoding it, which a
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
