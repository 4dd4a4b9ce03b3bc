//! Ceremonies over documents: every step of a participant, in whichever suite its documents are of.
//!
//! The functions of this crate are generic over the suite. A program that learns the suite when it runs
//! takes a [`Ceremony`] from its name and passes documents ([`files`](super::files)) in and out:
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
//! The code of the seven suites is made here, once: whoever goes by the trait's object compiles none of it.

mod dealing;
mod generation;
mod measuring;
mod refreshing;
mod repairing;
mod signing;

use std::{collections::BTreeMap, fmt, marker::PhantomData};

pub use dealing::Dealing;
pub use generation::Generation;
pub use measuring::{Measuring, Times};
pub use refreshing::Refreshing;
pub use repairing::Repairing;
pub use signing::Signing;

use super::{
    files::{FieldError, Parcel},
    identifier, unique, FrostError, Identifier, Suite, SuiteName, SuiteVisitor,
};

/// Every step of every participant.
pub trait Ceremony: Dealing + Generation + Refreshing + Repairing + Signing + Measuring {}

/// The ceremony of a suite.
struct In<C>(PhantomData<fn() -> C>);

impl<C: Suite> Ceremony for In<C> {}

impl SuiteName {
    /// The suite's steps.
    pub fn ceremony(self) -> &'static dyn Ceremony {
        struct Make;
        impl SuiteVisitor for Make {
            type Output = &'static dyn Ceremony;

            fn visit<C: Suite>(self) -> Self::Output {
                const { &In::<C>(PhantomData) }
            }
        }
        self.visit(Make)
    }
}

/// One of a step's documents: the name of its parameter, and its place where there are several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Input {
    /// The parameter's name.
    pub name: &'static str,
    /// The place in it, from 0 on.
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

/// All documents of a parameter, decoded.
fn all<F, T>(
    name: &'static str,
    files: &[F],
    mut decode: impl FnMut(&F) -> Result<T, FieldError>,
) -> Result<Vec<T>, StepError> {
    let decode = |(place, file)| {
        decode(file).map_err(|field| StepError::Field { input: Input { name, place }, field })
    };
    files.iter().enumerate().map(decode).collect()
}

/// All documents of a parameter by participant.
fn by_participant<C: Suite, F, T>(
    name: &'static str,
    files: &[F],
    decode: impl FnMut(&F) -> Result<(Identifier<C>, T), FieldError>,
) -> Result<BTreeMap<Identifier<C>, T>, StepError> {
    Ok(unique(all(name, files, decode)?)?)
}

fn identifiers<C: Suite>(numbers: &[u16]) -> Result<Vec<Identifier<C>>, FrostError> {
    numbers.iter().map(|number| identifier(*number)).collect()
}

/// What a member publishes in its first step, and what it keeps.
#[derive(Clone, Debug)]
pub struct Committed {
    /// For everybody.
    pub commitment: Parcel,
    /// For the second step; nobody else's.
    pub secret: Parcel,
}

/// What a member sends in its second step, and what it keeps.
#[derive(Clone, Debug)]
pub struct Shared {
    /// For each other member alone.
    pub shares: Vec<Parcel>,
    /// For the last step; nobody else's.
    pub state: Parcel,
}
