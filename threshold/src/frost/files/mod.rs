//! What participants keep and send each other, as documents that serde writes: one for each
//! participant and step. Each names its suite; points, scalars and signatures are in the suite's
//! own encoding, in `0x` hex.
//!
//! Reading a document checks nothing of what it says. That is done by decoding it, which a
//! [`Ceremony`](super::ceremony::Ceremony) does; [`FieldError`] names the field.

mod keys;
mod parcel;
mod rounds;

use std::{borrow::Cow, fmt};

use serde::{de::Error as _, Deserialize, Deserializer, Serialize, Serializer};
use zeroize::Zeroizing;

use super::{identifier, FrostError, Identifier, Signer, Suite, SuiteName};

pub use keys::{GroupFile, ShareFile};
pub use parcel::{Kind, Parcel, Repair};
pub use rounds::{CommitmentFile, NoncesFile, SignatureFile, SignatureShareFile};

/// What is wrong with a field of a document.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{at}: {reason}")]
pub struct FieldError {
    /// The field.
    pub at: String,
    /// What is wrong with it.
    pub reason: String,
}

impl FieldError {
    pub(crate) fn new(at: impl Into<String>, reason: impl fmt::Display) -> Self {
        Self { at: at.into(), reason: reason.to_string() }
    }
}

/// A document of a suite.
pub trait Document: Serialize + for<'a> Deserialize<'a> {
    /// The suite that it belongs to.
    fn suite(&self) -> SuiteName;

    /// Whether only its owner, or its receiver, may see it.
    fn is_secret(&self) -> bool;
}

/// Bytes as `0x` hex, wiped when dropped.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Hex(Zeroizing<Vec<u8>>);

impl Hex {
    /// These bytes.
    pub fn new(bytes: impl Into<Vec<u8>>) -> Self {
        Self(Zeroizing::new(bytes.into()))
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}

/// The bytes may be secret.
impl fmt::Debug for Hex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Hex(..)")
    }
}

impl Serialize for Hex {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        // Digit by digit into a string with the right capacity, so that no copy but the text is
        // left.
        let mut text = Zeroizing::new(String::with_capacity(2 + 2 * self.0.len()));
        text.push_str("0x");
        let digit = |digit: u8| char::from_digit(digit.into(), 16).unwrap_or_default();
        text.extend(self.0.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]));
        to.serialize_str(&text)
    }
}

impl<'de> Deserialize<'de> for Hex {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = Cow::<str>::deserialize(from)?;
        let digits = text.strip_prefix("0x").ok_or("hex starts with 0x".to_owned());
        let bytes = digits.and_then(|digits| {
            hex::decode(digits).map_err(|error| error.to_string().to_lowercase())
        });
        // With an escape in it, the text is an owned copy.
        if let Cow::Owned(text) = text {
            drop(Zeroizing::new(text));
        }
        bytes.map(Self::new).map_err(D::Error::custom)
    }
}

/// A value of the suite, or an error that names the field.
fn field<C: Suite, T>(
    at: impl Into<String>,
    value: Result<T, frost_core::Error<C>>,
) -> Result<T, FieldError> {
    value.map_err(|error| FieldError::new(at, FrostError::from(error)))
}

/// The participant with this number, in the field `at`.
fn member<C: Suite>(at: impl Into<String>, number: u16) -> Result<Identifier<C>, FieldError> {
    identifier(number).map_err(|error| FieldError::new(at, error))
}

/// Refuses documents of another suite, even if their points are the same.
fn check_suite<C: Suite>(suite: SuiteName) -> Result<(), FieldError> {
    let other = || FieldError::new("suite", format!("{suite}, not {}", C::NAME));
    (suite == C::NAME).then_some(()).ok_or_else(other)
}

/// The number of a participant.
pub(super) fn number<C: Suite>(identifier: &Identifier<C>) -> Result<u16, FrostError> {
    match Signer::of(identifier) {
        Signer::Number(number) => Ok(number),
        other => Err(FrostError::NoNumber(other)),
    }
}
