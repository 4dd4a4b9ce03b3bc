//! What a scheme may leave open: the names of members, and the rule.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How a set names its members.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum KeyKind {
    /// By the coordinates of their keys.
    #[default]
    Coordinates,
    /// By Ethereum addresses.
    Address,
}

impl KeyKind {
    /// Whether it is by coordinates.
    pub fn is_coordinates(&self) -> bool {
        *self == Self::Coordinates
    }
}

impl fmt::Display for KeyKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Coordinates => "coordinates",
            Self::Address => "address",
        })
    }
}

/// Which of the two ECDSA signatures (r, s) and (r, n - s) is accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// Only the one whose s is at most n/2, as in Bitcoin (BIP-146) and Ethereum (EIP-2).
    LowS,
    /// Both, as in the standards.
    AnyS,
}

impl Rule {
    /// All rules.
    pub const ALL: [Self; 2] = [Self::LowS, Self::AnyS];

    /// The name of the rule in files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::LowS => "low-s",
            Self::AnyS => "any-s",
        }
    }

    pub(super) fn words(self) -> &'static str {
        match self {
            Self::LowS => "s at most n/2",
            Self::AnyS => "any s",
        }
    }
}
