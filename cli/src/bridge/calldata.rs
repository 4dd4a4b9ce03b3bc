//! `muster calldata`.

use std::path::PathBuf;

use clap::ValueEnum;
use halo2_base::halo2_proofs::halo2curves::bn256::Fr;
use muster_evm::{
    bridge::{
        accept, propose, submit, submit_batch, BatchRoot, BridgeFault, Committee, Epoch, Form,
        Message, Sequence, ValidUntil,
    },
    verifier::{verify, verify_proof, KeyName},
};
use muster_prover::encoding::{field_to_hex, to_hex};
use muster_schemes::decimal;
use serde_json::json;

use super::{
    args::{bad_argument, epoch, form, valid_until, PayloadArgs},
    handover::sequence,
};
use crate::{
    on_chain::{ChainKey, ChainProof},
    report::{claimed, list, Report},
    values::{field_element, word},
    Error,
};

/// Print the calldata that brings a proof to a contract, in 0x hex.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  muster calldata proof.json --keys keys
  muster calldata proof.json --keys keys --for verify
  muster calldata proof.json --keys keys --for submit --nonce 7 --payload 0x6d7573746572 \\
      --epoch 1 --valid-until 0
  muster calldata proof.json --keys keys --for submit-batch --batch-root 0x… --epoch 1 --valid-until 0
  muster calldata proof.json --keys keys --for propose --next-key 0x… --next-root 0x… \\
      --next-threshold 11 --next-form element --sequence 1 --valid-until 0
  muster calldata proof.json --keys next-keys --for accept --valid-until 0

The proof must be made with keys of --kind compact. It is verified first, for the statement that its file claims: what
is expected is for the contract to say.")]
pub(crate) struct CalldataArgs {
    /// The proof's file.
    proof: PathBuf,
    /// Directory with shape.json and verifying.key.
    #[arg(long, value_name = "DIR")]
    keys: PathBuf,
    /// The function to call.
    #[arg(long = "for", value_enum, default_value_t)]
    target: Target,
    /// Number of the message.
    #[arg(long, value_name = "N", value_parser = decimal::read::<u64>)]
    nonce: Option<u64>,
    #[command(flatten)]
    payload: PayloadArgs,
    /// Root of the batch.
    #[arg(long, value_name = "HEX", value_parser = word)]
    batch_root: Option<[u8; 32]>,
    /// Epoch of the committee that signed.
    #[arg(long, value_name = "E", value_parser = epoch)]
    epoch: Option<Epoch>,
    /// Last second of Unix time in which the light client takes what was signed, as it was signed; 0: for ever.
    #[arg(long, value_name = "SECONDS", value_parser = valid_until)]
    valid_until: Option<ValidUntil>,
    #[command(flatten)]
    next: NextArgs,
    /// Number of the proposal.
    #[arg(long, value_name = "N", value_parser = sequence)]
    sequence: Option<Sequence>,
}

/// The next committee, as `muster handover` prints it.
#[derive(Debug, clap::Args)]
struct NextArgs {
    /// Name of the key that proofs of the next committee are verified under.
    #[arg(long, value_name = "HEX")]
    next_key: Option<KeyName>,
    /// Key-set root of the next committee.
    #[arg(long, value_name = "HEX", value_parser = field_element)]
    next_root: Option<Fr>,
    /// Threshold of the next committee.
    #[arg(long, value_name = "T", value_parser = decimal::read::<u64>)]
    next_threshold: Option<u64>,
    /// How the next committee's key takes what is signed: element or digest.
    #[arg(long, value_name = "FORM")]
    next_form: Option<Form>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Target {
    /// MusterVerifier: verifyProof(bytes32,bytes,bytes), which reverts unless the proof holds.
    #[default]
    VerifyProof,
    /// MusterVerifier: verify(bytes32,uint256[],bytes), which says whether it holds.
    Verify,
    /// MultisigLightClient: submit((uint64,bytes),uint64,uint64,bytes).
    Submit,
    /// MultisigLightClient: submitBatch(bytes32,uint64,uint64,bytes).
    SubmitBatch,
    /// MultisigLightClient: propose((bytes32,uint256,uint64,uint8),uint64,uint64,bytes).
    Propose,
    /// MultisigLightClient: accept(uint64,bytes).
    Accept,
}

impl Target {
    /// Whether it is a function of the light client.
    fn is_client(self) -> bool {
        match self {
            Self::VerifyProof | Self::Verify => false,
            Self::Submit | Self::SubmitBatch | Self::Propose | Self::Accept => true,
        }
    }
}

pub(crate) fn run(args: &CalldataArgs) -> Result<Report, Error> {
    refuse_idle_options(args)?;
    let key = ChainKey::load("--keys", &args.keys)?;
    if args.target.is_client() {
        form("--keys", &key)?;
    }
    let proof = key.proof(&args.proof)?;
    let calldata = encode(args, &key, &proof)?;
    let text = to_hex(&calldata);
    let json = json!({
        "for": name(args.target),
        "calldata": text,
        "bytes": calldata.len(),
        "key": key.name().to_string(),
        "public_inputs": proof.inputs.iter().map(field_to_hex).collect::<Vec<_>>(),
        "srs": claimed(&key.key().srs().into()),
    });
    Ok(Report { text, json })
}

fn encode(args: &CalldataArgs, key: &ChainKey, proof: &ChainProof) -> Result<Vec<u8>, Error> {
    let (inputs, proof) = (&proof.inputs, &proof.bytes);
    match args.target {
        Target::VerifyProof => Ok(verify_proof(key.name(), inputs, proof)),
        Target::Verify => Ok(verify(key.name(), inputs, proof)),
        Target::Submit => {
            let nonce = needed(args, args.nonce, "--nonce")?;
            let payload = needed(args, args.payload.read()?, "--payload or --payload-file")?;
            let (epoch, until) = (epoch_of(args)?, until(args)?);
            Ok(submit(&Message { nonce, payload }, epoch, until, proof))
        }
        Target::SubmitBatch => {
            let root = BatchRoot(needed(args, args.batch_root, "--batch-root")?);
            Ok(submit_batch(&root, epoch_of(args)?, until(args)?, proof))
        }
        Target::Propose => {
            let sequence = needed(args, args.sequence, "--sequence")?;
            Ok(propose(&next(args)?, sequence, until(args)?, proof))
        }
        Target::Accept => Ok(accept(until(args)?, proof)),
    }
}

fn epoch_of(args: &CalldataArgs) -> Result<Epoch, Error> {
    needed(args, args.epoch, "--epoch")
}

fn until(args: &CalldataArgs) -> Result<ValidUntil, Error> {
    needed(args, args.valid_until, "--valid-until")
}

fn next(args: &CalldataArgs) -> Result<Committee, Error> {
    let NextArgs { next_key, next_root, next_threshold, next_form } = args.next;
    let key = needed(args, next_key, "--next-key")?;
    let root = needed(args, next_root, "--next-root")?;
    let threshold = needed(args, next_threshold, "--next-threshold")?;
    let form = needed(args, next_form, "--next-form")?;
    Committee::new(key, root, threshold, form).map_err(|fault| {
        let flag = match fault {
            BridgeFault::ZeroRoot => "--next-root",
            _ => "--next-threshold",
        };
        bad_argument(flag, &fault)
    })
}

fn needed<T>(args: &CalldataArgs, value: Option<T>, flag: &str) -> Result<T, Error> {
    value.ok_or_else(|| Error::usage(format!("{flag}: --for {} needs it", name(args.target))))
}

/// An option that belongs to another function is a mistake, not something to ignore.
fn refuse_idle_options(args: &CalldataArgs) -> Result<(), Error> {
    use Target::{Accept, Propose, Submit, SubmitBatch};
    let NextArgs { next_key, next_root, next_threshold, next_form } = args.next;
    let options = [
        ("--nonce", args.nonce.is_some(), &[Submit][..]),
        ("--payload", args.payload.is_given(), &[Submit]),
        ("--batch-root", args.batch_root.is_some(), &[SubmitBatch]),
        ("--epoch", args.epoch.is_some(), &[Submit, SubmitBatch]),
        ("--valid-until", args.valid_until.is_some(), &[Submit, SubmitBatch, Propose, Accept]),
        ("--next-key", next_key.is_some(), &[Propose]),
        ("--next-root", next_root.is_some(), &[Propose]),
        ("--next-threshold", next_threshold.is_some(), &[Propose]),
        ("--next-form", next_form.is_some(), &[Propose]),
        ("--sequence", args.sequence.is_some(), &[Propose]),
    ];
    let idle = options.iter().find(|(_, given, for_)| *given && !for_.contains(&args.target));
    idle.map_or(Ok(()), |(flag, _, targets)| {
        let names = list(targets.iter().copied().map(name));
        Err(Error::usage(format!("{flag}: only for --for {names}")))
    })
}

/// The name on the command line.
fn name(target: Target) -> String {
    target.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
}
