//! How bytes become the point that is signed.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{decimal, hash::to_curve::Tag};

/// How bytes are hashed to the point that is signed, where a scheme leaves a choice. Part of a shape, since it is a
/// constant of the circuit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum PointHash {
    /// As in RFC 9380, with the tag of signers who prove possession of their keys (`…_POP_`).
    #[default]
    Proven,
    /// The same with the tag of the basic scheme (`…_NUL_`).
    Basic,
    /// The same with a tag of the caller's.
    Tagged(HashTag),
    /// As in RFC 9380 with a tag of the caller's, and with Keccak-256 in place of SHA-256.
    Keccak(HashTag),
    /// The search of EigenLayer's contracts (`BN254.hashToG1`): the first point from the 32 bytes on, as a number.
    Search {
        /// How many numbers a circuit tries; one message in `2^most` has no proof.
        most: usize,
    },
}

/// Most characters of a tag that a caller names (RFC 9380 section 3.1): those in use have 40 to 60.
pub const MAX_HASH_TAG: usize = 95;

/// A tag of visible characters of ASCII, as all in use are, so that it has one text.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct HashTag {
    /// Zeros stand behind the last character.
    bytes: [u8; MAX_HASH_TAG],
    length: u8,
}

impl HashTag {
    /// The tag of this text; `None` if it has no characters, too many, or others than visible ones of ASCII.
    pub fn new(text: &str) -> Option<Self> {
        let (found, mut bytes) = (text.as_bytes(), [0; MAX_HASH_TAG]);
        if found.is_empty() || !found.iter().all(u8::is_ascii_graphic) {
            return None;
        }
        bytes.get_mut(..found.len())?.copy_from_slice(found);
        Some(Self { bytes, length: u8::try_from(found.len()).ok()? })
    }

    /// Its bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.length.into()]
    }

    /// As hashes take it.
    pub fn tag(&self) -> Tag<'_> {
        Tag::new(self.bytes()).expect("it has 1 to MAX_HASH_TAG bytes")
    }
}

impl fmt::Display for HashTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&String::from_utf8_lossy(self.bytes()))
    }
}

impl fmt::Debug for HashTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "HashTag({self})")
    }
}

/// The most numbers that a circuit tries.
pub const MAX_CANDIDATES: usize = 256;

/// A message whose point a circuit does not find.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the first candidate from the message on that gives a point comes after {passed} others, but the circuit tries only {most}")]
pub struct FarPoint {
    /// How many numbers have no point.
    pub passed: usize,
    /// How many the circuit tries.
    pub most: usize,
}

/// Name of the search.
const SEARCH: &str = "try-and-increment";
/// Name of a hash with a tag of the caller's.
const TAGGED: &str = "tag";
/// Name of the same over Keccak-256.
const KECCAK: &str = "keccak";

/// A text that names no hash to a curve.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown hash to a curve {0:?}: expected pop, nul, tag:TAG or keccak:TAG with a tag of 1 to {MAX_HASH_TAG} visible characters of ASCII, or try-and-increment:N for N candidates, N from 1 to {MAX_CANDIDATES}")]
pub struct UnknownHash(String);

impl PointHash {
    /// Whether it is the one that schemes have by default.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

impl fmt::Display for PointHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Proven => f.write_str("pop"),
            Self::Basic => f.write_str("nul"),
            Self::Tagged(tag) => write!(f, "{TAGGED}:{tag}"),
            Self::Keccak(tag) => write!(f, "{KECCAK}:{tag}"),
            Self::Search { most } => write!(f, "{SEARCH}:{most}"),
        }
    }
}

impl FromStr for PointHash {
    type Err = UnknownHash;

    fn from_str(text: &str) -> Result<Self, UnknownHash> {
        let unknown = || UnknownHash(text.to_owned());
        let tag = |tag| HashTag::new(tag).ok_or_else(unknown);
        Ok(match text.split_once(':') {
            None if text == "pop" => Self::Proven,
            None if text == "nul" => Self::Basic,
            Some((TAGGED, text)) => Self::Tagged(tag(text)?),
            Some((KECCAK, text)) => Self::Keccak(tag(text)?),
            Some((SEARCH, most)) => {
                let most = decimal::read(most).map_err(|_| unknown())?;
                let is_bounded = (1..=MAX_CANDIDATES).contains(&most);
                Self::Search { most: is_bounded.then_some(most).ok_or_else(unknown)? }
            }
            _ => return Err(unknown()),
        })
    }
}

impl From<PointHash> for String {
    fn from(hash: PointHash) -> Self {
        hash.to_string()
    }
}

impl TryFrom<String> for PointHash {
    type Error = UnknownHash;

    fn try_from(text: String) -> Result<Self, UnknownHash> {
        text.parse()
    }
}

#[cfg(test)]
mod tests;
