//! `signatures.json`: `{"message": "0x…", "signatures": [{"member": 3, "signature": "0x…"}, …]}`,
//! or for a scheme whose signers sign together `{"message": "0x…", "aggregate": {"members": […],
//! "signature": "0x…"}}`. `"scheme"` may be there too.

use std::{borrow::Cow, collections::HashSet, fmt, path::Path};

use muster_circuits::{Message, Scheme, Signature, Signatures, Suite};
use muster_schemes::signature::SignatureError;
use serde::Deserialize;
use serde_json::{json, Value};

use super::{
    committee::CommitteeFile,
    list::{each, List},
    COMMITTEE_LIMIT,
};
use crate::{
    encoding::{from_hex, message_from_hex, message_to_hex, to_hex},
    input, Error,
};

/// A message and the signatures on it.
#[derive(Clone, Debug)]
pub struct SignaturesFile {
    /// Scheme of the signatures.
    pub scheme: Scheme,
    /// What was signed.
    pub message: Message,
    /// The signatures.
    pub signatures: Signatures,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw<'a> {
    scheme: Option<Scheme>,
    #[serde(borrow)]
    message: Cow<'a, str>,
    signatures: Option<List<RawSigned<'a>>>,
    aggregate: Option<RawAggregate<'a>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawSigned<'a> {
    member: usize,
    #[serde(borrow)]
    signature: Cow<'a, str>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawAggregate<'a> {
    members: List<usize>,
    #[serde(borrow)]
    signature: Cow<'a, str>,
}

impl SignaturesFile {
    /// Reads signatures by members of a committee.
    ///
    /// # Errors
    ///
    /// [`Error::Rejected`] for a signer who is no member or signs twice, [`Error::BadSignature`] for a signature whose bytes
    /// break a rule, [`Error::Field`] for a field that is not what it should be, or those of reading a file.
    pub fn read(path: &Path, committee: &CommitteeFile) -> Result<Self, Error> {
        let scheme = committee.scheme;
        let bytes = input::read(path, COMMITTEE_LIMIT)?;
        let raw: Raw = input::parse(path, &bytes)?;
        let message = raw.message(path, scheme)?;
        let signatures = match (raw.signatures, raw.aggregate) {
            (Some(List(list)), None) if !scheme.is_aggregate() => {
                Signatures::Independent(decode_each(path, committee, &list)?)
            }
            (None, Some(aggregate)) if scheme.is_aggregate() => {
                let RawAggregate { members: List(members), signature } = aggregate;
                let place = Place { path, at: "aggregate.signature".into(), signer: None };
                let bytes = from_hex(&signature).map_err(|reason| place.field(reason))?;
                committee.committee.check_signers(&members)?;
                let signature = decode(suite(committee)?, &place, &bytes)?;
                Signatures::Aggregate { members, signature }
            }
            _ => {
                let field = if scheme.is_aggregate() { "aggregate" } else { "signatures" };
                let reason = format!("signatures of {scheme} belong in the single field {field:?}");
                return Err(Error::file(path, reason));
            }
        };
        Ok(Self { scheme, message, signatures })
    }

    /// Reads a message and a signature on it by each of some members, even for a scheme whose statements take one
    /// signature by all of them.
    ///
    /// # Errors
    ///
    /// Those of [`Self::read`].
    pub fn read_each(
        path: &Path,
        committee: &CommitteeFile,
    ) -> Result<(Message, Vec<(usize, Signature)>), Error> {
        let bytes = input::read(path, COMMITTEE_LIMIT)?;
        let raw: Raw = input::parse(path, &bytes)?;
        let message = raw.message(path, committee.scheme)?;
        let (Some(List(list)), None) = (raw.signatures, raw.aggregate) else {
            let reason = "a signature by each member belongs in the single field \"signatures\"";
            return Err(Error::file(path, reason));
        };
        Ok((message, decode_each(path, committee, &list)?))
    }

    /// The content of the file.
    pub fn to_json(&self) -> Value {
        let (scheme, message) = (self.scheme.name(), message_to_hex(&self.message));
        match &self.signatures {
            Signatures::Independent(list) => {
                let entry = |(member, signature): &(usize, Signature)| json!({ "member": member, "signature": to_hex(&signature.to_bytes()) });
                let signatures: Vec<_> = list.iter().map(entry).collect();
                json!({ "scheme": scheme, "message": message, "signatures": signatures })
            }
            Signatures::Aggregate { members, signature } => {
                let signature = to_hex(&signature.to_bytes());
                let aggregate = json!({ "members": members, "signature": signature });
                json!({ "scheme": scheme, "message": message, "aggregate": aggregate })
            }
        }
    }
}

impl Raw<'_> {
    /// The message, if the file is of this scheme.
    fn message(&self, path: &Path, scheme: Scheme) -> Result<Message, Error> {
        if let Some(found) = self.scheme.filter(|found| *found != scheme) {
            let reason = format!("{found}, but the committee's is {scheme}");
            return Err(Error::field(path, "scheme", reason));
        }
        message_from_hex(scheme, &self.message)
            .map_err(|reason| Error::field(path, "message", reason))
    }
}

/// Where a signature stands, and whose it is said to be: of one member, or of all signers.
struct Place<'a> {
    path: &'a Path,
    at: String,
    signer: Option<usize>,
}

impl<'a> Place<'a> {
    fn of(path: &'a Path, number: usize, signed: &RawSigned) -> Self {
        Self { path, at: format!("signatures[{number}].signature"), signer: Some(signed.member) }
    }

    fn field(&self, reason: impl fmt::Display) -> Error {
        Error::field(self.path, self.at.clone(), reason)
    }
}

/// The scheme before any choice except how members are named.
fn suite(committee: &CommitteeFile) -> Result<Suite, Error> {
    let &CommitteeFile { scheme, keys, .. } = committee;
    Suite::new(scheme, keys, None, None)
        .map_err(|_| Error::Circuit(muster_circuits::Error::Keys { scheme, keys }))
}

/// Reads a signature by each of some members. A first pass checks everything that needs no curve point; then they are
/// decoded, up to the first bad one.
fn decode_each(
    path: &Path,
    committee: &CommitteeFile,
    list: &[RawSigned],
) -> Result<Vec<(usize, Signature)>, Error> {
    let (suite, mut lengths) = (suite(committee)?, HashSet::new());
    let mut encoded = Vec::with_capacity(list.len());
    for (number, signed) in list.iter().enumerate() {
        let place = || Place::of(path, number, signed);
        let bytes = from_hex(&signed.signature).map_err(|reason| place().field(reason))?;
        // The first of each length shows whether a signature can have it.
        if lengths.insert(bytes.len())
            && let Err(rule @ SignatureError::WrongLength { .. }) = suite.decode_signature(&bytes)
        {
            return Err(place().field(rule));
        }
        encoded.push(bytes);
    }
    let signers: Vec<_> = list.iter().map(|signed| signed.member).collect();
    committee.committee.check_signers(&signers)?;
    let read = |number: usize| {
        let signed = &list[number];
        let signature = decode(suite, &Place::of(path, number, signed), &encoded[number])?;
        Ok((signed.member, signature))
    };
    each(list.len(), |range| range.map(read).collect())
}

/// Reads a signature. A wrong length is bad input; bytes of the right length that break a rule are a signature to be
/// rejected.
fn decode(suite: Suite, place: &Place, bytes: &[u8]) -> Result<Signature, Error> {
    suite.decode_signature(bytes).map_err(|rule| match rule {
        SignatureError::WrongLength { .. } => place.field(rule),
        _ => Error::BadSignature {
            path: place.path.to_path_buf(),
            at: place.at.clone(),
            signer: place
                .signer
                .map_or_else(|| "all signers".into(), |one| format!("member {one}")),
            rule,
        },
    })
}
