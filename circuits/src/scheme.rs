//! The signature schemes that circuits exist for.

use std::{fmt, str::FromStr};

use muster_gadgets::{
    curve::weierstrass::Curve,
    membership::PublicKey,
    signature::{
        bip340::Bip340,
        ecdsa::{EcdsaP256, EcdsaSecp256k1},
        eddsa::Eddsa,
        musig::Musig,
        schnorr::Schnorr,
        Description, SignatureScheme,
    },
};
use serde::{Deserialize, Serialize};

use crate::{Error, KeyKind, Rule, MESSAGE, MESSAGE_LOW};

/// A signature scheme, by the name that files and the command line use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Scheme {
    /// Key-prefixed Schnorr signatures, each made alone.
    #[serde(rename = "schnorr-babyjubjub")]
    Schnorr,
    /// circomlib's EdDSA-Poseidon.
    #[serde(rename = "eddsa-babyjubjub")]
    Eddsa,
    /// MuSig2: the signers make one signature together.
    #[serde(rename = "musig-babyjubjub")]
    Musig,
    /// ECDSA as Bitcoin and Ethereum have it.
    #[serde(rename = "ecdsa-secp256k1")]
    EcdsaSecp256k1,
    /// ECDSA over NIST's curve P-256.
    #[serde(rename = "ecdsa-p256")]
    EcdsaP256,
    /// BIP-340.
    #[serde(rename = "schnorr-secp256k1")]
    SchnorrSecp256k1,
}

/// A scheme with nothing left open, by the circuit that is filled for it. Code that does one thing
/// for one scheme and another for the next matches this, so that a new scheme is asked for
/// everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    /// Over the curve whose coordinates are elements of the circuit's field.
    Embedded(Embedded),
    /// Over a curve of another field.
    Foreign(Foreign),
}

/// A scheme over Baby Jubjub.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Embedded {
    Schnorr,
    Eddsa,
    Musig,
}

/// A scheme over a curve of another field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Foreign {
    Ecdsa { curve: Curve, rule: Rule },
    Bip340,
}

impl Foreign {
    /// The curve of its keys.
    pub(crate) fn curve(self) -> Curve {
        match self {
            Self::Ecdsa { curve, .. } => curve,
            Self::Bip340 => Curve::Secp256k1,
        }
    }

    /// The rule on s, if there is a choice of it.
    fn rule(self) -> Option<Rule> {
        match self {
            Self::Ecdsa { rule, .. } => Some(rule),
            Self::Bip340 => None,
        }
    }
}

impl Scheme {
    /// All schemes.
    pub const ALL: [Self; 6] = [
        Self::Schnorr,
        Self::Eddsa,
        Self::Musig,
        Self::EcdsaSecp256k1,
        Self::EcdsaP256,
        Self::SchnorrSecp256k1,
    ];
    /// Schemes over the curve whose coordinates are elements of the circuit's field.
    pub const EMBEDDED: [Self; 3] = [Self::Schnorr, Self::Eddsa, Self::Musig];
    /// Schemes over curves of other fields, with 32-byte messages.
    pub const FOREIGN: [Self; 3] = [Self::EcdsaSecp256k1, Self::EcdsaP256, Self::SchnorrSecp256k1];

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Schnorr => Schnorr::NAME,
            Self::Eddsa => Eddsa::NAME,
            Self::Musig => Musig::NAME,
            Self::EcdsaSecp256k1 => EcdsaSecp256k1::NAME,
            Self::EcdsaP256 => EcdsaP256::NAME,
            Self::SchnorrSecp256k1 => Bip340::NAME,
        }
    }

    /// The scheme in words.
    pub fn description(self) -> Description {
        match self {
            Self::Schnorr => Schnorr::description(),
            Self::Eddsa => Eddsa::description(),
            Self::Musig => Musig::description(),
            Self::EcdsaSecp256k1 => EcdsaSecp256k1::description(),
            Self::EcdsaP256 => EcdsaP256::description(),
            Self::SchnorrSecp256k1 => Bip340::description(),
        }
    }

    /// The scheme with the rule on s that is asked for, or else its own; one without such a choice
    /// is what it is.
    pub(crate) fn family(self, rule: Option<Rule>) -> Family {
        let ecdsa = |curve, own| {
            let rule = rule.unwrap_or(own);
            Family::Foreign(Foreign::Ecdsa { curve, rule })
        };
        match self {
            Self::Schnorr => Family::Embedded(Embedded::Schnorr),
            Self::Eddsa => Family::Embedded(Embedded::Eddsa),
            Self::Musig => Family::Embedded(Embedded::Musig),
            Self::EcdsaSecp256k1 => ecdsa(EcdsaSecp256k1::CURVE, EcdsaSecp256k1::RULE),
            Self::EcdsaP256 => ecdsa(EcdsaP256::CURVE, EcdsaP256::RULE),
            Self::SchnorrSecp256k1 => Family::Foreign(Foreign::Bip340),
        }
    }

    /// The scheme among those over curves of other fields, if it is one of them.
    fn foreign(self) -> Option<Foreign> {
        match self.family(None) {
            Family::Embedded(_) => None,
            Family::Foreign(foreign) => Some(foreign),
        }
    }

    /// Whether the signers make one signature together.
    pub fn is_aggregate(self) -> bool {
        match self.family(None) {
            Family::Embedded(Embedded::Musig) => true,
            Family::Embedded(Embedded::Schnorr | Embedded::Eddsa) => false,
            Family::Foreign(Foreign::Ecdsa { .. } | Foreign::Bip340) => false,
        }
    }

    /// Whether its curve is that of another field: messages are digests, and signers bring paths.
    pub fn is_foreign(self) -> bool {
        self.foreign().is_some()
    }

    /// The curve of its keys, if it is that of another field.
    pub fn curve(self) -> Option<Curve> {
        self.foreign().map(Foreign::curve)
    }

    /// Number of public inputs.
    pub fn public_inputs(self) -> usize {
        1 + if self.is_foreign() { MESSAGE_LOW } else { MESSAGE }
    }

    /// Whether the members of a set can be named as `keys` says.
    pub fn names_members_by(self, keys: KeyKind) -> bool {
        match (keys, self) {
            (KeyKind::Coordinates, _) => true,
            (KeyKind::Address, Self::EcdsaSecp256k1) => EcdsaSecp256k1::ADDRESSES,
            (KeyKind::Address, Self::EcdsaP256) => EcdsaP256::ADDRESSES,
            (KeyKind::Address, Self::Schnorr | Self::Eddsa | Self::Musig) => false,
            (KeyKind::Address, Self::SchnorrSecp256k1) => false,
        }
    }

    /// Whether a set whose members are named as `keys` says may hold `key`.
    pub fn admits(self, keys: KeyKind, key: &PublicKey) -> bool {
        match (keys, key, self.foreign()) {
            (KeyKind::Coordinates, PublicKey::BabyJubjub(_), foreign) => foreign.is_none(),
            (KeyKind::Coordinates, PublicKey::Weierstrass(point), Some(foreign)) => {
                let parity = match foreign {
                    Foreign::Ecdsa { .. } => true,
                    // BIP-340 keys have even y.
                    Foreign::Bip340 => !point.is_odd(),
                };
                foreign.curve() == point.curve() && parity
            }
            (KeyKind::Address, PublicKey::Address(_), _) => self.names_members_by(keys),
            (KeyKind::Coordinates, PublicKey::Weierstrass(_), None)
            | (KeyKind::Coordinates, PublicKey::Address(_), _)
            | (KeyKind::Address, PublicKey::BabyJubjub(_) | PublicKey::Weierstrass(_), _) => false,
        }
    }

    /// The rule on s unless one is asked for; `None` for a scheme without such a choice.
    pub fn default_rule(self) -> Option<Rule> {
        self.foreign().and_then(Foreign::rule)
    }
}

impl fmt::Display for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Scheme {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        let scheme = Self::ALL.into_iter().find(|scheme| scheme.name() == name);
        scheme.ok_or_else(|| Error::UnknownScheme(name.to_owned()))
    }
}
