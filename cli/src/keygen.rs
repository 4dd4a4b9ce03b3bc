//! `muster keygen`.

use std::{path::PathBuf, time::Instant};

use muster_circuits::Columns;
use muster_prover::{encoding::to_hex, keys::Plan, Keys};
use serde_json::json;

use super::{circuit::CircuitArgs, report::Report, shape::describe, table::table};
use crate::{
    kinds::{packs_json, PacksArgs},
    progress::Progress,
    srs_args::SrsArgs,
    Error,
};

/// Make the proving and the verifying key for a shape.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  muster keygen --scheme schnorr-babyjubjub --signers 16 --slots 8 --srs hermez-raw-12 --out keys
  muster keygen --scheme eddsa-babyjubjub --signers 1048576 --slots 10 --mode path --insecure-srs \\
      --out keys
  muster keygen --scheme ecdsa-secp256k1 --keys address --signers 16 --slots 8 --insecure-srs \\
      --out keys
  muster keygen --scheme bls-bls12-381 --signers 512 --absent 64 --insecure-srs --out keys
  muster keygen --scheme schnorr-babyjubjub --signers 16 --slots 8 --mask --insecure-srs \\
      --out keys
  muster keygen --scheme schnorr-babyjubjub --signers 16 --slots 8 --kind compact --insecure-srs \\
      --out keys

The keys serve every committee of at most --signers members, every threshold and every message.
Writes shape.json, verifying.key and proving.key; verifiers need the first two.")]
pub(super) struct KeygenArgs {
    #[command(flatten)]
    circuit: CircuitArgs,
    #[command(flatten)]
    srs: SrsArgs,
    #[command(flatten)]
    packs: PacksArgs,
    /// Replace existing files.
    #[arg(long)]
    force: bool,
    /// Directory for the keys.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

pub(super) fn run(args: &KeygenArgs) -> Result<Report, Error> {
    let progress = Progress::new();
    args.packs.check()?;
    let start = Instant::now();
    let shape = args.circuit.fit(&progress)?;
    let planned = start.elapsed();
    let output = Keys::output(&args.out, args.force)?;
    let plan = args.packs.plan(&shape, &progress)?;
    let degree = plan.as_ref().map_or(shape.degree(), Plan::srs_degree);
    let srs = args.srs.load(degree, &progress)?;
    let what = format!("making keys: {}", describe(&shape));
    let make = || Keys::make_planned(&srs, &shape, plan.as_ref());
    let (keys, taken) = progress.timed(&what, make);
    let keys = keys?;
    progress.run("writing the keys", || keys.save_to(output))?;
    let columns = Columns::of(&shape.layout);
    let vk_digest = to_hex(&keys.vk_digest());
    let mut rows = vec![
        ("shape", describe(&shape)),
        ("advice columns", columns.advice.to_string()),
        ("lookups", columns.lookups.to_string()),
        ("fixed columns", columns.fixed.to_string()),
        ("verifying key", vk_digest.clone()),
        ("SRS", to_hex(&srs.digest()) + if srs.is_insecure() { " (INSECURE)" } else { "" }),
        ("planning", super::table::time(planned)),
        ("time", super::table::time(taken)),
    ];
    rows.extend(plan.as_ref().map(|plan| ("packs", packs(plan))));
    let text = format!("keys in {}\n{}", args.out.display(), table(&rows));
    let json = json!({
        "keys": args.out,
        "shape": shape,
        "columns": {
            "advice": columns.advice,
            "fixed": columns.fixed,
            "lookups": columns.lookups,
            "permutation": columns.permutation,
        },
        "vk_digest": vk_digest,
        "kind": keys.verifier().kind(),
        "packs": plan.as_ref().map(packs_json),
        "srs": { "insecure": srs.is_insecure(), "digest": to_hex(&srs.digest()) },
        "plan_s": planned.as_secs_f64(),
        "keygen_s": taken.as_secs_f64(),
    });
    Ok(Report { text, json })
}

/// The packs of keys of the format compact.
fn packs(plan: &Plan) -> String {
    let (count, stride) = (plan.packing().packs().len(), plan.packing().stride());
    format!("{count} of at most {stride} polynomials, decider of 2^{} rows", plan.decider_k())
}
