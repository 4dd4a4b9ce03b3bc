//! `muster export-key`.

use std::path::{Path, PathBuf};

use muster_evm::verifier::{register, verify_proof};
use muster_prover::{
    encoding::{field_to_hex, to_hex},
    output::Output,
};
use serde_json::{json, Value};

use crate::{
    files::write_pretty,
    on_chain::{ChainKeyOf, OnChain},
    report::{claimed, Report},
    store_args::FolderArgs,
    table::table,
    Error,
};

/// Name of the file with the key.
const KEY_FILE: &str = "evm-key.json";
/// Name of the file with the proof.
const PROOF_FILE: &str = "evm-proof.json";

/// Write what a contract stores of a key, and what it is given of a proof.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  muster export-key --keys keys --evm --out evm
  muster export-key --keys keys --evm --proof proof.json --out evm --force

The keys must be made with --kind compact. Writes evm-key.json with the key for MusterVerifier, the one contract that
verifies the proofs of all keys, the calldata of register(bytes), and the name by which the contract finds the key
from then on. Publish the name: a key of this name is this key, whoever has stored it. With a proof, which is
verified first, here and by the contract in an EVM, also writes evm-proof.json: a fixture for tests, with the public
inputs, the proof as contracts read it, the calldata of verifyProof(bytes32,bytes,bytes) and the gas of the
verification. What is printed about the SRS is what the keys claim.")]
pub(super) struct ExportKeyArgs {
    /// Directory with shape.json and verifying.key.
    #[arg(long, value_name = "DIR")]
    keys: PathBuf,
    /// For the Ethereum Virtual Machine.
    #[arg(long, required = true)]
    evm: bool,
    /// A proof to give to the contract.
    #[arg(long, value_name = "FILE")]
    proof: Option<PathBuf>,
    #[command(flatten)]
    to: FolderArgs,
}

/// Exports a key of either circuit, whose shape `describe` puts in words.
pub(super) fn run<S: OnChain>(
    args: &ExportKeyArgs,
    describe: fn(&S) -> String,
) -> Result<Report, Error> {
    let chain_key = ChainKeyOf::<S>::load("--keys", &args.keys)?;
    let proof = args.proof.as_deref().map(|path| exported(path, &chain_key)).transpose()?;
    let (key, name) = (chain_key.key(), chain_key.name().to_string());
    let exported = json!({
        "name": name,
        "key": to_hex(chain_key.bytes()),
        "register": to_hex(&register(chain_key.bytes())),
        "vk_digest": to_hex(&key.digest()),
        "shape": key.shape(),
        "srs": claimed(&key.srs().into()),
    });
    let mut output = Output::new(&args.to.out, &[KEY_FILE], args.to.force)?;
    output.write(KEY_FILE, |file| write_pretty(file, &exported))?;
    if let Some(proof) = &proof {
        output.write(PROOF_FILE, |file| write_pretty(file, proof))?;
    }
    output.commit()?;
    let mut rows = vec![
        ("shape", describe(key.shape())),
        ("verifying key", to_hex(&key.digest())),
        ("name in contracts", name),
        ("key", format!("{} B", chain_key.bytes().len())),
        ("SRS", key.srs().claim()),
    ];
    if let Some(proof) = &proof {
        rows.push(("proof", format!("{} B", proof["proof_bytes"])));
        rows.push(("verified on a chain for", format!("{} gas", proof["gas"])));
    }
    let files = if proof.is_some() { vec![KEY_FILE, PROOF_FILE] } else { vec![KEY_FILE] };
    rows.push(("files", files.join(", ")));
    let text = format!("key in {}\n{}", args.to.out.display(), table(&rows));
    let json = json!({ "out": args.to.out, "files": files, "key": exported, "proof": proof });
    Ok(Report { text, json })
}

/// What a contract is given of a proof.
fn exported<S: OnChain>(path: &Path, key: &ChainKeyOf<S>) -> Result<Value, Error> {
    let proof = key.proof(path)?;
    let gas = key.verify(&proof)?.gas;
    Ok(json!({
        "name": key.name().to_string(),
        "public_inputs": proof.inputs.iter().map(field_to_hex).collect::<Vec<_>>(),
        "proof": to_hex(&proof.bytes),
        "proof_bytes": proof.bytes.len(),
        "gas": gas,
        "calldata": to_hex(&verify_proof(key.name(), &proof.inputs, &proof.bytes)),
    }))
}
