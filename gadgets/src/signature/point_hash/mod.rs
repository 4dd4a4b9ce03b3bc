//! How bytes become the point that is signed.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// How bytes are hashed to the point that is signed, where a scheme has a choice of it. It is part of a shape, since it is a
/// constant of the circuit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum PointHash {
    /// As in RFC 9380, with the tag of signers who prove possession of their keys (`…_POP_`).
    #[default]
    Proven,
    /// The same with the tag of the basic scheme (`…_NUL_`).
    Basic,
}

/// A text that names no hash to a curve.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown hash to a curve {0:?}: pop or nul")]
pub struct UnknownHash(String);

impl PointHash {
    /// Whether it is the one that schemes have by default.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

impl fmt::Display for PointHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Proven => "pop",
            Self::Basic => "nul",
        })
    }
}

impl FromStr for PointHash {
    type Err = UnknownHash;

    fn from_str(text: &str) -> Result<Self, UnknownHash> {
        let all = [Self::Proven, Self::Basic];
        let found = all.into_iter().find(|hash| hash.to_string() == text);
        found.ok_or_else(|| UnknownHash(text.to_owned()))
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
