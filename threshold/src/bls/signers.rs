//! Sets of signers, and the points at which they hold their shares.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use super::Error;

/// The most signers of a committee: roots of unity of that order exist, and no index overflows.
pub const MOST_SIGNERS: usize = 1 << 24;

/// Different signers of a committee, in ascending order. Each index is within 1..=n: none of them is
/// the point of the secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signers {
    indices: Vec<u32>,
    committee: usize,
}

impl Signers {
    /// Signers of a committee of `committee`, in any order.
    ///
    /// # Errors
    ///
    /// [`Error::CommitteeSize`], [`Error::NoSigners`], [`Error::ZeroIndex`], [`Error::UnknownIndex`] or
    /// [`Error::DuplicateIndex`].
    pub fn new(mut indices: Vec<u32>, committee: usize) -> Result<Self, Error> {
        if !(1..=MOST_SIGNERS).contains(&committee) {
            return Err(Error::CommitteeSize { signers: committee });
        }
        indices.sort_unstable();
        let (Some(first), Some(last)) = (indices.first(), indices.last()) else {
            return Err(Error::NoSigners);
        };
        if *first == 0 {
            return Err(Error::ZeroIndex);
        }
        if *last as usize > committee {
            return Err(Error::UnknownIndex { index: *last, signers: committee });
        }
        if let Some(pair) = indices.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(Error::DuplicateIndex { index: pair[0] });
        }
        Ok(Self { indices, committee })
    }

    /// Their indices, ascending.
    pub fn indices(&self) -> &[u32] {
        &self.indices
    }

    /// How many there are, at least one.
    pub fn count(&self) -> usize {
        self.indices.len()
    }

    /// Size of their committee.
    pub fn committee(&self) -> usize {
        self.committee
    }
}

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
