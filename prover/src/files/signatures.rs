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
        if let Some(found) = raw.scheme.filter(|found| *found != scheme) {
            let reason = format!("{found}, but the committee's is {scheme}");
            return Err(Error::field(path, "scheme", reason));
        }
        let message = message_from_hex(scheme, &raw.message)
            .map_err(|reason| Error::field(path, "message", reason))?;
        let signatures = match (raw.signatures, raw.aggregate) {
            (Some(list), None) if !scheme.is_aggregate() => {
                let decode = |(i, signed): (usize, RawSigned)| {
                    let at = format!("signatures[{i}].signature");
                    let signer = format!("member {}", signed.member);
                    let signature = decode(path, (scheme, keys), at, signer, &signed.signature)?;
                    Ok((signed.member, signature))
                };
                let list = list.into_iter().enumerate().map(decode);
                Signatures::Independent(list.collect::<Result<_, Error>>()?)
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
