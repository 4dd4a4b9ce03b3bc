//! `muster export-verifier`.

use std::{
    io::Write,
    path::{Path, PathBuf},
};

use muster_circuits::Statement;
use muster_evm::contract::{
    solc::{Solc, MAX_SIZE, VERSION},
    ContractKey, Export, SrsName, CONTRACT, FIXTURE_FILE, MANIFEST_FILE,
};
use muster_prover::{
    encoding::to_hex, files::ProofFile, output::Output, Proof, ProofKind, VerifierKey,
};
use serde_json::json;

use super::{
    report::{claimed, Report},
    shape::describe,
    table::table,
};
use crate::{fault::claim, progress::Progress, Error};

/// Write the Solidity verifier for a verifying key, and compile it.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  muster export-verifier --keys keys --out verifier
  muster export-verifier --keys keys --proof proof.json --out verifier --force

Writes Halo2Verifier.sol, its wrapper MusterVerifier.sol, and manifest.json. Some keys get another wrapper
to deploy in its place: MusterDigestVerifier.sol if the scheme signs a digest, MusterBytesVerifier.sol if
messages themselves are public, MusterWordsVerifier.sol if points are signed or statements say who signed.
With a compiler, also writes the creation and runtime code in hex.
A verifier too large for one contract calls others, Halo2Verifier.part1.bin and so on, which are deployed
before it: manifest.json lists them in order, and the verifier's constructor takes their addresses.
What the contract and manifest.json say about the SRS is what the keys claim.
With a proof, which must be made with --kind halo2, also writes fixtures for tests, and measures the
gas that the proof takes.

The compiler must be solc 0.8.19: tools/solc in a directory named contracts, here or in a parent directory,
after `npm ci` there, or else solc on the path.")]
pub(super) struct ExportArgs {
    /// Directory with shape.json and verifying.key.
    #[arg(long, value_name = "DIR")]
    keys: PathBuf,
    /// A proof for the fixtures and for the gas.
    #[arg(long, value_name = "FILE")]
    proof: Option<PathBuf>,
    /// The compiler to use.
    #[arg(long, value_name = "PATH")]
    solc: Option<PathBuf>,
    /// Replace existing files.
    #[arg(long)]
    force: bool,
    /// Directory for the files.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

pub(super) fn run(args: &ExportArgs) -> Result<Report, Error> {
    let progress = Progress::new();
    let key = VerifierKey::load(&args.keys)?;
    key.require(ProofKind::Halo2).map_err(|error| {
        let advice = "muster export-key --evm is for them";
        Error::usage(format!("--keys {}: {error}; {advice}", args.keys.display()))
    })?;
    if key.srs().insecure {
        progress.warn(muster_params::INSECURE_WARNING);
    }
    let solc = match &args.solc {
        Some(path) => Some(Solc::at(path)?),
        None => Solc::find(),
    };
    if solc.is_none() {
        progress.warn(&format!(
            "no solc {VERSION} found: the contract is not compiled; run `npm ci` in contracts, or \
             give one with --solc PATH"
        ));
    }
    let proof = args.proof.as_deref().map(|path| read_proof(path, &key)).transpose()?;
    // Asked before the work; which files there will be is known only after it.
    let source = format!("{CONTRACT}.sol");
    let mut output = Output::new(&args.out, &[&source, MANIFEST_FILE], args.force)?;
    let mut export = progress.run("writing and compiling the contract", || {
        Export::new(contract_key(&key), solc.as_ref())
    })?;
    if let Some((statement, proof)) = &proof {
        export =
            progress.run("running the contract", || export.with_proof(statement, proof.bytes()))?;
    }
    for (name, content) in export.files() {
        output.write(&name, |writer| writer.write_all(content.as_bytes()))?;
    }
    output.commit()?;
    Ok(report(args, &key, &export))
}

/// Reads a proof that the contract must accept, for the statement that the proof itself names: it
/// only becomes a fixture, and nobody relies on its statement.
fn read_proof(path: &Path, key: &VerifierKey) -> Result<(Statement, Proof), Error> {
    let file = ProofFile::read(path)?;
    if file.proof.contract_bytes().is_none() {
        return Err(not_for_contracts(path, file.proof.kind()));
    }
    if file.vk_digest != key.digest() {
        let expected = to_hex(&key.digest());
        return Err(Error::field(path, "vk_digest", format!("the key's is {expected}")));
    }
    // Of another scheme, there might be more public inputs.
    if file.shape != *key.shape() {
        return Err(Error::field(path, "shape", "not the key's"));
    }
    let rejected = |fault| Error::BadProofs(vec![(path.to_path_buf(), fault)]);
    let statement = claim(key.shape(), file.claimed_inputs()).map_err(rejected)?;
    key.verify(&statement, &file.proof).map_err(|error| rejected(error.into()))?;
    Ok((statement, file.proof))
}

/// A proof in a format that contracts do not verify.
pub(super) fn not_for_contracts(path: &Path, found: ProofKind) -> Error {
    let advice = match found {
        ProofKind::Compact => "whose calldata muster export-key --evm --proof writes",
        _ => "but contracts verify halo2: prove again with --kind halo2",
    };
    Error::field(path, "kind", format!("{}, {advice}", found.name()))
}

/// What a contract that verifies proofs for a key is written for.
pub(super) fn contract_key(key: &VerifierKey) -> ContractKey<'_> {
    let srs = SrsName { insecure: key.srs().insecure, digest: key.srs().digest };
    let (shape, vk, params, digest) = (key.shape(), key.vk(), key.params(), key.contract_digest());
    ContractKey { shape, vk, params, digest, srs }
}

fn report(args: &ExportArgs, key: &VerifierKey, export: &Export<'_>) -> Report {
    let mut rows = vec![
        ("shape", describe(key.shape())),
        ("verifying key", to_hex(&key.digest())),
        ("the same in contracts", to_hex(&key.contract_digest())),
        ("SRS", key.srs().claim()),
        ("proof", format!("{} B", export.proof_length())),
    ];
    if let Some(bytecode) = export.bytecode() {
        rows.push(("code", format!("{} of {MAX_SIZE} B", bytecode.runtime.len())));
    }
    let parts: Vec<_> = export.written().parts.iter().map(|part| part.code.len()).collect();
    if !parts.is_empty() {
        let sizes: Vec<_> = parts.iter().map(usize::to_string).collect();
        rows.push(("parts before it", format!("{} B", sizes.join(", "))));
    }
    if let Some(hash) = export.verifier_hash() {
        rows.push(("verifier hash", to_hex(&hash)));
    }
    if let Some(gas) = export.gas() {
        rows.push(("gas", format!("{gas}, without the transaction's and its calldata's")));
    }
    let files: Vec<_> = export.files().into_iter().map(|(name, _)| name).collect();
    rows.push(("files", files.join(", ")));
    let text = format!("verifier in {}\n{}", args.out.display(), table(&rows));
    let mut json = export.manifest();
    json["srs"] = claimed(&key.srs().into());
    json["out"] = json!(args.out);
    json["files"] = json!(files);
    json["fixture"] = json!(args.proof.is_some().then_some(FIXTURE_FILE));
    Report { text, json }
}
