//! Translations: the root of a set holds the very members of a chain's own commitment.
//!
//! A bridge that follows a chain's committee by roots has to know the next one. What the chain itself signs is a hash of its own
//! over the committee. A translation proves that a root is that of the same members, in the same places and with the same
//! weights; the [statement](TranslationStatement) says how many they are and what they weigh together.
//!
//! ```
//! use muster_circuits::{
//!     translation::{CommitmentKind, TranslationRequest, TranslationShape},
//!     Committee,
//! };
//! use muster_schemes::curve::weierstrass::Address;
//!
//! let guardians = [3, 5].map(|byte| (Address::from_bytes([byte; 20]).unwrap(), 1));
//! let committee = Committee::new(&guardians)?;
//! let request = TranslationRequest::new(CommitmentKind::Addresses, 2);
//! let shape = TranslationShape::fit(&request)?;
//! let witness = shape.witness(&committee)?;
//! assert_eq!((witness.statement().members, witness.statement().total_weight), (2, 2));
//! # Ok::<(), muster_circuits::Error>(())
//! ```

mod circuit;
mod commitment;
mod plan;
mod shape;
mod statement;
mod witness;

#[cfg(test)]
pub(crate) use circuit::{record, TranslationInputs};
pub use commitment::{CommitmentKind, UnknownCommitment};
#[cfg(test)]
pub(crate) use plan::{has_room, RELATION_BITS};
pub use shape::{TranslationRequest, TranslationShape};
pub use statement::{
    TranslationStatement, COMMITMENT_HIGH, COMMITMENT_LOW, MEMBERS, TOTAL_WEIGHT,
    TRANSLATION_INPUTS,
};
pub use witness::TranslationWitness;
