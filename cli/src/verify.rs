//! `muster verify`.

use std::path::{Path, PathBuf};

use halo2_base::halo2_proofs::halo2curves::bn256::Fr;
use muster_circuits::{Message, MessageForm, PublicMessage, Shape, SignerMask, Statement};
use muster_params::INSECURE_WARNING;
use muster_prover::{
    encoding::{field_to_hex, message_to_hex, to_hex},
    files::{cometbft::read_precommit, weight, ProofFile},
    proof::BatchError,
    VerifierKey,
};
use muster_schemes::decimal;
use serde_json::{json, Value};

use super::{
    report::{claimed, Report},
    table,
    threshold::proven,
    values::{bytes, field_element, message, word, Bytes},
};
use crate::{
    fault::{claim, ProofFault},
    progress::Progress,
    Error,
};

/// Verify proofs; several are verified together, with one pairing per thread.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  muster verify --keys keys proof.json --threshold 8 --root 0x… --message 0x…
  muster verify --keys keys proof.json --threshold 8 --root 0x… --digest 0x…
  muster verify --keys votes-keys proof.json --precommit message.json
  muster verify --keys mask-keys proof.json --threshold 3 --root 0x… --message 0x… --signers 0,2,5
  muster verify --keys keys proofs/*.json

Anyone can prove that a committee of their own signed. Give --threshold, --root and --message, --digest
or --precommit to have the proof compared with what you expect, and --signers if it says who signed;
otherwise compare what is printed before you rely on it. What is printed about the SRS is what the keys
claim: compare the verifying key with one that you trust.")]
pub(super) struct VerifyArgs {
    /// Directory with shape.json and verifying.key.
    #[arg(long, value_name = "DIR")]
    keys: PathBuf,
    /// The threshold that the proofs must be about.
    #[arg(long, value_name = "T", value_parser = proven)]
    threshold: Option<u64>,
    /// The key-set root that the proofs must be about.
    #[arg(long, value_name = "HEX", value_parser = field_element)]
    root: Option<Fr>,
    #[command(flatten)]
    message: MessageArgs,
    /// Members who must have signed, by index: all of them and nobody else. For keys made with
    /// --mask.
    #[arg(long, value_name = "I,J,…", value_delimiter = ',', value_parser = decimal::read::<usize>)]
    signers: Option<Vec<usize>>,
    /// The proofs' files.
    #[arg(required = true, value_name = "PROOF")]
    proofs: Vec<PathBuf>,
}

/// What must have been signed.
#[derive(Debug, clap::Args)]
#[group(multiple = false)]
struct MessageArgs {
    /// The message that the proofs must be about: what was signed or, for precommits, the encoding
    /// of 160 bytes.
    #[arg(long, value_name = "HEX", value_parser = bytes)]
    message: Option<Bytes>,
    /// The 32 public bytes of the message, for schemes with digests; for messages of bytes, their
    /// SHA-256.
    #[arg(long, value_name = "HEX", value_parser = word)]
    digest: Option<[u8; 32]>,
    /// File with the precommit that the proofs must be about, with CometBFT's field names: height,
    /// round, block_id, chain_id.
    #[arg(long, value_name = "FILE")]
    precommit: Option<PathBuf>,
}

impl MessageArgs {
    /// What is public of the message, if one was given.
    fn expected(&self, shape: &Shape) -> Result<Option<Message>, Error> {
        if let Some(path) = &self.precommit {
            if shape.message != MessageForm::CometbftPrecommit {
                let reason = "--precommit: the keys are not for CometBFT precommits";
                return Err(Error::usage(reason.into()));
            }
            return Ok(Some(Message::Digest(read_precommit(path)?.digest())));
        }
        if let Some(digest) = self.digest {
            if shape.public_message() != PublicMessage::Digest {
                let reason =
                    format!("--digest: {} has no digest; give --message", shape.scheme_name());
                return Err(Error::usage(reason));
            }
            return Ok(Some(Message::Digest(digest)));
        }
        let read = |bytes| {
            let message = message(shape.scheme, bytes)?;
            Ok(shape.suite()?.stated(&message)?.public())
        };
        self.message.as_ref().map(read).transpose()
    }
}

pub(super) fn run(args: &VerifyArgs) -> Result<Report, Error> {
    let progress = Progress::new();
    let key = VerifierKey::load(&args.keys)?;
    if key.srs().insecure {
        progress.warn(INSECURE_WARNING);
    }
    let paths = args.proofs.iter().map(PathBuf::as_path);
    let read = paths.map(|path| Ok((path, ProofFile::read(path)?)));
    let files = read.collect::<Result<Vec<_>, Error>>()?;
    let expected = Expected::new(args, &key)?;
    let (verdict, taken) = progress.timed("verifying", || judge(&expected, &key, &files));
    let statements = verdict?;
    let open = expected.open(key.shape());
    if !open.is_empty() {
        let open = open.join(", ");
        progress.warn(&format!("compare what the proof says with what you expect, or give {open}"));
    }
    let digest = to_hex(&key.digest());
    let mut text = String::new();
    for ((path, _), statement) in files.iter().zip(&statements) {
        let mut rows = vec![
            ("scheme", key.shape().scheme_name()),
            ("key-set root", field_to_hex(&statement.key_set_root)),
            ("threshold", statement.threshold.to_string()),
            ("message", message_to_hex(&statement.message)),
        ];
        rows.extend(statement.signers.as_ref().map(|mask| ("signers", mask.to_string())));
        text += &format!("accepted: {}\n{}", path.display(), table::table(&rows));
    }
    let rows = [
        ("verifying key", digest.clone()),
        ("SRS", key.srs().claim()),
        ("time", table::time(taken)),
    ];
    text += &table::table(&rows);
    let proofs = files.iter().zip(&statements);
    let json = json!({
        "accepted": true,
        "not_compared": open,
        "proofs": proofs.map(|((path, file), s)| to_json(path, file, s)).collect::<Vec<_>>(),
        "vk_digest": digest,
        "srs": claimed(&key.srs().into()),
        "verify_s": taken.as_secs_f64(),
    });
    Ok(Report { text, json })
}

/// What the proofs should be about.
struct Expected {
    root: Option<Fr>,
    threshold: Option<u64>,
    message: Option<Message>,
    signers: Option<SignerMask>,
}

impl Expected {
    fn new(args: &VerifyArgs, key: &VerifierKey) -> Result<Self, Error> {
        let message = args.message.expected(key.shape())?;
        let mask = |signers: &Vec<usize>| expected_signers(key.shape(), signers);
        let signers = args.signers.as_ref().map(mask).transpose()?;
        Ok(Self { root: args.root, threshold: args.threshold, message, signers })
    }

    /// The options that were not given: for those the proof's own values are taken, and
    /// printed.
    fn open(&self, shape: &Shape) -> Vec<&'static str> {
        let options = [
            ("--root", self.root.is_none()),
            ("--threshold", self.threshold.is_none()),
            ("--message", self.message.is_none()),
            ("--signers", self.signers.is_none() && shape.mask),
        ];
        options.into_iter().filter(|(_, open)| *open).map(|(option, _)| option).collect()
    }

    /// The statement that a file's proof is checked against: what the file claims, provided
    /// that it is what is expected and that the file is about these keys.
    fn statement(&self, key: &VerifierKey, file: &ProofFile) -> Result<Statement, ProofFault> {
        let same_srs = file.srs == key.srs().into();
        if file.vk_digest != key.digest() || file.shape != *key.shape() || !same_srs {
            let (expected, found) = (hex::encode(key.digest()), hex::encode(file.vk_digest));
            return Err(if expected == found {
                ProofFault::OtherHeader
            } else {
                ProofFault::OtherKey { expected, found }
            });
        }
        let claim = claim(key.shape(), file.claimed_inputs())?;
        let Statement { key_set_root, threshold, message, signers } = &claim;
        let root = self.root.unwrap_or(*key_set_root);
        differs("key-set root", &root, key_set_root, field_to_hex)?;
        let least = self.threshold.unwrap_or(*threshold);
        differs("threshold", &least, threshold, u64::to_string)?;
        differs("message", self.message.as_ref().unwrap_or(message), message, message_to_hex)?;
        if let Some((expected, found)) = self.signers.as_ref().zip(signers.as_ref()) {
            differs("signers", expected, found, SignerMask::to_string)?;
        }
        Ok(claim)
    }
}

/// The mask of those who must have signed.
fn expected_signers(shape: &Shape, signers: &[usize]) -> Result<SignerMask, Error> {
    if !shape.mask {
        let reason =
            "--signers: the keys were made without --mask, so proofs do not say who signed";
        return Err(Error::usage(reason.into()));
    }
    let mask = SignerMask::new(shape.capacity, signers.iter().copied());
    mask.map_err(|fault| Error::usage(format!("--signers: {fault}")))
}

/// Checks that a file has the proof of a statement.
pub(super) fn holds(
    key: &VerifierKey,
    file: &ProofFile,
    statement: &Statement,
) -> Result<(), ProofFault> {
    let Statement { key_set_root, threshold, message, signers } = statement;
    let (root, threshold) = (Some(*key_set_root), Some(*threshold));
    let (message, signers) = (Some(message.public()), signers.clone());
    let expected = Expected { root, threshold, message, signers };
    Ok(key.verify(&expected.statement(key, file)?, &file.proof)?)
}

/// Names what a file claims that is not as expected.
fn differs<T: PartialEq>(
    what: &'static str,
    expected: &T,
    found: &T,
    text: impl Fn(&T) -> String,
) -> Result<(), ProofFault> {
    if expected == found {
        Ok(())
    } else {
        Err(ProofFault::OtherStatement { what, expected: text(expected), found: text(found) })
    }
}

/// What the proofs prove, or all the bad ones.
fn judge(
    expected: &Expected,
    key: &VerifierKey,
    files: &[(&Path, ProofFile)],
) -> Result<Vec<Statement>, Error> {
    let claims: Vec<_> = files.iter().map(|(_, file)| expected.statement(key, file)).collect();
    let named = |(path, _): &(&Path, ProofFile)| path.to_path_buf();
    let fault = |(file, claim): (_, &Result<_, ProofFault>)| {
        Some((named(file), claim.as_ref().err()?.clone()))
    };
    let faults: Vec<_> = files.iter().zip(&claims).filter_map(fault).collect();
    if !faults.is_empty() {
        return Err(Error::BadProofs(faults));
    }
    let statements: Vec<Statement> = claims.into_iter().flatten().collect();
    let proofs = files.iter().map(|(_, file)| &file.proof);
    let batch: Vec<_> = statements.iter().cloned().zip(proofs).collect();
    key.verify_batch(&batch).map_err(|BatchError(bad)| {
        let fault = |(place, error): (usize, _)| (named(&files[place]), ProofFault::Proof(error));
        Error::BadProofs(bad.into_iter().map(fault).collect())
    })?;
    Ok(statements)
}

fn to_json(path: &Path, file: &ProofFile, statement: &Statement) -> Value {
    json!({
        "file": path.display().to_string(),
        "scheme": file.shape.scheme,
        "key_set_root": field_to_hex(&statement.key_set_root),
        "threshold": weight::to_json(statement.threshold.into()),
        "message": message_to_hex(&statement.message),
        "named": statement.signers.as_ref().map(SignerMask::to_vec),
        "kind": file.proof.kind(),
    })
}
