//! `signatures.json`: `{"message": "0x…", "signatures": [{"member": 3, "signature": "0x…"}, …]}`,
//! or for a scheme whose signers sign together `{"message": "0x…", "aggregate": {"members": […],
//! "signature": "0x…"}}`. `"scheme"` may be there too. A member is named by its number, by its key or address in hex or,
//! where a signature tells its key (ECDSA over secp256k1, with `v`), not at all.
//!
//! Signatures as they were gathered from their signers need not all count: one that does not is set aside and named, and stops
//! nobody else's.

use std::{borrow::Cow, path::Path, sync::Arc};

use muster_circuits::{
    Dropped, Error as CircuitError, Message, Scheme, Signature, Signatures, Suite, Terms,
};
use muster_schemes::signature::SignatureError;
use rayon::prelude::*;
use serde::Deserialize;
use serde_json::{json, Value};

use super::{
    committee::CommitteeFile,
    list::List,
    signer::{recovers, RawSigner, Signers},
    COMMITTEE_LIMIT,
};
use crate::{
    encoding::{from_hex, message_from_hex, message_to_hex, to_hex},
    error::{DroppedList, Place},
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

/// A message and the signatures on it, of which nothing was verified.
#[derive(Clone, Debug)]
pub struct Gathered {
    path: Arc<Path>,
    file: SignaturesFile,
    /// Where each signature stands, if members signed one by one.
    places: Vec<Place>,
    dropped: DroppedList,
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
    #[serde(borrow)]
    member: Option<RawSigner<'a>>,
    #[serde(borrow)]
    signature: Cow<'a, str>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawAggregate<'a> {
    #[serde(borrow)]
    members: List<RawSigner<'a>>,
    #[serde(borrow)]
    signature: Cow<'a, str>,
}

impl Gathered {
    /// Reads signatures by members of a committee.
    ///
    /// # Errors
    ///
    /// [`Error::Field`] for a field that is not what it should be; for a signature by all signers together also
    /// [`Error::BadSignature`], if its bytes break a rule, and [`Error::Rejected`], if one of them is no member or signs
    /// twice; or those of reading a file.
    pub fn read(path: &Path, committee: &CommitteeFile) -> Result<Self, Error> {
        Self::parse(path, &input::read(path, COMMITTEE_LIMIT)?, committee)
    }

    /// The same from the bytes of a file, which errors call `path`.
    ///
    /// # Errors
    ///
    /// As [`Self::read`].
    pub fn parse(path: &Path, bytes: &[u8], committee: &CommitteeFile) -> Result<Self, Error> {
        let scheme = committee.scheme;
        if !scheme.is_aggregate() {
            return Self::parse_each(path, bytes, committee);
        }
        let raw: Raw = input::parse(path, bytes)?;
        let message = raw.message(path, scheme)?;
        let (None, Some(aggregate)) = (raw.signatures, raw.aggregate) else {
            return Err(wrong_field(path, scheme, "aggregate"));
        };
        let signatures = aggregate.decode(path, committee, &message)?;
        let file = SignaturesFile { scheme, message, signatures };
        Ok(Self { path: path.into(), file, places: vec![], dropped: DroppedList::default() })
    }

    /// Reads signatures that members made one by one, even for a scheme whose statements take one by all of them.
    ///
    /// # Errors
    ///
    /// Those of [`Self::read`].
    pub fn read_each(path: &Path, committee: &CommitteeFile) -> Result<Self, Error> {
        Self::parse_each(path, &input::read(path, COMMITTEE_LIMIT)?, committee)
    }

    fn parse_each(path: &Path, bytes: &[u8], committee: &CommitteeFile) -> Result<Self, Error> {
        let scheme = committee.scheme;
        let raw: Raw = input::parse(path, bytes)?;
        let message = raw.message(path, scheme)?;
        let (Some(List(list)), None) = (raw.signatures, raw.aggregate) else {
            return Err(wrong_field(path, scheme, "signatures"));
        };
        let suite = committee.suite()?;
        let by_key = list.iter().any(|signed| !matches!(signed.member, Some(RawSigner::Number(_))));
        let signers = Signers::new((committee, suite), &message, by_key);
        let read = |(number, signed): (usize, &RawSigned)| {
            let at = |field: &str| format!("signatures[{number}].{field}");
            if signed.member.is_none() && !recovers(suite) {
                return Err(Error::field(path, at("member"), nameless(scheme)));
            }
            let bytes = from_hex(&signed.signature)
                .map_err(|reason| Error::field(path, at("signature"), reason))?;
            Ok::<_, Error>(signers.read(signed.member.as_ref(), &bytes))
        };
        let read: Vec<_> = list.par_iter().enumerate().map(read).collect();
        let (mut good, mut places, mut dropped) = (vec![], vec![], vec![]);
        let path: Arc<Path> = path.into();
        for (number, verdict) in read.into_iter().enumerate() {
            let place = (path.clone(), number);
            match verdict? {
                Ok(signed) => {
                    good.push(signed);
                    places.push(place);
                }
                Err((member, reason)) => {
                    let reason = reason.into();
                    dropped.push((place, Dropped { place: number, member, reason }));
                }
            }
        }
        let mut list = DroppedList::default();
        list.extend(dropped);
        let signatures = Signatures::Independent(good);
        let file = SignaturesFile { scheme, message, signatures };
        Ok(Self { path, file, places, dropped: list })
    }

    /// These signatures, and more that members made one by one on the same message.
    ///
    /// # Errors
    ///
    /// [`Error::OtherMessage`].
    pub fn and(mut self, more: Self) -> Result<Self, Error> {
        if more.file.message != self.file.message {
            let (path, other) = (more.path.to_path_buf(), self.path.to_path_buf());
            return Err(Error::OtherMessage { path, other });
        }
        match (&mut self.file.signatures, more.file.signatures) {
            (Signatures::Independent(list), Signatures::Independent(others)) => list.extend(others),
            _ => return Err(CircuitError::WrongKind(self.file.scheme).into()),
        }
        self.places.extend(more.places);
        self.dropped.extend(more.dropped.0);
        Ok(self)
    }

    /// What was signed.
    pub fn message(&self) -> &Message {
        &self.file.message
    }

    /// How many signed: the members who are named, each of whom may be named again.
    pub fn signers(&self) -> usize {
        self.file.signatures.members().len() + self.dropped.len()
    }

    /// The signatures that count, of those that members made one by one, and those that do not. `message` is what was
    /// signed in the suite's form.
    ///
    /// # Errors
    ///
    /// Those of [`Suite::sort_out`].
    pub fn sort_out_each(
        self,
        suite: &Suite,
        committee: &CommitteeFile,
        message: &Message,
    ) -> Result<(Vec<(usize, Signature)>, DroppedList), Error> {
        let Self { file, places, mut dropped, .. } = self;
        let Signatures::Independent(list) = file.signatures else {
            return Err(CircuitError::WrongKind(file.scheme).into());
        };
        let (good, bad) = suite.sort_out(&committee.committee, message, list)?;
        dropped.extend(placed(&places, bad));
        Ok((good, dropped))
    }

    /// All signatures, unless one of them shows by itself that it does not count. None is verified.
    ///
    /// # Errors
    ///
    /// [`Error::Dropped`] with all that break a rule of their encoding, or [`Error::Rejected`] for a signer who is no
    /// member or signs twice.
    pub fn all(self, committee: &CommitteeFile) -> Result<SignaturesFile, Error> {
        self.dropped.refuse()?;
        committee.committee.check_signers(&self.file.signatures.members())?;
        Ok(self.file)
    }

    /// The signatures that count under these terms, and those that do not. `message` is what was signed as statements have
    /// it.
    ///
    /// # Errors
    ///
    /// Those of [`Terms::sort_out`].
    pub fn sort_out(
        self,
        terms: &Terms,
        committee: &CommitteeFile,
        message: &Message,
    ) -> Result<(Signatures, DroppedList), Error> {
        let Self { file, places, mut dropped, .. } = self;
        let (good, bad) = terms.sort_out(&committee.committee, message, file.signatures)?;
        dropped.extend(placed(&places, bad));
        Ok((good, dropped))
    }
}

impl SignaturesFile {
    /// Reads signatures by members of a committee, all of which have to count. None is verified.
    ///
    /// # Errors
    ///
    /// Those of [`Gathered::read`] and [`Gathered::all`].
    pub fn read(path: &Path, committee: &CommitteeFile) -> Result<Self, Error> {
        Gathered::read(path, committee)?.all(committee)
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

/// The signatures that do not count, of those that stand in these places.
fn placed(places: &[Place], dropped: Vec<Dropped>) -> impl Iterator<Item = (Place, Dropped)> + '_ {
    dropped.into_iter().map(|one| (places[one.place].clone(), one))
}

impl Raw<'_> {
    /// The message, if the file is of this scheme.
    fn message(&self, path: &Path, scheme: Scheme) -> Result<Message, Error> {
        if let Some(found) = self.scheme.filter(|found| *found != scheme) {
            let reason = format!("{found}, but the committee's is {scheme}");
            return Err(Error::field(path, "scheme", reason));
        }
        message_from_hex(scheme, &self.message).map_err(Error::at(path, "message"))
    }
}

impl RawAggregate<'_> {
    /// The signature by all. Nobody can be left out of it.
    fn decode(
        self,
        path: &Path,
        committee: &CommitteeFile,
        message: &Message,
    ) -> Result<Signatures, Error> {
        let Self { members: List(members), signature } = self;
        let suite = committee.suite()?;
        let at = "aggregate.signature";
        let bytes = from_hex(&signature).map_err(Error::at(path, at))?;
        let by_key = members.iter().any(|signer| !matches!(signer, RawSigner::Number(_)));
        let signers = Signers::new((committee, suite), message, by_key);
        let members = members.iter().map(|signer| signers.member(signer));
        let members = members.collect::<Result<Vec<_>, _>>().map_err(Error::Rejected)?;
        committee.committee.check_signers(&members)?;
        let signature = suite.decode_signature(&bytes).map_err(|rule| match rule {
            SignatureError::WrongLength { .. } => Error::field(path, at, rule),
            _ => {
                let (path, at, signer) = (path.to_owned(), at.into(), "all signers".into());
                Error::BadSignature { path, at, signer, rule }
            }
        })?;
        Ok(Signatures::Aggregate { members, signature })
    }
}

/// Why a signature has to name its member.
fn nameless(scheme: Scheme) -> String {
    format!("missing: signatures of {scheme} do not tell whose they are; give the member's number or key")
}

fn wrong_field(path: &Path, scheme: Scheme, field: &'static str) -> Error {
    Error::OtherForm { path: path.into(), scheme, field }
}
