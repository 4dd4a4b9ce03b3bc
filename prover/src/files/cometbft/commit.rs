//! `/commit`: who signed a block, and when.

use std::path::{Path, PathBuf};

use muster_circuits::{Message, Scheme, Signatures};
use muster_schemes::signature::{
    cometbft::{Header, KeyType, Precommit, PrecommitError, TimedSignature, Timestamp, SIGNATURE},
    ed25519::{native, PublicKey, Signature},
    Rule, SignatureError, SignedBytes,
};
use rayon::prelude::*;
use serde::Deserialize;
use serde_json::{json, Value};

use super::{
    entry::{not_members, result, Bad, RawSignature, Unheld, Voter, ABSENT, COMMIT},
    together,
    validators::{Validator, Validators},
};
use crate::{
    files::{bases::from_base64, CommitteeFile, SignaturesFile},
    input, Error,
};

/// Where the header is in an answer.
const HEADER: &str = "result.signed_header.header";
/// `BlockIDFlag` of CometBFT's `types/block.go`.
const FOR_THE_BLOCK: u64 = 2;
const FOR_NONE: u64 = 3;

/// The validators at a height, and their signatures on the block. The header hashes to what they signed, and the
/// validators to what the header names.
#[derive(Clone, Debug)]
pub struct Commit {
    /// The validators with their powers. Those whose keys no set can hold have empty places or, if the chain cannot have
    /// such a key either, are left out.
    pub committee: CommitteeFile,
    /// What those who signed the block share.
    pub precommit: Precommit,
    /// Their signatures: each with a time of its own, all valid under ZIP 215, as in CometBFT; or one by all who have BLS
    /// keys, if the commit adds them up.
    pub signatures: SignaturesFile,
    /// Who sent nothing.
    pub absent: Vec<Voter>,
    /// Who signed for no block (nil). These signatures are valid as well.
    pub nil: Vec<Voter>,
    /// Whose keys no set can hold.
    pub unheld: Vec<Unheld>,
}

#[derive(Deserialize)]
struct RawResult {
    signed_header: RawSignedHeader,
}

#[derive(Deserialize)]
struct RawSignedHeader {
    header: Header,
    commit: RawCommit,
}

#[derive(Deserialize)]
struct RawCommit {
    height: Value,
    round: Value,
    block_id: Value,
    signatures: Vec<RawSignature>,
}

/// A signature.
struct Signed {
    validator: usize,
    member: usize,
    key: PublicKey,
    timed: TimedSignature,
}

/// What all validators did.
#[derive(Default)]
struct Votes {
    unheld: Vec<Unheld>,
    absent: Vec<Voter>,
    nil: Vec<Voter>,
    for_none: Vec<Signed>,
    for_the_block: Vec<Signed>,
}

impl Commit {
    /// Reads an answer of `/commit`, and the pages of `/validators` at its height. `chain_id` is the expected chain, if
    /// that is known.
    ///
    /// # Errors
    ///
    /// [`Error::Field`] for a field that is not what it should be, [`Error::BadSignature`] for validators whose
    /// signatures are invalid, or those of reading a file.
    pub fn read(
        path: &Path,
        validators: &[PathBuf],
        chain_id: Option<&str>,
    ) -> Result<Self, Error> {
        let RawResult { signed_header: RawSignedHeader { header, commit } } = result(path)?;
        if let Some(expected) = chain_id.filter(|expected| *expected != header.chain_id) {
            let reason = format!("{:?}, not {expected:?}", header.chain_id);
            return Err(Error::field(path, format!("{HEADER}.chain_id"), reason));
        }
        let precommit = commit.precommit(path, &header.chain_id)?;
        check_block(path, &header, &precommit)?;
        let is_together = together::is_one(&commit.signatures);
        let kind = if is_together { KeyType::Bls12381 } else { KeyType::Ed25519 };
        let validators = Validators::read(validators, precommit.height, kind)?;
        let committee = validators.committee()?;
        let (found, expected) = (commit.signatures.len(), validators.list.len());
        if found != expected {
            let reason = format!("{found} entries for {expected} validators");
            return Err(Error::field(path, format!("{COMMIT}.signatures"), reason));
        }
        if is_together {
            let mut votes = together::Votes::default();
            commit.each(path, &validators, |number, one| votes.add(number, one, &validators))?;
            check_validators(path, &header, &validators)?;
            let signatures = votes.verified(path, &precommit, &committee)?;
            let together::Votes { unheld, absent, nil, .. } = votes;
            return Ok(Self { committee, precommit, signatures, absent, nil, unheld });
        }
        let mut votes = Votes::default();
        commit.each(path, &validators, |number, one| votes.add(number, one, &validators))?;
        check_validators(path, &header, &validators)?;
        let Votes { unheld, absent, nil, for_none, for_the_block } = votes;
        verify(path, &precommit, &validators.list, (&for_the_block, &for_none))?;
        let message = Message::Bytes(SignedBytes::new(&precommit.encode()));
        let list = for_the_block.into_iter().map(|signed| (signed.member, signed.timed.into()));
        let signatures = Signatures::Independent(list.collect());
        let signatures = SignaturesFile { scheme: Scheme::Ed25519, message, signatures };
        Ok(Self { committee, precommit, signatures, absent, nil, unheld })
    }
}

/// Checks that the header belongs to the signed block.
fn check_block(path: &Path, header: &Header, precommit: &Precommit) -> Result<(), Error> {
    let (height, expected) = (header.height.get(), precommit.height.get());
    if height != expected {
        let reason = format!("{height}, but the commit is for {expected}");
        return Err(Error::field(path, format!("{HEADER}.height"), reason));
    }
    let (hash, signed) = (header.hash(), precommit.block_id.hash);
    if hash != signed {
        let [hash, signed] = [hash, signed].map(hex::encode_upper);
        let reason = format!("{signed}, but the header has the hash {hash}");
        return Err(Error::field(path, format!("{COMMIT}.block_id.hash"), reason));
    }
    Ok(())
}

/// Checks that the validators are those of the header.
fn check_validators(path: &Path, header: &Header, validators: &Validators) -> Result<(), Error> {
    let (expected, hash) = (header.validators_hash(), validators.hash());
    if expected != hash {
        let [expected, hash] = [expected, &hash].map(hex::encode_upper);
        let reason =
            format!("{expected}, but the validators, in the order of the files, have {hash}");
        return Err(Error::field(path, format!("{HEADER}.validators_hash"), reason));
    }
    Ok(())
}

impl Votes {
    /// Adds what the next validator did; an error names the field.
    fn add(
        &mut self,
        number: usize,
        one: &RawSignature,
        validators: &Validators,
    ) -> Result<(), Bad> {
        let (validator, flag) = (&validators.list[number], one.block_id_flag);
        let (address, power) = (validator.address.clone(), validator.hashed.power);
        let member = number - not_members(&self.unheld);
        if !(ABSENT..=FOR_NONE).contains(&flag) {
            return Err(("block_id_flag", format!("{flag} is not 1, 2 or 3")));
        }
        let key = match &validator.key {
            Ok(key) => key.of::<PublicKey>().ok_or("it is not one of Ed25519"),
            Err(reason) => Err(reason.as_str()),
        };
        let key = match key {
            Ok(key) => *key,
            // It does not matter what they did.
            Err(reason) => {
                let member = validator.held(validators.kind).map(|_| member);
                let reason = reason.to_owned();
                self.unheld.push(Unheld { validator: number, member, address, power, reason });
                return Ok(());
            }
        };
        if flag == ABSENT {
            self.absent.push(Voter { member, address });
            return Ok(());
        }
        let time = one.timestamp.parse();
        let time: Timestamp =
            time.map_err(|error: PrecommitError| ("timestamp", error.to_string()))?;
        let text = one.signature.as_deref().ok_or(("signature", "missing".to_owned()))?;
        let signature = from_base64::<SIGNATURE>(text).map_err(|reason| ("signature", reason))?;
        let timed = TimedSignature { signature, time };
        let signed = Signed { validator: number, member, key, timed };
        if flag == FOR_THE_BLOCK {
            self.for_the_block.push(signed);
        } else {
            self.nil.push(Voter { member, address });
            self.for_none.push(signed);
        }
        Ok(())
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
        input::parts_of_value(fields).map_err(|(at, reason)| {
            let at = match at.as_str() {
                "." => COMMIT.to_owned(),
                field => format!("{COMMIT}.{field}"),
            };
            Error::field(path, at, reason)
        })
    }

    /// Goes through the entries, which are as many as validators.
    fn each(
        &self,
        path: &Path,
        validators: &Validators,
        mut add: impl FnMut(usize, &RawSignature) -> Result<(), Bad>,
    ) -> Result<(), Error> {
        for (number, one) in self.signatures.iter().enumerate() {
            let checked = validators.check_address(number, one);
            let checked = checked.map_err(|reason| ("validator_address", reason));
            checked.and_then(|()| add(number, one)).map_err(|(field, reason)| {
                Error::field(path, format!("{COMMIT}.signatures[{number}].{field}"), reason)
            })?;
        }
        Ok(())
    }
}

/// Checks all signatures as CometBFT does, those for the block and those for nil; names every validator whose signature
/// is invalid.
fn verify(
    path: &Path,
    precommit: &Precommit,
    validators: &[Validator],
    (for_the_block, for_none): (&[Signed], &[Signed]),
) -> Result<(), Error> {
    let for_the_block = for_the_block.par_iter();
    let for_the_block =
        for_the_block.map(|signed| (signed, precommit.signed_bytes(&signed.timed.time)));
    let for_none = for_none.par_iter();
    let for_none =
        for_none.map(|signed| (signed, precommit.signed_bytes_for_none(&signed.timed.time)));
    let verdict = |(signed, bytes): (&Signed, Vec<u8>)| {
        let verdict = Signature::from_bytes(&signed.timed.signature)
            .and_then(|signature| native::verify(Rule::Zip215, &signed.key, &bytes, &signature));
        verdict.err().map(|rule| (signed.validator, rule))
    };
    let bad: Vec<(usize, SignatureError)> =
        for_the_block.chain(for_none).filter_map(verdict).collect();
    let Some(&(first, rule)) = bad.first() else { return Ok(()) };
    let addresses: Vec<_> =
        bad.iter().map(|(validator, _)| validators[*validator].address.as_str()).collect();
    Err(Error::BadSignature {
        path: path.to_owned(),
        at: format!("{COMMIT}.signatures[{first}].signature"),
        signer: format!("validator {}", addresses.join(", validator ")),
        rule,
    })
}
