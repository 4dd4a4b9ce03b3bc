//! The points at which signers hold their shares.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use super::Error;

/// The points of a committee's shares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Identities {
    /// Signer i at i: what most tools use.
    #[default]
    Consecutive,
    /// Signer i at ω^(i−1), with ω a root of unity whose order is the least power of two that holds
    /// all signers. Aggregation is faster.
    RootsOfUnity,
}

impl Identities {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Consecutive, Self::RootsOfUnity];

    /// The name on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Consecutive => "consecutive",
            Self::RootsOfUnity => "roots-of-unity",
        }
    }
}

impl fmt::Display for Identities {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

impl FromStr for Identities {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        let found = Self::ALL.into_iter().find(|identities| identities.name() == name);
        found.ok_or_else(|| Error::UnknownName {
            name: name.to_owned(),
            known: "consecutive, roots-of-unity",
        })
    }
}
