//! `muster prove`.

use std::{io::Write, path::PathBuf};

use muster_circuits::Statement;
use serde_json::json;

use super::{report::Report, shape::selected, table, threshold::ThresholdArg};
use crate::{
    encoding::{field_to_hex, message_to_hex, to_hex},
    files::{weight, CommitteeFile, ProofFile, SignaturesFile},
    output::Output,
    progress::Progress,
    prove_with,
    srs::{self, SrsArgs},
    Error, Keys, ProverKind, TranscriptKind,
};

/// Prove that members of a committee signed.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  muster prove --keys keys --committee sample/committee.json \\
      --signatures sample/signatures.json --threshold 8 --out proof.json

Needs the SRS that the keys were made from: out of the cache, or again with --srs FILE.")]
pub(super) struct ProveArgs {
    /// Directory with the keys.
    #[arg(long, value_name = "DIR")]
    keys: PathBuf,
    /// The committee's file.
    #[arg(long, value_name = "FILE")]
    committee: PathBuf,
    /// The signatures' file. If there are more signatures than slots, the heaviest are taken,
    /// as few as reach the threshold.
    #[arg(long, value_name = "FILE")]
    signatures: PathBuf,
    /// The least sum of the signers' weights, or a part of all weights, such as '>2/3' or '>=2/3'.
    #[arg(long, value_name = "T")]
    threshold: ThresholdArg,
    /// Hash for the proof's challenges: keccak for contracts, poseidon for recursion.
    #[arg(long, value_enum, default_value_t)]
    transcript: TranscriptKind,
    /// What makes the proof: Muster's own prover, or halo2's as a reference.
    #[arg(long, value_enum, default_value_t)]
    prover: ProverKind,
    #[command(flatten)]
    srs: SrsArgs,
    /// Replace the file if it exists.
    #[arg(long)]
    force: bool,
    /// File for the proof.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

pub(super) fn run(args: &ProveArgs) -> Result<Report, Error> {
    let progress = Progress::new();
    let (mut output, name) = Output::single(&args.out, args.force)?;
    let file = CommitteeFile::read(&args.committee)?;
    let threshold = args.threshold.of(&file)?;
    let SignaturesFile { message, signatures, .. } =
        SignaturesFile::read(&args.signatures, file.scheme, file.keys)?;
    let keys = progress.run("reading the keys", || Keys::load(&args.keys))?;
    let shape = keys.shape();
    let key_set_root = file.tree(&args.committee, &shape.terms()?)?.root();
    let message = shape.suite()?.stated(&message)?;
    let committee = file.committee;
    let statement = Statement { key_set_root, threshold, message };
    let witness = shape.terms()?.verify(&statement, &committee, &signatures)?;
    let selection = witness.select(shape.slots)?;
    let srs = srs::of_keys(&args.srs, keys.srs(), shape.degree(), &progress)?;
    let (proof, taken) = progress
        .timed("proving", || prove_with(args.prover, &srs, &keys, &witness, args.transcript));
    let written = ProofFile::new(&keys, &statement, proof?);
    output.write(&name, |writer| writer.write_all(written.to_json().as_bytes()))?;
    output.commit()?;
    let (root, message) = (field_to_hex(&key_set_root), message_to_hex(&statement.message));
    let rows = [
        ("key-set root", root.clone()),
        ("threshold", threshold.to_string()),
        ("message", message.clone()),
        ("verifying key", to_hex(&keys.vk_digest())),
        ("transcript", args.transcript.name().to_owned()),
        ("proof", table::bytes(written.proof.bytes().len() as u64)),
        ("time", table::time(taken)),
    ];
    let selected = selected(&selection, shape);
    let text = format!("{selected}proof in {}\n{}", args.out.display(), table::table(&rows));
    let json = json!({
        "proof": args.out,
        "key_set_root": root,
        "threshold": weight::to_json(threshold.into()),
        "message": message,
        "taken": selection.taken(),
        "left_out": selection.left_out(),
        "transcript": args.transcript,
        "proof_bytes": written.proof.bytes().len(),
        "vk_digest": to_hex(&keys.vk_digest()),
        "srs": written.srs,
        "prove_s": taken.as_secs_f64(),
    });
    Ok(Report { text, json })
}
