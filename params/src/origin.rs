//! Where an SRS comes from: a file of a format, or this machine.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Where an SRS comes from.
///
/// In JSON: `{"kind": "ceremony", "format": "snarkjs-ptau", "file": {"name": "…", "sha256":
/// "0x…"}}`, with `"g2_file"` as well for the two-file format, or `{"kind": "insecure"}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", try_from = "RawOrigin")]
#[non_exhaustive]
pub enum Origin {
    /// Imported from a file that its user took from a ceremony. The importer has shown that the
    /// file is a well-formed SRS; comparing the hash with the one that the ceremony published shows
    /// that the ceremony made it. No ceremony publishes files of [`Format::Muster`].
    Ceremony {
        /// Format of the file.
        format: Format,
        /// The file; for [`Format::GnarkPoint`] the one with the G1 powers.
        file: SourceFile,
        /// The file with τ in G2, for [`Format::GnarkPoint`].
        #[serde(default, skip_serializing_if = "Option::is_none")]
        g2_file: Option<SourceFile>,
    },
    /// Made by [`Srs::insecure`](crate::Srs::insecure).
    Insecure,
}

/// An origin as JSON has it. A list is not taken for it, as serde takes one for an enum that a field tells apart.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawOrigin {
    kind: Kind,
    format: Option<Format>,
    file: Option<SourceFile>,
    g2_file: Option<SourceFile>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    Ceremony,
    Insecure,
}

impl TryFrom<RawOrigin> for Origin {
    type Error = &'static str;

    fn try_from(raw: RawOrigin) -> Result<Self, &'static str> {
        match raw {
            RawOrigin { kind: Kind::Ceremony, format: None, .. } => Err("missing field `format`"),
            RawOrigin { kind: Kind::Ceremony, file: None, .. } => Err("missing field `file`"),
            RawOrigin { kind: Kind::Ceremony, format: Some(format), file: Some(file), g2_file } => {
                Ok(Self::Ceremony { format, file, g2_file })
            }
            RawOrigin { kind: Kind::Insecure, format: None, file: None, g2_file: None } => {
                Ok(Self::Insecure)
            }
            RawOrigin { kind: Kind::Insecure, .. } => Err("an insecure SRS is from no file"),
        }
    }
}

/// A file that an SRS was read from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceFile {
    /// File name without directories.
    pub name: String,
    /// SHA-256 of the whole file; `0x` hex in JSON.
    #[serde(with = "hex32")]
    pub sha256: [u8; 32],
}

impl Origin {
    /// The origin of an import from one file.
    pub(crate) fn one_file(format: Format, file: SourceFile) -> Self {
        Self::Ceremony { format, file, g2_file: None }
    }

    /// Whether it is a file of muster's own, so that only the file itself says that there was a ceremony: print
    /// [`CLAIMED_WARNING`](crate::CLAIMED_WARNING).
    pub fn is_claimed(&self) -> bool {
        matches!(self, Self::Ceremony { format: Format::Muster, .. })
    }
}

/// Format and names. No hashes: a reader would compare them, and whoever wrote the origin may not have computed them.
impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Insecure => f.write_str("one machine, not a ceremony"),
            Self::Ceremony { format, file, g2_file: None } => {
                write!(f, "{format} {:?}", file.name)
            }
            Self::Ceremony { format, file, g2_file: Some(g2) } => {
                write!(f, "{format} {:?} with {:?}", file.name, g2.name)
            }
        }
    }
}

/// A file format that holds an SRS.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Format {
    /// halo2's `SerdeFormat::RawBytes`, also published as `hermez-raw-<k>`. See [`raw`](crate::import::raw()).
    Halo2Raw,
    /// gnark's and EigenDA's compressed `.point` files, one for G1 and one for G2. See
    /// [`point`](crate::import::point()).
    GnarkPoint,
    /// snarkjs' `.ptau`. See [`ptau`](crate::import::ptau()).
    SnarkjsPtau,
    /// A file of [`crate::SrsCache`]. What it says about its own origin is believed only in the cache; the origin of an
    /// import is this file, whatever it claims.
    Muster,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Halo2Raw => "halo2-raw",
            Self::GnarkPoint => "gnark-point",
            Self::SnarkjsPtau => "snarkjs-ptau",
            Self::Muster => "muster",
        })
    }
}

/// 32 bytes as `0x` hex.
pub(crate) mod hex32 {
    use serde::{de::Error, Deserialize, Deserializer, Serializer};

    pub(crate) fn serialize<S: Serializer>(bytes: &[u8; 32], to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&format!("0x{}", hex::encode(bytes)))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<[u8; 32], D::Error> {
        let text = String::deserialize(from)?;
        let digits = text.strip_prefix("0x").ok_or_else(|| D::Error::custom("0x missing"))?;
        let mut bytes = [0; 32];
        hex::decode_to_slice(digits, &mut bytes).map_err(D::Error::custom)?;
        Ok(bytes)
    }
}
