//! `muster calldata`.

use std::path::PathBuf;

use clap::ValueEnum;
use halo2_base::halo2_proofs::halo2curves::bn256::Fr;
use muster_evm::{
    bridge::{rotate, submit, submit_batch, BatchRoot, BridgeFault, Epoch, KeySet, Message},
    verifier::{verify, verify_proof},
};
use muster_prover::encoding::{field_to_hex, to_hex};
use muster_schemes::decimal;
use serde_json::json;

use super::args::{bad_argument, epoch, unfit, PayloadArgs};
use crate::{
    on_chain::{ChainKey, ChainProof},
    report::{claimed, Report},
    values::{field_element, word},
    Error,
};

/// Print the calldata that brings a proof to a contract, in 0x hex.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  muster calldata proof.json --keys keys
  muster calldata proof.json --keys keys --for verify
  muster calldata proof.json --keys keys --for submit --nonce 7 --payload 0x6d7573746572
  muster calldata proof.json --keys keys --for submit-batch --batch-root 0x…
  muster calldata proof.json --keys keys --for rotate --new-root 0x… --new-threshold 11 \\
      --new-total-weight 16 --new-epoch 2

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
    /// Key-set root of the next committee.
    #[arg(long, value_name = "HEX", value_parser = field_element)]
    new_root: Option<Fr>,
    /// Threshold of the next committee.
    #[arg(long, value_name = "T", value_parser = decimal::read::<u64>)]
    new_threshold: Option<u64>,
    /// Sum of the next committee's weights.
    #[arg(long, value_name = "W", value_parser = decimal::read::<u64>)]
    new_total_weight: Option<u64>,
    /// Epoch of the next committee.
    #[arg(long, value_name = "E", value_parser = epoch)]
    new_epoch: Option<Epoch>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Target {
    /// MusterVerifier: verifyProof(bytes32,bytes,bytes), which reverts unless the proof holds.
    #[default]
    VerifyProof,
    /// MusterVerifier: verify(bytes32,uint256[],bytes), which says whether it holds.
    Verify,
    /// MultisigLightClient: submit((uint64,bytes),bytes).
    Submit,
    /// MultisigLightClient: submitBatch(bytes32,bytes).
    SubmitBatch,
    /// MultisigLightClient: rotate(uint256,uint64,uint64,uint64,bytes).
    Rotate,
}

impl Target {
    /// Whether it is a function of the light client.
    fn is_client(self) -> bool {
        match self {
            Self::VerifyProof | Self::Verify => false,
            Self::Submit | Self::SubmitBatch | Self::Rotate => true,
        }
    }
}

pub(crate) fn run(args: &CalldataArgs) -> Result<Report, Error> {
    refuse_idle_options(args)?;
    let key = ChainKey::load(&args.keys)?;
    if let Some(reason) = unfit(key.shape()).filter(|_| args.target.is_client()) {
        return Err(Error::usage(format!("--keys: {reason}")));
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
            Ok(submit(&Message { nonce, payload }, proof))
        }
        Target::SubmitBatch => {
            let root = BatchRoot(needed(args, args.batch_root, "--batch-root")?);
            Ok(submit_batch(&root, proof))
        }
        Target::Rotate => Ok(rotate(&next(args)?, proof)),
    }
}

fn next(args: &CalldataArgs) -> Result<KeySet, Error> {
    let root = needed(args, args.new_root, "--new-root")?;
    let threshold = needed(args, args.new_threshold, "--new-threshold")?;
    let weight = needed(args, args.new_total_weight, "--new-total-weight")?;
    let epoch = needed(args, args.new_epoch, "--new-epoch")?;
    KeySet::new(root, threshold, weight, epoch).map_err(|fault| {
        let flag = match fault {
            BridgeFault::ZeroRoot => "--new-root",
            BridgeFault::TotalWeight(_) => "--new-total-weight",
            _ => "--new-threshold",
        };
        bad_argument(flag, &fault)
    })
}

fn needed<T>(args: &CalldataArgs, value: Option<T>, flag: &str) -> Result<T, Error> {
    value.ok_or_else(|| Error::usage(format!("{flag}: --for {} needs it", name(args.target))))
}

/// An option that belongs to another function is a mistake, not something to ignore.
fn refuse_idle_options(args: &CalldataArgs) -> Result<(), Error> {
    let payload = args.payload.is_given();
    let options = [
        ("--nonce", args.nonce.is_some(), Target::Submit),
        ("--payload", payload, Target::Submit),
        ("--batch-root", args.batch_root.is_some(), Target::SubmitBatch),
        ("--new-root", args.new_root.is_some(), Target::Rotate),
        ("--new-threshold", args.new_threshold.is_some(), Target::Rotate),
        ("--new-total-weight", args.new_total_weight.is_some(), Target::Rotate),
        ("--new-epoch", args.new_epoch.is_some(), Target::Rotate),
    ];
    let idle = options.iter().find(|(_, given, target)| *given && *target != args.target);
    idle.map_or(Ok(()), |(flag, _, target)| {
        Err(Error::usage(format!("{flag}: only for --for {}", name(*target))))
    })
}

/// The name on the command line.
fn name(target: Target) -> String {
    target.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
}
