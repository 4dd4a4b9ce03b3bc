//! What is made of a network's own files: a committee, signatures, what was compared and what had to be believed.

use std::path::Path;

use muster_circuits::{
    Committee, KeyKind, Message, MessageForm, PointHash, Rejection, Rule, Scheme, Signatures, Suite,
};
use muster_schemes::{curve::weierstrass::Address, hash::keccak::keccak256};
use serde_json::{json, Map, Value};

use super::{
    signer::{RawSigner, Signers},
    CommitteeFile, SignaturesFile,
};
use crate::{encoding::to_hex, Error, Seats};

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
    pub options: String,
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

/// What an importer says of the files that it read.
#[derive(Default)]
pub(super) struct Said {
    pub(super) threshold: String,
    pub(super) options: String,
    pub(super) rows: Vec<(&'static str, String)>,
    /// An object, or nothing yet.
    pub(super) json: Value,
    pub(super) asides: Vec<Aside>,
    pub(super) compared: Vec<String>,
    pub(super) believed: Vec<String>,
}

impl Said {
    /// Says the same to people and to programs: a row with this name, and this field.
    pub(super) fn say(&mut self, name: &'static str, field: &str, value: impl Into<Value>) {
        let value = value.into();
        self.rows.push((name, value.as_str().map_or_else(|| value.to_string(), str::to_owned)));
        self.json[field] = value;
    }
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
    /// A committee and signatures, and what is said of them.
    pub(super) fn new(committee: CommitteeFile, signatures: SignaturesFile, said: Said) -> Self {
        let Said { threshold, options, rows, json, asides, compared, believed } = said;
        let json = json.as_object().cloned().unwrap_or_default();
        Self {
            committee,
            signatures,
            message: None,
            threshold,
            options,
            rows,
            json,
            asides,
            compared,
            believed,
        }
    }

    /// Signatures on a digest by members of a committee of addresses. Those that do not hold are set aside.
    pub(super) fn by_addresses(
        committee: CommitteeFile,
        digest: [u8; 32],
        claims: Vec<Claimed>,
        mut said: Said,
    ) -> Result<Self, Error> {
        let suite = committee.suite()?;
        let (signatures, asides) = judged(&committee, suite, Message::Digest(digest), claims)?;
        said.asides.extend(asides);
        said.say("digest", "digest", to_hex(&digest));
        Ok(Self::new(committee, signatures, said))
    }

    /// How many signed, and with how much of the weight.
    pub fn signed(&self) -> String {
        let members = self.committee.committee.members();
        let signing = self.signatures.signatures.members();
        let weight: u64 = signing.iter().map(|member| members[*member].weight).sum();
        let shift = self.committee.narrowed.map(|narrowed| narrowed.shift).unwrap_or_default();
        let (count, total) = (signing.len(), shift.weight(self.committee.weight_of_all()));
        format!("{count} of {} members, with weight {weight} of {total}", members.len())
    }
}

/// A committee of addresses with weights.
pub(super) fn of_addresses(
    members: &[(Address, u64)],
) -> Result<CommitteeFile, muster_circuits::Error> {
    let committee = Committee::new(members)?;
    let (scheme, keys) = (Scheme::EcdsaSecp256k1, KeyKind::Address);
    Ok(CommitteeFile { scheme, keys, committee, narrowed: None, left_out: vec![] })
}

/// A scheme of BLS by which keys may be anybody's, for messages in this form that are hashed like this, if that is not the usual
/// way.
pub(super) fn trusting(
    scheme: Scheme,
    form: Option<MessageForm>,
    hash: Option<PointHash>,
) -> Result<Suite, Error> {
    let suite = Suite::new(scheme, KeyKind::Coordinates, Some(Rule::TrustedKeys), form);
    let suite = suite.and_then(|suite| hash.map_or(Ok(suite), |hash| suite.with_hash(hash)));
    suite.map_err(|_| muster_circuits::Error::Rule(scheme).into())
}

/// Where a signature by several members stands, and whose it is said to be.
pub(super) struct Together<'a> {
    pub(super) path: &'a Path,
    pub(super) at: &'a str,
    pub(super) signer: &'a str,
    pub(super) members: Vec<usize>,
    pub(super) signature: &'a [u8],
}

impl Together<'_> {
    /// Verifies the signature, which has to hold as a whole. What the members weigh is not looked at.
    pub(super) fn verified(
        self,
        committee: &CommitteeFile,
        suite: Suite,
        message: Message,
    ) -> Result<SignaturesFile, Error> {
        let Self { path, at, signer, members, signature } = self;
        let signature = suite.decode_signature(signature).map_err(Error::at(path, at))?;
        let checked = suite.check_sum(&committee.committee, &message, &members, &signature);
        checked.map_err(|error| match error {
            muster_circuits::Error::Rejected(Rejection::Aggregate { rule, .. }) => {
                let (path, at, signer) = (path.to_owned(), at.to_owned(), signer.to_owned());
                Error::BadSignature { path, at, signer, rule }
            }
            other => other.into(),
        })?;
        let signatures = Signatures::Aggregate { members, signature };
        Ok(SignaturesFile { scheme: suite.scheme(), message, signatures })
    }
}

/// The number of members that an argument says are enough: a quorum that nobody has to reach is none.
pub(super) fn quorum(argument: &str, threshold: u64) -> Result<String, Error> {
    if threshold == 0 {
        return Err(Error::Usage(format!("{argument}: {NO_QUORUM}")));
    }
    Ok(threshold.to_string())
}

/// The last bytes of a word of Solidity's ABI, of which the others are zero.
pub(super) fn word(bytes: &[u8]) -> [u8; 32] {
    let mut word = [0; 32];
    word[32 - bytes.len()..].copy_from_slice(bytes);
    word
}

/// What wallets sign of a hash with `eth_sign` (EIP-191).
pub(super) fn eth_signed(hash: &[u8; 32]) -> [u8; 32] {
    keccak256(&[&b"\x19Ethereum Signed Message:\n32"[..], hash].concat())
}

/// What is wrong with a quorum of 0.
pub(super) const NO_QUORUM: &str = "0, but at least one has to sign";

/// A committee that has to be one of addresses, in any form.
pub(super) fn addresses(path: &Path) -> Result<CommitteeFile, Error> {
    let committee = CommitteeFile::read(path, Seats::One)?;
    let by_address = committee.keys == KeyKind::Address;
    by_address.then_some(committee).ok_or_else(|| Error::file(path, "its members are no addresses"))
}

/// Verifies signatures by members of a committee, one each. Those that do not hold are set aside.
pub(super) fn judged(
    committee: &CommitteeFile,
    suite: Suite,
    message: Message,
    claims: Vec<Claimed>,
) -> Result<(SignaturesFile, Vec<Aside>), Error> {
    let signers = Signers::new((committee, suite), &message, true);
    let (mut signed, mut whose, mut asides) = (vec![], vec![], vec![]);
    for Claimed { who, member, signature } in claims {
        match signers.read(member.map(RawSigner::Number).as_ref(), &signature) {
            Ok(one) => {
                signed.push(one);
                whose.push(who);
            }
            Err((_, reason)) => asides.push(Aside::new(who, muster_circuits::Error::from(reason))),
        }
    }
    let (good, bad) = suite.sort_out(&committee.committee, &message, signed)?;
    asides.extend(bad.into_iter().map(|one| Aside::new(whose[one.place].clone(), one.reason)));
    let signatures = Signatures::Independent(good);
    Ok((SignaturesFile { scheme: suite.scheme(), message, signatures }, asides))
}
