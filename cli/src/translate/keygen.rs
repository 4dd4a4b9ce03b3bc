//! `muster translate keygen`.

use std::path::PathBuf;

use muster_circuits::translation::{CommitmentKind, TranslationRequest, TranslationShape};
use muster_prover::{ProofKind, TranslationKeys};
use muster_schemes::decimal;
use serde_json::json;

use super::said::{commitments, describe};
use crate::{
    keygen::made, progress::Progress, report::Report, shape::TreeArgs, srs_args::SrsArgs,
    table::time, values::kinds, Error,
};

/// Make the proving and the verifying key of a translation.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  muster translate keygen --commitment keccak-addresses --signers 19 --insecure-srs --out keys
  muster translate keygen --commitment cometbft-validators --signers 150 --srs hermez-raw-17 --out keys
  muster translate keygen --commitment ethereum-sync-committee --signers 512 --insecure-srs --out keys
  muster translate keygen --commitment aptos-validators --signers 180 --insecure-srs --out keys
  muster translate keygen --commitment sui-validators --signers 130 --insecure-srs --out keys

The keys serve every committee of at most --signers members or, for a sync committee, of exactly as many. Take the --signers, --arity and --depth of the keys that the
committee's own proofs are verified under: the root is that of the same tree. Writes shape.json, verifying.key and
proving.key; verifiers need the first two.")]
pub(super) struct KeygenArgs {
    /// The chain's commitment.
    #[arg(long, value_name = "NAME", value_parser = commitments())]
    commitment: CommitmentKind,
    /// The largest number of members that a committee may have; of a sync committee, how many seats there are.
    #[arg(long, value_name = "N", value_parser = decimal::read::<usize>)]
    signers: usize,
    #[command(flatten)]
    tree: TreeArgs,
    /// log₂ of the circuit's rows (default: the fastest).
    #[arg(long, value_parser = decimal::read::<u32>)]
    degree: Option<u32>,
    #[command(flatten)]
    srs: SrsArgs,
    /// Format of the proofs that the keys are for.
    #[arg(long, value_parser = kinds(), default_value = "fast")]
    kind: ProofKind,
    /// Replace existing files.
    #[arg(long)]
    force: bool,
    /// Directory for the keys.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

pub(super) fn run(args: &KeygenArgs) -> Result<Report, Error> {
    let progress = Progress::new();
    let request = TranslationRequest::new(args.commitment, args.signers);
    let arity = args.tree.arity.unwrap_or(request.arity);
    let request =
        TranslationRequest { arity, depth: args.tree.depth, degree: args.degree, ..request };
    let shape = progress.if_slow("planning the circuit", || TranslationShape::fit(&request))?;
    let output = TranslationKeys::output(&args.out, args.force)?;
    let kind = args.kind;
    let degree =
        progress.if_slow("planning the packs", || TranslationKeys::srs_degree(&shape, kind))?;
    let srs = args.srs.load(degree, &progress)?;
    let what = format!("making keys: {}", describe(&shape));
    let (keys, taken) = progress.timed(&what, || TranslationKeys::make_for(&srs, &shape, kind));
    let keys = keys?;
    progress.run("writing the keys", || keys.save_to(output))?;
    let more = vec![("time", time(taken))];
    let mut report = made(&args.out, (&keys, describe(&shape)), &srs, more);
    report.json["keygen_s"] = json!(taken.as_secs_f64());
    Ok(report)
}
