//! Ceremonies over documents: every step of a participant, in the suite that its documents belong
//! to.
//!
//! The functions of this crate are generic over the suite. A program that learns the suite only at
//! run time gets a [`Ceremony`] by its name and passes documents ([`files`](super::files)) in and
//! out:
//!
//! ```
//! use muster_threshold::frost::{files::Document, SuiteName};
//! use rand_core::OsRng;
//!
//! let dealer = SuiteName::Ed25519.ceremony();
//! let (group, shares) = dealer.deal(2, 3, &mut OsRng)?;
//! // Each signer has its share; the coordinator, the group. What they pass on is JSON.
//! let signer = shares[0].suite().ceremony();
//! let (nonces, commitment) = signer.commit(&shares[0], &mut OsRng)?;
//! let (others, other) = signer.commit(&shares[2], &mut OsRng)?;
//! let list = [commitment, other];
//! let signed = [
//!     signer.sign(&shares[0], nonces, &list, b"message")?,
//!     signer.sign(&shares[2], others, &list, b"message")?,
//! ];
//! let coordinator = group.suite().ceremony();
//! let signature = coordinator.aggregate(&group, &list, &signed, b"message")?;
//! coordinator.verify(&group, b"message", &signature)?;
//! # Ok::<(), muster_threshold::frost::ceremony::StepError>(())
//! ```
//!
//! The code of the seven suites is compiled once, here: users of a [`Ceremony`] compile none of it.

mod generation;
mod measuring;
mod parcels;
mod refreshing;
mod repairing;
mod signing;

use std::{collections::BTreeMap, fmt};

use super::{
    files::{FieldError, Parcel},
    identifier, unique, FrostError, Identifier, Suite, SuiteName,
};

pub use measuring::Times;

/// The steps of all participants in one suite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ceremony(SuiteName);

impl SuiteName {
    /// The suite's steps.
    pub fn ceremony(self) -> Ceremony {
        Ceremony(self)
    }
}

/// One of a step's documents: the name of its parameter, and its place if there are several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Input {
    /// The parameter's name.
    pub name: &'static str,
    /// The place in it, from 0.
    pub place: usize,
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]", self.name, self.place)
    }
}

/// Why a step cannot be done.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StepError {
    /// A field of a document is not what it should be.
    #[error("{input}: {field}")]
    Field {
        /// The document.
        input: Input,
        /// The field, and what is wrong with it.
        field: FieldError,
    },
    /// A rule of the protocol is broken, and by whom.
    #[error(transparent)]
    Frost(#[from] FrostError),
}

/// The only document of a parameter, decoded.
fn one<T>(name: &'static str, decoded: Result<T, FieldError>) -> Result<T, StepError> {
    decoded.map_err(|field| StepError::Field { input: Input { name, place: 0 }, field })
}

/// All documents of a parameter, decoded, by participant.
fn by_participant<C: Suite, F, T>(
    name: &'static str,
    files: &[F],
    mut decode: impl FnMut(&F) -> Result<(Identifier<C>, T), FieldError>,
) -> Result<BTreeMap<Identifier<C>, T>, StepError> {
    let decode = |(place, file)| {
        decode(file).map_err(|field| StepError::Field { input: Input { name, place }, field })
    };
    Ok(unique(files.iter().enumerate().map(decode).collect::<Result<Vec<_>, _>>()?)?)
}

fn identifiers<C: Suite>(numbers: &[u16]) -> Result<Vec<Identifier<C>>, FrostError> {
    numbers.iter().map(|number| identifier(*number)).collect()
}

/// What a member publishes in its first step, and what it keeps.
#[derive(Clone, Debug)]
pub struct Committed {
    /// For everybody.
    pub commitment: Parcel,
    /// For the second step, and secret.
    pub secret: Parcel,
}

/// What a member sends in its second step, and what it keeps.
#[derive(Clone, Debug)]
pub struct Shared {
    /// One for each other member, in secret.
    pub shares: Vec<Parcel>,
    /// For the last step, and secret.
    pub state: Parcel,
}
