//! The files of a FROST ceremony: one for each participant and step. All of them name their suite;
//! points, scalars and signatures are in the suite's own encoding, in `0x` hex.

mod keys;
mod parcel;
mod rounds;

use std::{borrow::Cow, fmt, io::Write, path::Path};

use muster_threshold::frost::{frost_core, FrostError, Identifier, Signer, Suite, SuiteName};
use serde::{de::Error as _, Deserialize, Deserializer, Serialize, Serializer};
use zeroize::Zeroizing;

pub use keys::{GroupFile, ShareFile};
pub use parcel::{Kind, Parcel};
pub use rounds::{CommitmentFile, NoncesFile, SignatureShareFile};

use crate::{encoding, input, output::Output, Error};

/// Greatest length of a file: a group of 2^16 members.
const LIMIT: u64 = 1 << 26;

/// A file of one suite.
#[derive(Deserialize)]
struct AnyFile {
    suite: SuiteName,
}

/// The suite that a file is of.
///
/// # Errors
///
/// [`Error::Field`] naming the field, or what reading a file may give.
pub fn suite_of(path: &Path) -> Result<SuiteName, Error> {
    let bytes = Zeroizing::new(input::read(path, LIMIT)?);
    input::parse::<AnyFile>(path, &bytes).map(|file| file.suite)
}

/// Reads a file of the suite `C`. What was read is wiped, since it may be secret.
fn read<C: Suite, T: for<'a> Deserialize<'a>>(path: &Path) -> Result<T, Error> {
    let bytes = Zeroizing::new(input::read(path, LIMIT)?);
    let suite = input::parse::<AnyFile>(path, &bytes)?.suite;
    if suite != C::NAME {
        return Err(Error::field(path, "suite", format!("{suite}, not {}", C::NAME)));
    }
    input::parse(path, &bytes)
}

/// Writes a file that anybody may read.
pub(crate) fn write(
    output: &mut Output,
    name: &str,
    content: &impl Serialize,
) -> Result<(), Error> {
    output.write(name, |file| {
        serde_json::to_writer_pretty(&mut *file, content)?;
        file.write_all(b"\n")
    })
}

/// Writes a file that only its owner may read.
pub(crate) fn write_secret(
    output: &mut Output,
    name: &str,
    content: &impl Serialize,
) -> Result<(), Error> {
    output.write_secret(name, |file| {
        serde_json::to_writer_pretty(&mut *file, content)?;
        file.write_all(b"\n")
    })
}

/// Bytes as `0x` hex, wiped when dropped.
#[derive(Clone, Default)]
struct Hex(Zeroizing<Vec<u8>>);

impl Hex {
    fn new(bytes: impl Into<Vec<u8>>) -> Self {
        Self(Zeroizing::new(bytes.into()))
    }
}

impl fmt::Debug for Hex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Hex(..)")
    }
}

impl Serialize for Hex {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&Zeroizing::new(encoding::to_hex(&self.0)))
    }
}

impl<'de> Deserialize<'de> for Hex {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = Cow::<str>::deserialize(from)?;
        let bytes = encoding::from_hex(&text).map(Self::new);
        // An escape in the text makes it a copy.
        if let Cow::Owned(text) = text {
            drop(Zeroizing::new(text));
        }
        bytes.map_err(D::Error::custom)
    }
}

/// A value of the suite, or the field that is none.
fn field<C: Suite, T>(
    path: &Path,
    at: impl fmt::Display,
    value: Result<T, frost_core::Error<C>>,
) -> Result<T, Error> {
    value.map_err(|error| Error::field(path, at.to_string(), FrostError::from(error)))
}

/// The participant with this number, in the field `at`.
fn member<C: Suite>(
    path: &Path,
    at: impl fmt::Display,
    number: u16,
) -> Result<Identifier<C>, Error> {
    let identifier = muster_threshold::frost::identifier(number);
    identifier.map_err(|error| Error::field(path, at.to_string(), error))
}

/// The number of a participant.
///
/// # Errors
///
/// [`Error::Usage`] for an identifier that is no number below 2^16.
pub(crate) fn number<C: Suite>(identifier: &Identifier<C>) -> Result<u16, Error> {
    match Signer::of(identifier) {
        Signer::Number(number) => Ok(number),
        other => Err(Error::Usage(format!("participant {other} has no number"))),
    }
}
