//! `signatures.json`: `{"message": "0x…", "signatures": [{"member": 3, "signature": "0x…"}, …]}`,
//! or for a scheme whose signers sign together `{"message": "0x…", "aggregate": {"members": […],
//! "signature": "0x…"}}`. `"scheme"` may be there too.

use std::{borrow::Cow, path::Path};

use muster_circuits::{KeyKind, Message, Scheme, Signature, Signatures, Suite};
use muster_gadgets::signature::SignatureError;
use serde::Deserialize;
use serde_json::{json, Value};

use super::COMMITTEE_LIMIT;
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
    signatures: Option<Vec<RawSigned<'a>>>,
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
    members: Vec<usize>,
    #[serde(borrow)]
    signature: Cow<'a, str>,
}

impl SignaturesFile {
    /// Reads signatures by members of a committee of `scheme` that names them as `keys` says.
    ///
    /// # Errors
    ///
    /// [`Error::BadSignature`] for a signature whose bytes break a rule, [`Error::Field`] for a
    /// field that is not what it should be, or those of reading a file.
    pub fn read(path: &Path, scheme: Scheme, keys: KeyKind) -> Result<Self, Error> {
        let bytes = input::read(path, COMMITTEE_LIMIT)?;
        let raw: Raw = input::parse(path, &bytes)?;
        let message = raw.message(path, scheme)?;
        let signatures = match (raw.signatures, raw.aggregate) {
            (Some(list), None) if !scheme.is_aggregate() => {
                Signatures::Independent(decode_each(path, (scheme, keys), list)?)
            }
            (None, Some(aggregate)) if scheme.is_aggregate() => {
                let (at, signer) = ("aggregate.signature".into(), "all signers".into());
                let kind = (scheme, keys);
                let signature = decode(path, kind, at, signer, &aggregate.signature)?;
                Signatures::Aggregate { members: aggregate.members, signature }
            }
            _ => {
                let field = if scheme.is_aggregate() { "aggregate" } else { "signatures" };
                let reason = format!("signatures of {scheme} belong in the single field {field:?}");
                return Err(Error::file(path, reason));
            }
        };
        Ok(Self { scheme, message, signatures })
    }

    /// Reads a message and a signature on it by each of some members, also of a scheme whose statements take one by all of
    /// them.
    ///
    /// # Errors
    ///
    /// Those of [`Self::read`].
    pub fn read_each(
        path: &Path,
        scheme: Scheme,
        keys: KeyKind,
    ) -> Result<(Message, Vec<(usize, Signature)>), Error> {
        let bytes = input::read(path, COMMITTEE_LIMIT)?;
        let raw: Raw = input::parse(path, &bytes)?;
        let message = raw.message(path, scheme)?;
        let (Some(list), None) = (raw.signatures, raw.aggregate) else {
            let reason = "a signature by each member belongs in the single field \"signatures\"";
            return Err(Error::file(path, reason));
        };
        Ok((message, decode_each(path, (scheme, keys), list)?))
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
    /// The message, of a file of this scheme.
    fn message(&self, path: &Path, scheme: Scheme) -> Result<Message, Error> {
        if let Some(found) = self.scheme.filter(|found| *found != scheme) {
            let reason = format!("{found}, but the committee's is {scheme}");
            return Err(Error::field(path, "scheme", reason));
        }
        message_from_hex(scheme, &self.message)
            .map_err(|reason| Error::field(path, "message", reason))
    }
}

fn decode_each(
    path: &Path,
    kind: (Scheme, KeyKind),
    list: Vec<RawSigned>,
) -> Result<Vec<(usize, Signature)>, Error> {
    let decode = |(i, signed): (usize, RawSigned)| {
        let at = format!("signatures[{i}].signature");
        let signer = format!("member {}", signed.member);
        Ok((signed.member, decode(path, kind, at, signer, &signed.signature)?))
    };
    list.into_iter().enumerate().map(decode).collect()
}

/// Reads a signature. Bad hex and a wrong length are bad input; well-formed bytes that break a rule
/// are a signature that is to be rejected.
fn decode(
    path: &Path,
    (scheme, keys): (Scheme, KeyKind),
    at: String,
    signer: String,
    text: &str,
) -> Result<Signature, Error> {
    let bytes = match from_hex(text) {
        Ok(bytes) => bytes,
        Err(reason) => return Err(Error::field(path, at, reason)),
    };
    let suite = Suite::new(scheme, keys, None, None)
        .map_err(|_| Error::Circuit(muster_circuits::Error::Keys { scheme, keys }))?;
    suite.decode_signature(&bytes).map_err(|rule| match rule {
        SignatureError::WrongLength { .. } => Error::field(path, at, rule),
        _ => Error::BadSignature { path: path.to_path_buf(), at, signer, rule },
    })
}
