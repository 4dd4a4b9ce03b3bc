//! `committee.json`: `{"scheme": "…", "members": [{"public_key": "0x…", "weight": 1}, …]}`.

use std::{
    borrow::Cow,
    io::{self, Write},
    path::Path,
};

use muster_circuits::{Committee, Scheme};
use muster_gadgets::{
    curve::edwards::SubgroupPoint,
    membership::KeySetError,
    signature::{eddsa::Eddsa, musig::Musig, schnorr::Schnorr, SignatureError, SignatureScheme},
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
    /// Keys and weights.
    pub committee: Committee,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw<'a> {
    scheme: Scheme,
    #[serde(borrow)]
    members: Vec<RawMember<'a>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawMember<'a> {
    #[serde(borrow)]
    public_key: Cow<'a, str>,
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
    /// [`Error::Field`] naming the member, or what reading a file may give.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let bytes = input::read(path, COMMITTEE_LIMIT)?;
        let raw: Raw = input::parse(path, &bytes)?;
        let decode = |(i, member): (usize, &RawMember)| {
            let key = decode_key(raw.scheme, &member.public_key);
            let key = key
                .map_err(|reason| Error::field(path, format!("members[{i}].public_key"), reason))?;
            Ok((key, member.weight))
        };
        // The first bad member, whichever thread finds one first.
        let decoded: Vec<_> = raw.members.par_iter().enumerate().map(decode).collect();
        let members = decoded.into_iter().collect::<Result<Vec<_>, Error>>()?;
        let committee = Committee::new(&members).map_err(|error| set_error(path, error))?;
        Ok(Self { scheme: raw.scheme, committee })
    }

    /// Writes the file, a member a line.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn write(&self, writer: &mut impl Write) -> io::Result<()> {
        write!(writer, "{{\n  \"scheme\": \"{}\",\n  \"members\": [", self.scheme)?;
        for (i, member) in self.committee.members().iter().enumerate() {
            let comma = if i == 0 { "" } else { "," };
            let (key, weight) = (to_hex(&member.public_key.to_bytes()), member.weight);
            write!(writer, "{comma}\n    {{\"public_key\": \"{key}\", \"weight\": {weight}}}")?;
        }
        writer.write_all(b"\n  ]\n}\n")
    }
}

fn decode_key(scheme: Scheme, text: &str) -> Result<SubgroupPoint, String> {
    let bytes = from_hex(text)?;
    let key = match scheme {
        Scheme::Schnorr => Schnorr::decode_public_key(&bytes),
        Scheme::Eddsa => Eddsa::decode_public_key(&bytes),
        Scheme::Musig => Musig::decode_public_key(&bytes),
    };
    key.map_err(|error| match error {
        // The place says already what it is.
        SignatureError::PublicKey(rule) => rule.to_string(),
        other => other.to_string(),
    })
}

/// Names the place of what keeps members from being a set.
fn set_error(path: &Path, error: muster_circuits::Error) -> Error {
    let muster_circuits::Error::KeySet(fault) = error else { return error.into() };
    let at = match fault {
        KeySetError::Empty => "members".to_owned(),
        KeySetError::DuplicateKey { second, .. } => format!("members[{second}].public_key"),
        KeySetError::Weight { member, .. } => format!("members[{member}].weight"),
    };
    Error::field(path, at, fault)
}
