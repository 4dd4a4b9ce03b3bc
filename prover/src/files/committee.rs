//! `committee.json`: `{"scheme": "…", "members": [{"public_key": "0x…", "weight": 1}, …]}`, or where
//! members are named by addresses `{"scheme": "ecdsa-secp256k1", "keys": "address", "members":
//! [{"address": "0x…", "weight": 1}, …]}`.

use std::{
    borrow::Cow,
    io::{self, Write},
    path::Path,
    sync::Arc,
};

use muster_circuits::{Committee, KeyKind, Scheme, Suite, Terms};
use muster_gadgets::{
    curve::weierstrass::Address,
    membership::{KeySetError, MerkleTree, PublicKey},
    signature::SignatureError,
};
use rayon::prelude::*;
use serde::Deserialize;

use super::COMMITTEE_LIMIT;
use crate::{
    encoding::{from_hex, to_hex},
    input, Error,
};

/// A committee and the scheme of its keys.
#[derive(Clone, Debug)]
pub struct CommitteeFile {
    /// Scheme of the keys.
    pub scheme: Scheme,
    /// How members are named.
    pub keys: KeyKind,
    /// Keys and weights.
    pub committee: Committee,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw<'a> {
    scheme: Scheme,
    #[serde(default)]
    keys: KeyKind,
    #[serde(borrow)]
    members: Vec<RawMember<'a>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawMember<'a> {
    #[serde(borrow)]
    public_key: Option<Cow<'a, str>>,
    #[serde(borrow)]
    address: Option<Cow<'a, str>>,
    #[serde(default = "one")]
    weight: u64,
}

fn one() -> u64 {
    1
}

impl CommitteeFile {
    /// Reads a committee. Every key is checked by the rules of its scheme.
    ///
    /// # Errors
    ///
    /// [`Error::Field`] naming the member, or those of reading a file.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let bytes = input::read(path, COMMITTEE_LIMIT)?;
        let raw: Raw = input::parse(path, &bytes)?;
        let (scheme, keys) = (raw.scheme, raw.keys);
        let suite = Suite::new(scheme, keys, None, None)
            .map_err(|_| Error::field(path, "keys", format!("{scheme} has no sets by {keys}")))?;
        let decode = |(i, member): (usize, &RawMember)| {
            let (text, at) = key_text(keys, member)
                .map_err(|reason| Error::field(path, format!("members[{i}]"), reason))?;
            let key = decode_key(suite, text);
            let key =
                key.map_err(|reason| Error::field(path, format!("members[{i}].{at}"), reason))?;
            Ok((key, member.weight))
        };
        // The first bad member, whichever thread finds one first.
        let decoded: Vec<_> = raw.members.par_iter().enumerate().map(decode).collect();
        let members = decoded.into_iter().collect::<Result<Vec<_>, Error>>()?;
        let committee = Committee::new(&members).map_err(|error| set_error(path, keys, error))?;
        Ok(Self { scheme, keys, committee })
    }

    /// The tree over the committee in the file `path`. The terms are those of its scheme.
    ///
    /// # Errors
    ///
    /// [`Error::Field`] for a committee that does not fit the terms.
    pub fn tree(&self, path: &Path, terms: &Terms) -> Result<Arc<MerkleTree>, Error> {
        let suite = terms.suite();
        if self.scheme != suite.scheme() {
            let reason = format!("{}, but the keys are for {}", self.scheme, suite.scheme());
            return Err(Error::field(path, "scheme", reason));
        }
        if self.keys != suite.keys() {
            let reason = format!("{}, but the keys are for sets by {}", self.keys, suite.keys());
            return Err(Error::field(path, "keys", reason));
        }
        let tree = terms.tree(&self.committee);
        tree.map_err(|error| Error::field(path, "members", error))
    }

    /// Writes the file, one member per line.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn write(&self, writer: &mut impl Write) -> io::Result<()> {
        write!(writer, "{{\n  \"scheme\": \"{}\",", self.scheme)?;
        if !self.keys.is_coordinates() {
            write!(writer, "\n  \"keys\": \"{}\",", self.keys)?;
        }
        writer.write_all(b"\n  \"members\": [")?;
        let field = field(self.keys);
        for (i, member) in self.committee.members().iter().enumerate() {
            let comma = if i == 0 { "" } else { "," };
            let (key, weight) = (encode_key(self.scheme, &member.public_key), member.weight);
            write!(writer, "{comma}\n    {{\"{field}\": \"{key}\", \"weight\": {weight}}}")?;
        }
        writer.write_all(b"\n  ]\n}\n")
    }
}

/// The field of a member that names it.
fn field(keys: KeyKind) -> &'static str {
    match keys {
        KeyKind::Coordinates => "public_key",
        KeyKind::Address => "address",
    }
}

/// What names a member, and in which field.
fn key_text<'a>(
    keys: KeyKind,
    member: &'a RawMember,
) -> Result<(&'a str, &'static str), &'static str> {
    match (keys, &member.public_key, &member.address) {
        (KeyKind::Coordinates, Some(text), None) => Ok((text, field(keys))),
        (KeyKind::Address, None, Some(text)) => Ok((text, field(keys))),
        (KeyKind::Coordinates, _, None) => Err("missing field `public_key`"),
        (KeyKind::Coordinates, ..) => {
            Err("unknown field `address`: only where the committee has \"keys\": \"address\"")
        }
        (KeyKind::Address, None, _) => Err("missing field `address`"),
        (KeyKind::Address, ..) => {
            Err("unknown field `public_key`: the committee has \"keys\": \"address\"")
        }
    }
}

fn decode_key(suite: Suite, text: &str) -> Result<PublicKey, String> {
    match suite.keys() {
        KeyKind::Coordinates => {}
        KeyKind::Address => {
            return text.parse().map(Address::into).map_err(|error| error.to_string());
        }
    }
    suite.decode_key(&from_hex(text)?).map_err(|error| match error {
        // The place says already what it is.
        SignatureError::PublicKey(rule) => rule.to_string(),
        SignatureError::Key(rule) => rule.to_string(),
        other => other.to_string(),
    })
}

/// A key as the scheme writes it; one of another scheme, which a library may have put there, is left out
/// and refused by whoever reads the file.
fn encode_key(scheme: Scheme, key: &PublicKey) -> String {
    match key.of::<Address>() {
        Some(address) => address.to_string(),
        None => to_hex(&scheme.suite().encode_key(key).unwrap_or_default()),
    }
}

/// Names the place of what keeps members from being a set.
fn set_error(path: &Path, keys: KeyKind, error: muster_circuits::Error) -> Error {
    let muster_circuits::Error::KeySet(fault) = error else { return error.into() };
    let at = match fault {
        KeySetError::Empty => "members".to_owned(),
        KeySetError::DuplicateKey { second, .. } => format!("members[{second}].{}", field(keys)),
        KeySetError::Weight { member, .. } => format!("members[{member}].weight"),
        KeySetError::PublishedKey { member, .. } => format!("members[{member}].{}", field(keys)),
        _ => "members".to_owned(),
    };
    Error::field(path, at, fault)
}
