//! What all steps have in common: their documents, and why a step cannot be done.

use std::{collections::BTreeMap, fmt};

use crate::frost::{
    files::{FieldError, Parcel},
    identifier, unique, FrostError, Identifier, Suite,
};

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
pub(super) fn one<T>(name: &'static str, decoded: Result<T, FieldError>) -> Result<T, StepError> {
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
pub(super) fn by_participant<C: Suite, F, T>(
    name: &'static str,
    files: &[F],
    decode: impl FnMut(&F) -> Result<(Identifier<C>, T), FieldError>,
) -> Result<BTreeMap<Identifier<C>, T>, StepError> {
    Ok(unique(all(name, files, decode)?)?)
}

pub(super) fn identifiers<C: Suite>(numbers: &[u16]) -> Result<Vec<Identifier<C>>, FrostError> {
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
