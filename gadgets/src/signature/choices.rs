//! Choices that a scheme may leave open.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::SignatureScheme;

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

/// A choice that a scheme does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoSuchChoice {
    /// Its members cannot be named so.
    Keys(KeyKind),
    /// It has no such rule.
    Rule(Rule),
}

/// Choices that a scheme has: how a set names its members, and the rule by which signatures are accepted.
/// The default ones are those that every scheme has: coordinates, and its own rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Choices {
    keys: KeyKind,
    rule: Option<Rule>,
}

impl Choices {
    /// The choices of the scheme `S`: its own rule where none is asked for.
    ///
    /// # Errors
    ///
    /// [`NoSuchChoice`].
    pub fn new<S: SignatureScheme>(
        keys: KeyKind,
        rule: Option<Rule>,
    ) -> Result<Self, NoSuchChoice> {
        if !S::KEY_KINDS.contains(&keys) {
            return Err(NoSuchChoice::Keys(keys));
        }
        match rule {
            Some(rule) if !S::RULES.contains(&rule) => Err(NoSuchChoice::Rule(rule)),
            Some(rule) => Ok(Self { keys, rule: Some(rule) }),
            None => Ok(Self { keys, rule: S::RULES.first().copied() }),
        }
    }

    /// How a set names its members.
    pub fn keys(&self) -> KeyKind {
        self.keys
    }

    /// The rule; `None` for the scheme's own, or for the one way in which it accepts signatures.
    pub fn rule(&self) -> Option<Rule> {
        self.rule
    }
}
