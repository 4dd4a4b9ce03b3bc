//! `muster export-key`.

use std::{
    io::Write,
    path::{Path, PathBuf},
};

use muster_evm::{bridge::Calldata, verifier::Verifier};
use muster_prover::{
    encoding::{field_to_hex, to_hex},
    files::ProofFile,
    output::Output,
    Fr, VerifierKey,
};
use serde_json::{json, Value};

use super::{
    report::{claimed, Report},
    shape::describe,
    table::table,
};
use crate::{
    fault::{claim, ProofFault},
    progress::Progress,
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

The keys must be made with --kind compact. Writes evm-key.json with the key for the one contract that verifies the
proofs of all keys, and its name, by which the contract finds it. Publish the name: a key of this name is this key,
whoever has stored it. With a proof, which is verified first, here and by the contract in an EVM, also writes
evm-proof.json with the calldata of verifyProof(bytes32,bytes,bytes) and the gas that the verification took. What is printed about the SRS is what the keys claim.")]
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
    /// Replace existing files.
    #[arg(long)]
    force: bool,
    /// Directory for the files.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

pub(super) fn run(args: &ExportKeyArgs) -> Result<Report, Error> {
    let progress = Progress::new();
    let key = VerifierKey::load(&args.keys)?;
    let Some(compact) = key.key().as_compact() else {
        let (path, reason) = (args.keys.display(), "the one contract verifies the format compact");
        return Err(Error::usage(format!(
            "--keys {path}: {reason}, and these keys are for fast: make others with muster keygen --kind compact"
        )));
    };
    if key.srs().insecure {
        progress.warn(muster_params::INSECURE_WARNING);
    }
    let proof = args.proof.as_deref().map(|path| exported(path, &key)).transpose()?;
    let evm_key = compact.evm_key();
    let exported = json!({
        "name": to_hex(&evm_key.name()),
        "key": to_hex(evm_key.as_bytes()),
        "vk_digest": to_hex(&key.digest()),
        "shape": key.shape(),
        "srs": claimed(&key.srs().into()),
    });
    let mut output = Output::new(&args.out, &[KEY_FILE], args.force)?;
    write(&mut output, KEY_FILE, &exported)?;
    if let Some(proof) = &proof {
        write(&mut output, PROOF_FILE, proof)?;
    }
    output.commit()?;
    let mut rows = vec![
        ("shape", describe(key.shape())),
        ("verifying key", to_hex(&key.digest())),
        ("name in contracts", to_hex(&evm_key.name())),
        ("key", format!("{} B", evm_key.as_bytes().len())),
        ("SRS", key.srs().claim()),
    ];
    if let Some(proof) = &proof {
        rows.push(("proof", format!("{} B", proof["proof_bytes"])));
        rows.push(("verified on a chain for", format!("{} gas", proof["gas"])));
    }
    let files = if proof.is_some() { vec![KEY_FILE, PROOF_FILE] } else { vec![KEY_FILE] };
    rows.push(("files", files.join(", ")));
    let text = format!("key in {}\n{}", args.out.display(), table(&rows));
    let json = json!({ "out": args.out, "files": files, "key": exported, "proof": proof });
    Ok(Report { text, json })
}

/// What a contract is given of a proof that it must accept, for the statement that the proof itself names: what is expected is for the contract to say.
fn exported(path: &Path, key: &VerifierKey) -> Result<Value, Error> {
    let file = ProofFile::read(path)?;
    if file.vk_digest != key.digest() {
        let expected = to_hex(&key.digest());
        return Err(Error::field(path, "vk_digest", format!("the key's is {expected}")));
    }
    // Of another scheme, there might be more public inputs.
    if file.shape != *key.shape() {
        return Err(Error::field(path, "shape", "not the key's"));
    }
    let rejected = |fault: ProofFault| Error::BadProofs(vec![(path.to_path_buf(), fault)]);
    let statement = claim(key.shape(), file.claimed_inputs()).map_err(rejected)?;
    key.verify(&statement, &file.proof).map_err(|error| rejected(error.into()))?;
    let proof = key.calldata(&file.proof).map_err(|error| rejected(error.into()))?;
    let Some(compact) = key.key().as_compact() else {
        unreachable!("it verified a proof of compact")
    };
    let (name, inputs) = (compact.evm_key().name(), file.claimed_inputs());
    let (gas, _) = run_on_chain(compact.evm_key().as_bytes(), inputs, &proof)?;
    Ok(json!({
        "name": to_hex(&name),
        "public_inputs": inputs.iter().map(field_to_hex).collect::<Vec<_>>(),
        "proof": to_hex(&proof),
        "proof_bytes": proof.len(),
        "gas": gas,
        "calldata": to_hex(&Calldata::verify_compact(name, inputs, proof.clone())),
    }))
}

/// Has the contract verify a proof, in its long encoding, that the verifier has accepted; returns the gas, and the bytes of
/// the contract's code.
pub(super) fn run_on_chain(
    evm_key: &[u8],
    inputs: &[Fr],
    proof: &[u8],
) -> Result<(u64, usize), Error> {
    let mut verifier = Verifier::new()?;
    let name = verifier.register(evm_key)?;
    let outcome = verifier.verify(name, inputs, proof)?;
    if !outcome.accepted() {
        let reason = "MusterVerifier refuses what the verifier here accepts";
        return Err(muster_evm::Error::Contract(reason.into()).into());
    }
    Ok((outcome.execution_gas, verifier.code_length()))
}

fn write(output: &mut Output, name: &str, json: &Value) -> Result<(), Error> {
    output.write(name, |writer| {
        serde_json::to_writer_pretty(&mut *writer, json)?;
        writer.write_all(b"\n")
    })?;
    Ok(())
}
