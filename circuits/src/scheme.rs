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
        SignatureScheme,
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

    /// Whether the signers make one signature together.
    pub fn is_aggregate(self) -> bool {
        self == Self::Musig
    }

    /// Whether its curve is that of another field: messages are digests, and signers bring paths.
    pub fn is_foreign(self) -> bool {
        self.curve().is_some()
    }

    /// The curve of its keys, if it is that of another field.
    pub fn curve(self) -> Option<Curve> {
        match self {
            Self::EcdsaSecp256k1 | Self::SchnorrSecp256k1 => Some(Curve::Secp256k1),
            Self::EcdsaP256 => Some(Curve::P256),
            _ => None,
        }
    }

    /// Number of public inputs.
    pub fn public_inputs(self) -> usize {
        1 + if self.is_foreign() { MESSAGE_LOW } else { MESSAGE }
    }

    /// Whether the members of a set can be named as `keys` says.
    pub fn names_members_by(self, keys: KeyKind) -> bool {
        keys == KeyKind::Coordinates || self == Self::EcdsaSecp256k1
    }

    /// Whether a set whose members are named as `keys` says may hold `key`.
    pub fn admits(self, keys: KeyKind, key: &PublicKey) -> bool {
        match key {
            PublicKey::BabyJubjub(_) => !self.is_foreign(),
            PublicKey::Weierstrass(point) => {
                // BIP-340 keys have even y.
                let odd = self == Self::SchnorrSecp256k1 && point.is_odd();
                keys.is_coordinates() && self.curve() == Some(point.curve()) && !odd
            }
            PublicKey::Address(_) => !keys.is_coordinates() && self.names_members_by(keys),
        }
    }

    /// The rule on s unless one is asked for; `None` for a scheme without such a choice.
    pub fn default_rule(self) -> Option<Rule> {
        match self {
            Self::EcdsaSecp256k1 => Some(Rule::LowS),
            Self::EcdsaP256 => Some(Rule::AnyS),
            _ => None,
        }
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
