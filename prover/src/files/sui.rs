//! Sui and IOTA: a checkpoint, and the committee of its epoch. Both write and sign summaries in BCS
//! (`messages_checkpoint.rs` and `crypto.rs` of their types), with fields of their own.

use std::path::{Path, PathBuf};

use muster_circuits::{Committee, Message, MessageForm, PointHash, Rule, Scheme, Suite};
use muster_schemes::{
    membership::KeySetError,
    signature::{
        bls::{member::Possession, HashedMessage, MinSigPopBls12381},
        SignedBytes, MAX_MESSAGE_BYTES,
    },
};
use serde::Deserialize;
use serde_json::json;

use super::{
    bases::{from_base64, from_base64_any, to_base58},
    imported::{trusting, Imported, Importer, Said, Together},
    members::{in_words, with_unknown_secret},
    reader::Reader,
    roaring,
    weight::to_json,
    CommitteeFile, SignaturesFile,
};
use crate::{encoding::to_hex, input, Error, Number};

/// Greatest length of a file: a checkpoint has all of its transactions in it.
const LIMIT: u64 = 1 << 28;
/// Greatest length of a committee's answer.
const COMMITTEE: u64 = 1 << 22;
/// Most validators of a committee: what a container of a Roaring bitmap lists.
const MAX_VALIDATORS: usize = 4096;
/// What a file is.
const WHAT: &str = "the checkpoint";
/// `Intent` before what is signed: the scope of summaries, version 0, and the one application.
const INTENT: [u8; 3] = [2, 0, 0];
/// What stands before a checkpoint in files of the bucket: `Blob`, in BCS.
const BLOB: u8 = 1;
/// Weights of a committee add up to this.
const TOTAL: u64 = 10_000;
/// Bytes of a key and of a signature.
const KEY: usize = 96;
const SIGNATURE: usize = 48;

/// A checkpoint, and who signs in its epoch.
#[derive(Clone, Debug)]
pub struct Sui {
    /// Which of the two networks.
    pub network: Network,
    /// The checkpoint, in BCS.
    pub checkpoint: PathBuf,
    /// An answer of `getCommitteeInfo`, or the last checkpoint of the epoch before.
    pub committee: PathBuf,
}

/// Networks that write checkpoints alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Network {
    /// Sui.
    Sui,
    /// IOTA.
    Iota,
}

/// An answer of the RPC, or the result alone.
#[derive(Deserialize)]
struct Answer {
    result: Option<Info>,
    epoch: Option<Number<u64>>,
    validators: Option<Vec<(String, Number<u64>)>>,
}

#[derive(Deserialize)]
struct Info {
    epoch: Number<u64>,
    validators: Vec<(String, Number<u64>)>,
}

/// Keys with weights.
type Validators = Vec<([u8; KEY], u64)>;

/// Who signs in an epoch.
struct Signers {
    epoch: u64,
    /// In the order of their keys.
    validators: Validators,
    /// The checkpoint that names them, if they are from one.
    named_in: Option<u64>,
}

/// A checkpoint's summary and who signed it.
struct Checkpoint {
    epoch: u64,
    sequence_number: u64,
    content_digest: [u8; 32],
    timestamp_ms: u64,
    next_committee: Option<Validators>,
    /// The summary in BCS, between the intent and the epoch: what is signed.
    signed: Vec<u8>,
    signature: [u8; SIGNATURE],
    signers: Vec<u8>,
}

impl Importer for Sui {
    fn import(&self) -> Result<Imported, Error> {
        let path = &self.checkpoint;
        let checkpoint = Checkpoint::of(self.network, path, &input::read(path, LIMIT)?)?;
        let signers = self.signers()?;
        if checkpoint.epoch != signers.epoch {
            let (epoch, of) = (checkpoint.epoch, signers.epoch);
            let reason = format!("{epoch}, but the committee is that of epoch {of}");
            return Err(Error::field(path, "epoch", reason));
        }
        let (suite, message, form) = checkpoint.message()?;
        let committee = signers.committee(&self.committee, suite)?;
        let members = roaring::numbers(&checkpoint.signers, signers.validators.len())
            .map_err(Error::at(path, "signers_map"))?;
        let (at, signer) = ("signature", "the signers of the checkpoint");
        let signed = Together { path, at, signer, members, signature: &checkpoint.signature };
        let signatures = signed.verified(&committee, suite, message)?;
        Ok(self.said((committee, signatures), &checkpoint, &signers, form))
    }
}

impl Sui {
    fn signers(&self) -> Result<Signers, Error> {
        let path = &self.committee;
        let bytes = input::read(path, LIMIT)?;
        let start = bytes.iter().position(|byte| !byte.is_ascii_whitespace());
        if start.is_some_and(|start| bytes[start] == b'{') {
            return Signers::answered(path, &bytes);
        }
        let Checkpoint { epoch, sequence_number, next_committee, .. } =
            Checkpoint::of(self.network, path, &bytes)?;
        let validators = next_committee.ok_or_else(|| {
            let reason = "not there: only the last checkpoint of an epoch names the next committee";
            Error::field(path, "end_of_epoch_data", reason)
        })?;
        let epoch =
            epoch.checked_add(1).ok_or_else(|| Error::field(path, "epoch", "the last one"))?;
        let at = "end_of_epoch_data.next_epoch_committee";
        Signers { epoch, validators, named_in: Some(sequence_number) }.in_order(path, at)
    }

    /// What the files say, what was compared, and what had to be believed.
    fn said(
        &self,
        (committee, signatures): (CommitteeFile, SignaturesFile),
        checkpoint: &Checkpoint,
        signers: &Signers,
        form: String,
    ) -> Imported {
        let Checkpoint { epoch, sequence_number, content_digest, timestamp_ms, signed, .. } =
            checkpoint;
        let compared = vec![
            "the epoch of the checkpoint with that of the committee".to_owned(),
            "the signature with the keys of those whom the bitmap names, in the order of the keys"
                .into(),
        ];
        let mut believed = vec![match signers.named_in {
            Some(number) => format!(
                "that checkpoint {number}, which names the committee, is the chain's: import that one, too"
            ),
            None => format!("that these are the validators of epoch {epoch}"),
        }];
        believed.push(
            "that validators proved possession of their keys when they joined, as the network asks"
                .into(),
        );
        if signed.len() > MAX_MESSAGE_BYTES {
            believed.push(format!(
                "not in a proof: how the {} bytes are hashed to the point that is signed, since circuits hash {MAX_MESSAGE_BYTES} at most: whoever verifies hashes them, with the tag of --hash nul, and compares the point",
                signed.len()
            ));
        }
        let options = format!(" --rule {}{form}", Rule::TrustedKeys.name());
        let threshold = ">2/3".into();
        let json = json!({ "timestamp_ms": to_json((*timestamp_ms).into()) });
        let mut said = Said { threshold, options, json, compared, believed, ..Said::default() };
        said.say("epoch", "epoch", to_json((*epoch).into()));
        said.say("checkpoint", "checkpoint", to_json((*sequence_number).into()));
        said.say("content digest", "content_digest", to_base58(content_digest));
        said.say("signed bytes", "signed_bytes", signed.len());
        said.say("digest", "digest", to_hex(&SignedBytes::new(signed).digest()));
        Imported::new(committee, signatures, said)
    }
}

impl Signers {
    /// An answer of `suix_getCommitteeInfo` or `iotax_getCommitteeInfo`.
    fn answered(path: &Path, bytes: &[u8]) -> Result<Self, Error> {
        if bytes.len() as u64 > COMMITTEE {
            let (path, len, limit) = (path.to_owned(), bytes.len() as u64, COMMITTEE);
            return Err(Error::TooLarge { path, len, limit });
        }
        let (at, epoch, validators) = match input::parse(path, bytes)? {
            Answer { result: Some(Info { epoch, validators }), .. } => {
                ("result.validators", epoch, validators)
            }
            Answer { epoch: Some(epoch), validators: Some(validators), .. } => {
                ("validators", epoch, validators)
            }
            _ => {
                let reason = "no `result`, nor `epoch` and `validators`: not a committee";
                return Err(Error::file(path, reason));
            }
        };
        let read = |(number, (key, Number(weight))): (usize, &(String, Number<u64>))| {
            let key = from_base64::<KEY>(key);
            Ok((key.map_err(Error::at(path, format!("{at}[{number}][0]")))?, *weight))
        };
        let validators = validators.iter().enumerate().map(read).collect::<Result<_, Error>>()?;
        Self { epoch: epoch.0, validators, named_in: None }.in_order(path, at)
    }

    /// The same in the order of the keys, which numbers the validators, with weights as a committee has them.
    fn in_order(mut self, path: &Path, at: &str) -> Result<Self, Error> {
        let bad = |reason: String| Err(Error::field(path, at, reason));
        let count = self.validators.len();
        if count > MAX_VALIDATORS {
            return bad(format!("{count} validators, more than {MAX_VALIDATORS}"));
        }
        let mut weights = self.validators.iter().map(|(_, weight)| *weight);
        let total = weights.try_fold(0, u64::checked_add);
        if total != Some(TOTAL) {
            let total = total.map_or("2^64 or more".to_owned(), |total| total.to_string());
            return bad(format!("weights of {total} in all, not {TOTAL}"));
        }
        self.validators.sort_unstable();
        Ok(self)
    }

    fn committee(&self, path: &Path, suite: Suite) -> Result<CommitteeFile, Error> {
        let bytes: Vec<_> = self.validators.iter().map(|(key, _)| &key[..]).collect();
        let read = |(key, (bytes, weight)): (Result<_, _>, &([u8; KEY], u64))| {
            let key = key.map_err(in_words).and_then(with_unknown_secret);
            key.map(|key| (key, *weight)).map_err(|reason| {
                let reason = format!("validator {}: {reason}", to_hex(&bytes[..8]));
                Error::field(path, "validators", reason)
            })
        };
        let keys = suite.decode_keys(&bytes).into_iter().zip(&self.validators);
        let members = keys.map(read).collect::<Result<Vec<_>, _>>()?;
        let committee = Committee::new(&members).map_err(|error| match error {
            muster_circuits::Error::KeySet(KeySetError::Weight { weight, .. }) => {
                Error::field(path, "validators", format!("a validator with the weight {weight}"))
            }
            error => Error::field(path, "validators", error),
        })?;
        Ok(CommitteeFile::whole(suite, committee))
    }
}

impl Checkpoint {
    /// The summary at the start of a checkpoint, which may be in hex or base64.
    fn of(network: Network, path: &Path, bytes: &[u8]) -> Result<Self, Error> {
        let decoded;
        let bytes = match std::str::from_utf8(bytes).map(str::trim) {
            // Summaries have zeros in them.
            Ok(text) if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic()) => {
                let hex = hex::decode(text.strip_prefix("0x").unwrap_or(text));
                decoded = hex.or_else(|_| from_base64_any(text)).map_err(|_| {
                    Error::file(path, "no checkpoint: neither BCS nor hex or base64 of it")
                })?;
                &decoded[..]
            }
            _ => bytes,
        };
        let alone = Self::parse(network, path, bytes);
        match (&alone, bytes) {
            (Err(_), [BLOB, rest @ ..]) => Self::parse(network, path, rest).or(alone),
            _ => alone,
        }
    }

    /// `CertifiedCheckpointSummary`. What is behind it, such as the transactions, is not looked at.
    fn parse(network: Network, path: &Path, bytes: &[u8]) -> Result<Self, Error> {
        let mut all = Reader::new(path, WHAT, bytes);
        let epoch = all.number("epoch")?;
        let sequence_number = all.number("sequence_number")?;
        all.number("network_total_transactions")?;
        let content_digest = digest(&mut all, "content_digest")?;
        if all.is_there("previous_digest")? {
            digest(&mut all, "previous_digest")?;
        }
        let costs = match network {
            Network::Sui => 4,
            Network::Iota => 5,
        };
        all.bytes(8 * costs, "epoch_rolling_gas_cost_summary")?;
        let timestamp_ms = all.number("timestamp_ms")?;
        commitments(&mut all, "checkpoint_commitments")?;
        let ends = all.is_there("end_of_epoch_data")?;
        let next_committee = ends.then(|| next(network, &mut all)).transpose()?;
        let length = all.length("version_specific_data")?;
        all.bytes(length, "version_specific_data")?;
        let summary = &bytes[..bytes.len() - all.rest().len()];
        let signed = [&INTENT[..], summary, &epoch.to_le_bytes()].concat();
        let signing = all.number("auth_signature.epoch")?;
        if signing != epoch {
            let reason = format!("{signing}, but the checkpoint is in epoch {epoch}");
            return Err(all.bad("auth_signature.epoch", reason));
        }
        let signature = all.take("auth_signature.signature")?;
        let length = all.length("auth_signature.signers_map")?;
        let signers = all.bytes(length, "auth_signature.signers_map")?.to_vec();
        Ok(Self {
            epoch,
            sequence_number,
            content_digest,
            timestamp_ms,
            next_committee,
            signed,
            signature,
            signers,
        })
    }

    /// What is signed, the suite for it, and the options that say so.
    fn message(&self) -> Result<(Suite, Message, String), Error> {
        let scheme = Scheme::BlsBls12381MinSig;
        let bytes = SignedBytes::new(&self.signed);
        let most = self.signed.len();
        if most > MAX_MESSAGE_BYTES {
            let hashed = HashedMessage::from(bytes);
            let point = MinSigPopBls12381::signed_point(&hashed, PointHash::Basic).message();
            let suite = trusting(scheme, Some(MessageForm::Point), None)?;
            return Ok((suite, Message::Point(point), " --message-point".into()));
        }
        let form = MessageForm::Sha256 { most };
        let suite = trusting(scheme, Some(form), Some(PointHash::Basic))?;
        let options = format!(" --hash {} --message-form {form}", PointHash::Basic);
        Ok((suite, Message::Bytes(bytes), options))
    }
}

/// A digest, before which its length stands.
fn digest(all: &mut Reader, field: &str) -> Result<[u8; 32], Error> {
    match all.length(field)? {
        32 => all.take(field),
        other => Err(all.bad(field, format!("{other} bytes, not 32"))),
    }
}

/// `Vec<CheckpointCommitment>`: of both kinds that there are, digests.
fn commitments(all: &mut Reader, field: &str) -> Result<(), Error> {
    for _ in 0..all.length(field)? {
        let [kind] = all.take(field)?;
        if kind > 1 {
            return Err(all.bad(field, format!("a commitment of the unknown kind {kind}")));
        }
        digest(all, field)?;
    }
    Ok(())
}

/// `EndOfEpochData`: the committee in it.
fn next(network: Network, all: &mut Reader) -> Result<Validators, Error> {
    let field = "end_of_epoch_data.next_epoch_committee";
    let mut validators = vec![];
    let count = all.length(field)?;
    if count > MAX_VALIDATORS {
        return Err(all.bad(field, format!("{count} validators, more than {MAX_VALIDATORS}")));
    }
    for _ in 0..count {
        let length = all.length(field)?;
        if length != KEY {
            return Err(all.bad(field, format!("a key of {length} bytes, not {KEY}")));
        }
        validators.push((all.take(field)?, all.number(field)?));
    }
    all.number("end_of_epoch_data.next_epoch_protocol_version")?;
    commitments(all, "end_of_epoch_data.epoch_commitments")?;
    if network == Network::Iota {
        all.number("end_of_epoch_data.epoch_supply_change")?;
    }
    Ok(validators)
}
