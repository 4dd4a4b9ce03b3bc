//! The signature schemes that circuits exist for.

use std::{fmt, str::FromStr};

use muster_gadgets::signature::{eddsa::Eddsa, musig::Musig, schnorr::Schnorr, SignatureScheme};
use serde::{Deserialize, Serialize};

use crate::Error;

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
}

impl Scheme {
    /// All schemes.
    pub const ALL: [Self; 3] = [Self::Schnorr, Self::Eddsa, Self::Musig];

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Schnorr => Schnorr::NAME,
            Self::Eddsa => Eddsa::NAME,
            Self::Musig => Musig::NAME,
        }
    }

    /// Whether the signers make one signature together.
    pub fn is_aggregate(self) -> bool {
        self == Self::Musig
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
