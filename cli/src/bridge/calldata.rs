//! `muster calldata`.

use std::path::PathBuf;

use clap::ValueEnum;
use halo2_base::halo2_proofs::halo2curves::bn256::Fr;
use muster_circuits::Shape;
use muster_evm::bridge::{BatchRoot, BridgeFault, Calldata, Epoch, KeySet, Message};
use muster_params::INSECURE_WARNING;
use muster_prover::{
    encoding::{field_to_hex, to_hex},
    files::ProofFile,
};
use muster_schemes::decimal;
use serde_json::json;

use super::args::{bad_argument, epoch, PayloadArgs, Unfit};
use crate::{
    export::not_for_contracts,
    progress::Progress,
    report::{claimed, Report},
    values::{field_element, word},
    Error,
};

/// Print the calldata that brings a proof to a contract, in 0x hex.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  muster calldata proof.json
  muster calldata proof.json --for verify
  muster calldata proof.json --for verify-proof --verifier-hash 0x…
  muster calldata proof.json --for verify-message
  muster calldata proof.json --for submit --nonce 7 --payload 0x6d7573746572
  muster calldata proof.json --for submit-batch --batch-root 0x…
  muster calldata proof.json --for rotate --new-root 0x… --new-threshold 11 \\
      --new-total-weight 16 --new-epoch 2

The proof is not verified here, and its key and SRS are the ones that its file claims: see muster verify.
It must be made with --kind halo2.")]
pub(crate) struct CalldataArgs {
    /// The proof's file.
    proof: PathBuf,
    /// The contract and function to call.
    #[arg(long = "for", value_enum, default_value_t)]
    target: Target,
    /// VERIFIER_HASH of the intended wrapper.
    #[arg(long, value_name = "HEX", value_parser = word)]
    verifier_hash: Option<[u8; 32]>,
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
    /// A generated verifier: just the public inputs and the proof.
    #[default]
    Verifier,
    /// MusterVerifier, or MusterDigest-, MusterBytes- or MusterWordsVerifier: verify(bytes,uint256[]).
    Verify,
    /// Any of these wrappers, or MusterRouter: verifyProof(bytes32,bytes,bytes).
    VerifyProof,
    /// MusterBytesVerifier: verifyMessage(bytes,uint256,uint256,bytes).
    VerifyMessage,
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
            Self::Verifier | Self::Verify | Self::VerifyProof | Self::VerifyMessage => false,
            Self::Submit | Self::SubmitBatch | Self::Rotate => true,
        }
    }
}

pub(crate) fn run(args: &CalldataArgs) -> Result<Report, Error> {
    let file = ProofFile::read(&args.proof)?;
    let proof = file.proof.contract_bytes();
    let proof = proof.ok_or_else(|| not_for_contracts(&args.proof, file.proof.kind()))?;
    let proof = Calldata::claimed(&file.shape, file.claimed_inputs(), proof)
        .map_err(|fault| Error::field(&args.proof, "public_inputs", fault))?;
    if let Some(unfit) = Unfit::of(&file.shape).filter(|_| args.target.is_client()) {
        return Err(Error::field(&args.proof, unfit.field, unfit.reason));
    }
    let calldata = encode(args, &file.shape, &proof)?;
    if file.srs.insecure {
        Progress::new().warn(INSECURE_WARNING);
    }
    let text = to_hex(&calldata);
    let json = json!({
        "for": name(args.target),
        "calldata": text,
        "bytes": calldata.len(),
        "public_inputs": file.claimed_inputs().iter().map(field_to_hex).collect::<Vec<_>>(),
        "vk_digest": to_hex(&file.vk_digest),
        "srs": claimed(&file.srs),
    });
    Ok(Report { text, json })
}

fn encode(args: &CalldataArgs, shape: &Shape, proof: &Calldata) -> Result<Vec<u8>, Error> {
    refuse_idle_options(args)?;
    match args.target {
        Target::Verifier => Ok(proof.verifier()),
        Target::Verify => Ok(proof.verify()),
        Target::VerifyProof => {
            Ok(proof.verify_proof(needed(args, args.verifier_hash, "--verifier-hash")?))
        }
        Target::VerifyMessage => proof.verify_message().ok_or_else(|| {
            let (field, found) = if shape.mask && shape.message.is_plain() {
                ("shape.mask", "who signed is public".into())
            } else {
                ("shape.message", shape.message.to_string())
            };
            let reason =
                format!("{found}, but MusterBytesVerifier takes only messages of the form bytes:N");
            Error::field(&args.proof, field, reason)
        }),
        Target::Submit => {
            let nonce = needed(args, args.nonce, "--nonce")?;
            let payload = needed(args, args.payload.read()?, "--payload or --payload-file")?;
            Ok(proof.submit(&Message { nonce, payload }))
        }
        Target::SubmitBatch => {
            let root = BatchRoot(needed(args, args.batch_root, "--batch-root")?);
            Ok(proof.submit_batch(&root))
        }
        Target::Rotate => Ok(proof.rotate(&next(args)?)),
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
        ("--verifier-hash", args.verifier_hash.is_some(), Target::VerifyProof),
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
