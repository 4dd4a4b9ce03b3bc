//! `/commit`: who signed a block, and when.

use std::path::{Path, PathBuf};

use muster_circuits::{Message, Scheme, Signatures};
use muster_gadgets::signature::{
    cometbft::{Precommit, PrecommitError, TimedSignature, Timestamp, SIGNATURE},
    ed25519::{native, Signature},
    Rule, SignatureError, SignedBytes,
};
use rayon::prelude::*;
use serde::Deserialize;
use serde_json::{json, Value};

use super::{
    base64, result,
    validators::{Validator, Validators},
};
use crate::{
    files::{CommitteeFile, SignaturesFile},
    Error,
};

/// Place of the commit in an answer.
const COMMIT: &str = "result.signed_header.commit";
/// `BlockIDFlag` of CometBFT's `types/block.go`.
const ABSENT: u64 = 1;
const FOR_THE_BLOCK: u64 = 2;
const FOR_NONE: u64 = 3;

/// A validator whose signature is left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Voter {
    /// Their place among the validators.
    pub member: usize,
    /// Their address, in upper-case hex.
    pub address: String,
}

/// The validators at a height, and their signatures on the block.
#[derive(Clone, Debug)]
pub struct Commit {
    /// The validators with their powers.
    pub committee: CommitteeFile,
    /// What those who signed the block share.
    pub precommit: Precommit,
    /// Their signatures, which all hold by ZIP 215, as CometBFT has it.
    pub signatures: SignaturesFile,
    /// Who sent nothing.
    pub absent: Vec<Voter>,
    /// Who signed that there was no block.
    pub nil: Vec<Voter>,
}

#[derive(Deserialize)]
struct RawResult {
    signed_header: RawSignedHeader,
}

#[derive(Deserialize)]
struct RawSignedHeader {
    header: RawHeader,
    commit: RawCommit,
}

#[derive(Deserialize)]
struct RawHeader {
    chain_id: String,
}

#[derive(Deserialize)]
struct RawCommit {
    height: Value,
    round: Value,
    block_id: Value,
    signatures: Vec<RawSignature>,
}

#[derive(Deserialize)]
struct RawSignature {
    block_id_flag: u64,
    validator_address: String,
    timestamp: String,
    signature: Option<String>,
}

/// What a validator did.
enum Vote {
    Absent,
    Nil,
    Block(TimedSignature),
}

impl Commit {
    /// Reads an answer of `/commit`, and the pages of `/validators` at its height. `chain_id` is the chain that it
    /// should be of, if that is known.
    ///
    /// # Errors
    ///
    /// [`Error::Field`] for a field that is not what it should be, [`Error::BadSignature`] for validators whose
    /// signatures do not hold, or those of reading a file.
    pub fn read(
        path: &Path,
        validators: &[PathBuf],
        chain_id: Option<&str>,
    ) -> Result<Self, Error> {
        let RawResult { signed_header: RawSignedHeader { header, commit } } = result(path)?;
        if let Some(expected) = chain_id.filter(|expected| *expected != header.chain_id) {
            let reason = format!("{:?}, not {expected:?}", header.chain_id);
            return Err(Error::field(path, "result.signed_header.header.chain_id", reason));
        }
        let precommit = commit.precommit(path, &header.chain_id)?;
        let validators = Validators::read(validators, precommit.height)?;
        let committee = validators.committee()?;
        let votes = commit.votes(path, &validators.list)?;
        let (mut absent, mut nil, mut signed) = (vec![], vec![], vec![]);
        for (member, (vote, validator)) in votes.into_iter().zip(&validators.list).enumerate() {
            let voter = || Voter { member, address: validator.address() };
            match vote {
                Vote::Absent => absent.push(voter()),
                Vote::Nil => nil.push(voter()),
                Vote::Block(timed) => signed.push((member, timed)),
            }
        }
        verify(path, &precommit, &validators.list, &signed)?;
        let message = Message::Bytes(SignedBytes::new(&precommit.encode()));
        let list = signed.into_iter().map(|(member, timed)| (member, timed.into()));
        let signatures = Signatures::Independent(list.collect());
        let signatures = SignaturesFile { scheme: Scheme::Ed25519, message, signatures };
        Ok(Self { committee, precommit, signatures, absent, nil })
    }
}

impl RawCommit {
    /// What the votes for the block share.
    fn precommit(&self, path: &Path, chain_id: &str) -> Result<Precommit, Error> {
        let Self { height, round, block_id, .. } = self;
        let fields = json!({
            "height": height,
            "round": round,
            "block_id": block_id,
            "chain_id": chain_id,
        });
        serde_path_to_error::deserialize(fields).map_err(|error| {
            let at = match error.path().to_string() {
                whole if whole == "." => COMMIT.to_owned(),
                field => format!("{COMMIT}.{field}"),
            };
            Error::field(path, at, error.inner())
        })
    }

    /// What each validator did.
    fn votes(&self, path: &Path, validators: &[Validator]) -> Result<Vec<Vote>, Error> {
        let (found, expected) = (self.signatures.len(), validators.len());
        if found != expected {
            let reason = format!("{found} entries for {expected} validators");
            return Err(Error::field(path, format!("{COMMIT}.signatures"), reason));
        }
        let signatures = self.signatures.iter().zip(validators).enumerate();
        let votes = signatures.map(|(number, (signature, validator))| {
            signature.vote(validator).map_err(|(field, reason)| {
                Error::field(path, format!("{COMMIT}.signatures[{number}].{field}"), reason)
            })
        });
        votes.collect()
    }
}

impl RawSignature {
    fn vote(&self, validator: &Validator) -> Result<Vote, (&'static str, String)> {
        let is_for_the_block = match self.block_id_flag {
            ABSENT => return Ok(Vote::Absent),
            FOR_THE_BLOCK => true,
            FOR_NONE => false,
            other => return Err(("block_id_flag", format!("{other} is not 1, 2 or 3"))),
        };
        let (found, address) = (&self.validator_address, validator.address());
        if *found != address {
            return Err((
                "validator_address",
                format!("{found:?}, but the validator is {address}"),
            ));
        }
        if !is_for_the_block {
            return Ok(Vote::Nil);
        }
        let time = self.timestamp.parse();
        let time: Timestamp =
            time.map_err(|error: PrecommitError| ("timestamp", error.to_string()))?;
        let text = self.signature.as_deref().ok_or(("signature", "none is there".to_owned()))?;
        let signature: [u8; SIGNATURE] =
            base64::decode(text).map_err(|reason| ("signature", reason))?;
        Ok(Vote::Block(TimedSignature { signature, time }))
    }
}

/// Checks all signatures as CometBFT does; names all validators whose signatures do not hold.
fn verify(
    path: &Path,
    precommit: &Precommit,
    validators: &[Validator],
    signed: &[(usize, TimedSignature)],
) -> Result<(), Error> {
    let verdict = |(member, timed): &(usize, TimedSignature)| {
        let bytes = precommit.signed_bytes(&timed.time);
        let verdict = Signature::from_bytes(&timed.signature).and_then(|signature| {
            native::verify(Rule::Zip215, &validators[*member].key, &bytes, &signature)
        });
        verdict.err().map(|rule| (*member, rule))
    };
    let bad: Vec<(usize, SignatureError)> = signed.par_iter().filter_map(verdict).collect();
    let Some(&(first, rule)) = bad.first() else { return Ok(()) };
    let addresses: Vec<_> = bad.iter().map(|(member, _)| validators[*member].address()).collect();
    Err(Error::BadSignature {
        path: path.to_owned(),
        at: format!("{COMMIT}.signatures[{first}].signature"),
        signer: format!("validator {}", addresses.join(", validator ")),
        rule,
    })
}
