//! Choices that a scheme may leave open: how members are named, and the rule.

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

/// Which signatures count where implementations differ. A scheme lists its rules in
/// [`SignatureScheme::RULES`](super::SignatureScheme::RULES); for any other rule, its checks apply the narrowest
/// of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// ECDSA: of (r, s) and (r, n - s) only the one whose s is at most n/2, as in Bitcoin (BIP-146)
    /// and Ethereum (EIP-2).
    LowS,
    /// ECDSA: both, as in the standards.
    AnyS,
    /// Ed25519: the equation times the cofactor, for any encoding of a point (ZIP 215).
    Zip215,
    /// Ed25519: the equation times the cofactor, for canonical encodings (RFC 8032, section 5.1.7).
    Rfc8032,
    /// Ed25519: the equation itself, for canonical encodings of points that are not of small order:
    /// `verify_strict` of the crate `ed25519-dalek`.
    Strict,
    /// BLS: keys whose owners have proven that they know the secrets.
    ProvenKeys,
    /// BLS: any keys. A rogue key, made up from the keys of others, signs for all of them, so whoever commits to a
    /// set must know by other means that it has none.
    TrustedKeys,
}

impl Rule {
    /// All rules.
    pub const ALL: [Self; 7] = [
        Self::LowS,
        Self::AnyS,
        Self::Zip215,
        Self::Rfc8032,
        Self::Strict,
        Self::ProvenKeys,
        Self::TrustedKeys,
    ];

    /// The name of the rule in files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::LowS => "low-s",
            Self::AnyS => "any-s",
            Self::Zip215 => "zip215",
            Self::Rfc8032 => "rfc8032",
            Self::Strict => "strict",
            Self::ProvenKeys => "proven-keys",
            Self::TrustedKeys => "trusted-keys",
        }
    }

    pub(super) fn words(self) -> &'static str {
        match self {
            Self::LowS => "s at most n/2",
            Self::AnyS => "any s",
            Self::Zip215 => "8 times the equation, any encoding of R and A",
            Self::Rfc8032 => "8 times the equation, R and A canonical",
            Self::Strict => {
                "the equation itself, R and A canonical, R not of small order, A in the subgroup of \
                 order l"
            }
            Self::ProvenKeys => "each key with a proof of possession",
            Self::TrustedKeys => "keys without proofs of possession, on the word of whoever lists them",
        }
    }
}
