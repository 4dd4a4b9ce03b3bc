//! What is made of a network's own files: a committee, signatures, what was compared and what had to be believed.

use std::path::Path;

use muster_circuits::{Committee, KeyKind, Message, Scheme, Signatures, Suite};
use muster_schemes::curve::weierstrass::Address;
use serde_json::{json, Map, Value};

use super::{
    signer::{RawSigner, Signers},
    CommitteeFile, SignaturesFile,
};
use crate::{Error, Seats};

/// Reads the files of a network's software.
pub trait Importer {
    /// Whether there is a file with the message in the network's own form.
    const HAS_MESSAGE: bool = false;

    /// Reads and compares the files.
    ///
    /// # Errors
    ///
    /// [`Error::Field`] or [`Error::File`] for what is not as the network writes it, or does not belong together.
    fn import(&self) -> Result<Imported, Error>;
}

/// What a network's files come to.
#[derive(Clone, Debug)]
pub struct Imported {
    /// Who could sign.
    pub committee: CommitteeFile,
    /// Who did.
    pub signatures: SignaturesFile,
    /// The message in the network's own form, if it has one.
    pub message: Option<Value>,
    /// The network's quorum, as `--threshold` takes it.
    pub threshold: String,
    /// What else `muster check` has to be told.
    pub options: &'static str,
    /// For people: what the files say, each with a name.
    pub rows: Vec<(&'static str, String)>,
    /// The same for programs.
    pub json: Map<String, Value>,
    /// Whose signatures are not taken.
    pub asides: Vec<Aside>,
    /// What was compared, and agrees.
    pub compared: Vec<String>,
    /// What the files say, and nothing in them shows.
    pub believed: Vec<String>,
}

/// A signature that is not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aside {
    /// Whose it is said to be.
    pub who: String,
    /// Why it is not taken.
    pub why: String,
}

/// A signature as a network's files have it.
pub(super) struct Claimed {
    /// Whose it is said to be, in words.
    pub(super) who: String,
    /// The member; `None` if the signature has to tell.
    pub(super) member: Option<usize>,
    pub(super) signature: Vec<u8>,
}

impl Aside {
    pub(super) fn new(who: impl Into<String>, why: impl ToString) -> Self {
        Self { who: who.into(), why: why.to_string() }
    }

    /// For programs.
    pub fn to_json(&self) -> Value {
        json!({ "who": self.who, "why": self.why })
    }
}

impl Imported {
    /// How many signed, and with how much of the weight.
    pub fn signed(&self) -> String {
        let members = self.committee.committee.members();
        let signing = self.signatures.signatures.members();
        let weight: u64 = signing.iter().map(|member| members[*member].weight).sum();
        let (count, total) = (signing.len(), self.committee.weight_of_all());
        format!("{count} of {} members, with weight {weight} of {total}", members.len())
    }
}

/// A committee of addresses with a weight of 1 each.
pub(super) fn of_addresses(addresses: &[Address]) -> Result<CommitteeFile, muster_circuits::Error> {
    let members: Vec<_> = addresses.iter().map(|address| (*address, 1)).collect();
    let committee = Committee::new(&members)?;
    let (scheme, keys) = (Scheme::EcdsaSecp256k1, KeyKind::Address);
    Ok(CommitteeFile { scheme, keys, committee, narrowed: None, left_out: vec![] })
}

/// A committee that has to be one of addresses, in any form.
pub(super) fn addresses(path: &Path) -> Result<CommitteeFile, Error> {
    let committee = CommitteeFile::read(path, Seats::One)?;
    let by_address = committee.keys == KeyKind::Address;
    by_address.then_some(committee).ok_or_else(|| Error::file(path, "its members are no addresses"))
}

/// Verifies signatures on a digest by members of a committee of addresses. Those that do not hold are set aside.
pub(super) fn judged(
    committee: &CommitteeFile,
    digest: [u8; 32],
    claims: Vec<Claimed>,
) -> Result<(SignaturesFile, Vec<Aside>), Error> {
    let (scheme, keys, message) = (committee.scheme, committee.keys, Message::Digest(digest));
    let suite = Suite::new(scheme, keys, None, None);
    let suite = suite.map_err(|_| Error::Circuit(muster_circuits::Error::Keys { scheme, keys }))?;
    let signers = Signers::new((committee, suite), &message, true);
    let (mut signed, mut whose, mut asides) = (vec![], vec![], vec![]);
    for Claimed { who, member, signature } in claims {
        match signers.read(member.map(RawSigner::Number).as_ref(), &signature) {
            Ok(one) => {
                signed.push(one);
                whose.push(who);
            }
            Err((_, reason)) => asides.push(Aside::new(who, reason)),
        }
    }
    let (good, bad) = suite.sort_out(&committee.committee, &message, signed)?;
    asides.extend(bad.into_iter().map(|one| Aside::new(whose[one.place].clone(), one.reason)));
    let signatures = Signatures::Independent(good);
    Ok((SignaturesFile { scheme, message, signatures }, asides))
}
