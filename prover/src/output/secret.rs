//! What is secret in a file, and memory for it.

use std::{
    fmt,
    fs::Metadata,
    io::{self, Read},
    path::Path,
};

use serde::{de::IgnoredAny, Deserialize};
use serde_json::Value;
use zeroize::Zeroizing;

use crate::{input, Error};

/// Greatest length of a file that holds a secret.
const LIMIT: u64 = 1 << 28;
/// Kinds of parcels between the members of a FROST group that are secret.
const PARCELS: [&str; 9] = [
    "dkg-secret",
    "dkg-state",
    "dkg-share",
    "refresh",
    "refresh-secret",
    "refresh-state",
    "refresh-share",
    "repair-part",
    "repair-sum",
];

/// What a secret file holds. Once lost it cannot be made again, so that `--force` replaces it by
/// another of its kind only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Secret {
    /// A member's share of a key (`share-1.json`).
    FrostShare,
    /// A member's nonces, not used yet (`nonces-1.json`).
    FrostNonces,
    /// What members of a group keep, or send each other in secret: the name of its kind.
    Parcel(&'static str),
    /// A signer's secret (`secret-1.json`).
    BlsShare,
    /// The secret keys of a sample.
    Sample,
    /// A player's keys (`keys-1/secret.json`).
    PlayerKeys,
    /// A player's shares of a sum of dealings (`shares-1.json`).
    PlayerShares,
    /// The secret of a sum of dealings.
    Reconstructed,
}

/// The fields that tell kinds of files apart.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Fields {
    secret_share: Option<IgnoredAny>,
    hiding_nonce: Option<IgnoredAny>,
    kind: Option<Value>,
    content: Option<IgnoredAny>,
    secret: Option<IgnoredAny>,
    signer: Option<IgnoredAny>,
    secret_keys: Option<IgnoredAny>,
    decryption_key: Option<IgnoredAny>,
}

/// A player's shares; other files have something else under that name.
#[derive(Deserialize)]
struct Shares {
    shares: Vec<Share>,
}

#[derive(Deserialize)]
struct Share {
    #[serde(rename = "value")]
    _value: IgnoredAny,
}

impl Secret {
    /// What is secret in an existing regular file.
    pub(super) fn found(path: &Path, metadata: &Metadata) -> Result<Option<Self>, Error> {
        if metadata.len() > LIMIT {
            return Ok(None);
        }
        // A circuit's keys are long and no JSON, so they are not read to the end.
        let mut first = [0];
        let read = input::regular(path)?.0.read(&mut first).map_err(Error::io(path))?;
        if read == 0 || first != *b"{" {
            return Ok(None);
        }
        let bytes = Zeroizing::new(input::look(path, LIMIT)?);
        let found = serde_json::from_slice::<Fields>(&bytes).ok().and_then(Self::of);
        let shares = || serde_json::from_slice::<Shares>(&bytes).ok();
        let of_player = || shares().filter(|file| !file.shares.is_empty());
        Ok(found.or_else(|| of_player().map(|_| Self::PlayerShares)))
    }

    /// What is secret in parcels of this kind, if anything is.
    pub fn parcel(kind: &str) -> Option<Self> {
        PARCELS.into_iter().find(|secret| *secret == kind).map(Self::Parcel)
    }

    fn of(fields: Fields) -> Option<Self> {
        let kind = fields.kind.filter(|_| fields.content.is_some());
        let parcel = kind.as_ref().and_then(Value::as_str).and_then(Self::parcel);
        let has = |field: Option<IgnoredAny>, secret| field.map(|_| secret);
        has(fields.secret_share, Self::FrostShare)
            .or(has(fields.hiding_nonce, Self::FrostNonces))
            .or(parcel)
            .or(has(fields.signer.and(fields.secret), Self::BlsShare))
            .or(has(fields.secret, Self::Reconstructed))
            .or(has(fields.secret_keys, Self::Sample))
            .or(has(fields.decryption_key, Self::PlayerKeys))
    }
}

impl fmt::Display for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FrostShare => f.write_str("key share"),
            Self::FrostNonces => f.write_str("nonces"),
            Self::Parcel(kind) => f.write_str(kind),
            Self::BlsShare => f.write_str("signer's secret"),
            Self::Sample => f.write_str("keys of a sample"),
            Self::PlayerKeys => f.write_str("player's keys"),
            Self::PlayerShares => f.write_str("player's shares"),
            Self::Reconstructed => f.write_str("reconstructed secret"),
        }
    }
}

/// Bytes that are wiped when they are dropped, and when they grow: a vector's growth leaves a copy
/// behind.
#[derive(Debug, Default)]
pub struct Wiped(pub(super) Zeroizing<Vec<u8>>);

impl io::Write for Wiped {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let length = self.0.len() + bytes.len();
        if length > self.0.capacity() {
            let mut larger = Zeroizing::new(Vec::with_capacity(length.next_power_of_two()));
            larger.extend_from_slice(&self.0);
            // The old one is wiped with all of its capacity.
            self.0 = larger;
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
