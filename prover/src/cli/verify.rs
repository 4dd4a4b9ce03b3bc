//! `muster verify`.

use std::path::{Path, PathBuf};

use halo2_base::halo2_proofs::halo2curves::bn256::Fr;
use muster_circuits::{Message, KEY_SET_ROOT, MESSAGE, THRESHOLD};
use muster_params::INSECURE_WARNING;
use serde_json::{json, Value};

use super::{field_element, message, table, word, Report};
use crate::{
    encoding::{field_to_hex, message_to_hex, to_hex},
    files::ProofFile,
    progress::Progress,
    proof::BatchItem,
    Error, ProofFault, VerifierKey,
};

/// Verify proofs: several of them together, with one pairing.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  muster verify --keys keys proof.json --threshold 8 --root 0x… --message 0x…
  muster verify --keys keys proofs/*.json

A proof shows what its public inputs say. Give --threshold, --root and --message to have them compared
with what you expect; otherwise compare what is printed.")]
pub(super) struct VerifyArgs {
    /// Directory with shape.json and verifying.key.
    #[arg(long, value_name = "DIR")]
    keys: PathBuf,
    /// The proofs must be about this threshold.
    #[arg(long, value_name = "T")]
    threshold: Option<u64>,
    /// The proofs must be about this key-set root.
    #[arg(long, value_name = "HEX", value_parser = field_element)]
    root: Option<Fr>,
    /// The proofs must be about this message.
    #[arg(long, value_name = "HEX", value_parser = word)]
    message: Option<[u8; 32]>,
    /// The proofs' files.
    #[arg(required = true, value_name = "PROOF")]
    proofs: Vec<PathBuf>,
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
    verdict?;
    let digest = to_hex(&key.digest());
    let mut text = String::new();
    for (path, file) in &files {
        let [root, threshold, message] = statement(&file.public_inputs);
        let rows = [
            ("scheme", key.shape().scheme_name()),
            ("key-set root", root),
            ("threshold", threshold),
            ("message", message),
        ];
        text += &format!("accepted: {}\n{}", path.display(), table::table(&rows));
    }
    let rows = [("verifying key", digest.clone()), ("time", table::time(taken))];
    text += &table::table(&rows);
    let json = json!({
        "accepted": true,
        "proofs": files.iter().map(|(path, file)| to_json(path, file)).collect::<Vec<_>>(),
        "vk_digest": digest,
        "srs": { "insecure": key.srs().insecure, "digest": to_hex(&key.srs().digest) },
        "verify_s": taken.as_secs_f64(),
    });
    Ok(Report { text, json })
}

/// What the proofs are expected to be about.
struct Expected {
    root: Option<Fr>,
    threshold: Option<u64>,
    message: Option<Message>,
}

impl Expected {
    fn new(args: &VerifyArgs, key: &VerifierKey) -> Result<Self, Error> {
        let read = |bytes| message(key.shape().scheme, bytes);
        let message = args.message.map(read).transpose()?;
        Ok(Self { root: args.root, threshold: args.threshold, message })
    }
}

fn judge(
    expected: &Expected,
    key: &VerifierKey,
    files: &[(&Path, ProofFile)],
) -> Result<(), Error> {
    let name = |path: &Path, fault| (path.to_path_buf(), fault);
    let fault =
        |(path, file): &(&Path, ProofFile)| Some(name(path, claim_fault(expected, key, file)?));
    let claims: Vec<_> = files.iter().filter_map(fault).collect();
    if !claims.is_empty() {
        return Err(Error::BadProofs(claims));
    }
    let item = |(path, file): &(&Path, ProofFile)| BatchItem {
        name: path.to_path_buf(),
        public_inputs: file.public_inputs.clone(),
        proof: file.proof.clone(),
        kind: file.transcript,
    };
    crate::batch_verify(key, &files.iter().map(item).collect::<Vec<_>>())
}

/// Holds what a file says of its proof to the keys and to what is expected.
fn claim_fault(expected: &Expected, key: &VerifierKey, file: &ProofFile) -> Option<ProofFault> {
    let same_srs = file.srs == key.srs().into();
    if file.vk_digest != key.digest() || file.shape != *key.shape() || !same_srs {
        let (expected, found) = (hex::encode(key.digest()), hex::encode(file.vk_digest));
        return Some(match expected == found {
            true => ProofFault::OtherHeader,
            false => ProofFault::OtherKey { expected, found },
        });
    }
    let (root, threshold) = (file.public_inputs[KEY_SET_ROOT], file.public_inputs[THRESHOLD]);
    let wrong = |what, expected, found| Some(ProofFault::OtherStatement { what, expected, found });
    if let Some(expected) = expected.root.filter(|expected| *expected != root) {
        return wrong("key-set root", field_to_hex(&expected), field_to_hex(&root));
    }
    if let Some(expected) = expected.threshold.filter(|expected| Fr::from(*expected) != threshold) {
        return wrong("threshold", expected.to_string(), number(&threshold));
    }
    let Some(message) = Message::from_public_inputs(&file.public_inputs[MESSAGE..]) else {
        return Some(ProofFault::NoDigest);
    };
    match expected.message.filter(|expected| *expected != message) {
        Some(expected) => wrong("message", message_to_hex(&expected), message_to_hex(&message)),
        None => None,
    }
}

/// Root, threshold and message as they are printed, of a proof that was verified.
fn statement(inputs: &[Fr]) -> [String; 3] {
    let message = Message::from_public_inputs(&inputs[MESSAGE..]);
    [
        field_to_hex(&inputs[KEY_SET_ROOT]),
        number(&inputs[THRESHOLD]),
        message.as_ref().map(message_to_hex).unwrap_or_default(),
    ]
}

/// A threshold: a small number unless the proof is bad.
fn number(value: &Fr) -> String {
    let bytes = value.to_bytes();
    let (low, high) = bytes.split_at(8);
    match high.iter().all(|byte| *byte == 0) {
        true => low.iter().rev().fold(0u64, |n, byte| n << 8 | u64::from(*byte)).to_string(),
        false => field_to_hex(value),
    }
}

fn to_json(path: &Path, file: &ProofFile) -> Value {
    let [root, threshold, message] = statement(&file.public_inputs);
    json!({
        "file": path,
        "scheme": file.shape.scheme,
        "key_set_root": root,
        "threshold": threshold.parse::<u64>().ok(),
        "message": message,
        "transcript": file.transcript,
    })
}
