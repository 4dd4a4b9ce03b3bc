//! `muster keygen`: what keys are made for, with which packs, and what is said of them.

use std::{
    path::{Path, PathBuf},
    time::Instant,
};

use muster_circuits::{CircuitShape, Columns, Shape};
use muster_params::Srs;
use muster_prover::{encoding::to_hex, keys::Plan, Keys, KeysOf, ProofKind};
use muster_schemes::decimal;
use serde_json::{json, Value};

use crate::{
    progress::Progress,
    report::{joined, Report},
    shape::{describe, CircuitArgs},
    srs_args::SrsArgs,
    table::{table, time},
    values::kinds,
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
    let mut more = vec![("planning", time(planned)), ("time", time(taken))];
    more.extend(plan.as_ref().map(|plan| ("packs", packs(plan))));
    let Report { text, json } = made(&args.out, (&keys, describe(&shape)), &srs, more);
    let more = json!({
        "packs": plan.as_ref().map(packs_json),
        "plan_s": planned.as_secs_f64(),
        "keygen_s": taken.as_secs_f64(),
    });
    Ok(Report { text, json: joined(json, more) })
}

/// What keys are made for, and with which packs.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct PacksArgs {
    /// Format of the proofs that the keys are for.
    #[arg(long, value_parser = kinds(), default_value = "fast")]
    kind: ProofKind,
    /// Polynomials that share a commitment, with --kind compact. More make proofs cheaper to verify on a chain, take longer
    /// to prove, and take an SRS of more powers (default: what costs least in all, with at most six packs).
    #[arg(long, value_name = "T", value_parser = decimal::within::<u32>(Plan::STRIDES))]
    stride: Option<u32>,
}

impl PacksArgs {
    /// The format.
    pub fn kind(&self) -> ProofKind {
        self.kind
    }

    /// Refuses a stride for keys that have no packs, before anything takes long.
    ///
    /// # Errors
    ///
    /// [`muster_prover::Error::Usage`].
    pub fn check(&self) -> Result<(), Error> {
        if self.stride.is_some() && self.kind != ProofKind::Compact {
            return Err(Error::usage("--stride: for keys of --kind compact alone".into()));
        }
        Ok(())
    }

    /// The packs of keys for a shape; `None` for keys that have none.
    ///
    /// # Errors
    ///
    /// Those of [`Self::check`] and of [`Keys::plan`].
    pub fn plan(&self, shape: &Shape, progress: &Progress) -> Result<Option<Plan>, Error> {
        self.check()?;
        if self.kind != ProofKind::Compact {
            return Ok(None);
        }
        let plan = || Keys::plan(shape, self.stride);
        Ok(Some(progress.if_slow("planning the packs", plan)?))
    }
}

/// Packs, for programs.
pub fn packs_json(plan: &Plan) -> Value {
    json!({
        "count": plan.packing().packs().len(),
        "stride": plan.packing().stride(),
        "decider_degree": plan.decider_k(),
        "powers": plan.powers(),
    })
}

/// What is said of keys that were made, with `more` rows for people.
pub(super) fn made<S: CircuitShape>(
    out: &Path,
    (keys, shape): (&KeysOf<S>, String),
    srs: &Srs,
    more: Vec<(&'static str, String)>,
) -> Report {
    let columns = Columns::of(keys.shape().layout());
    let (digest, srs_digest) = (to_hex(&keys.vk_digest()), to_hex(&srs.digest()));
    let insecure = if srs.is_insecure() { " (INSECURE)" } else { "" };
    let mut rows = vec![
        ("shape", shape),
        ("advice columns", columns.advice.to_string()),
        ("lookups", columns.lookups.to_string()),
        ("fixed columns", columns.fixed.to_string()),
        ("verifying key", digest.clone()),
        ("SRS", format!("{srs_digest}{insecure}")),
    ];
    rows.extend(more);
    let json = json!({
        "keys": out,
        "shape": keys.shape(),
        "columns": {
            "advice": columns.advice,
            "fixed": columns.fixed,
            "lookups": columns.lookups,
            "permutation": columns.permutation,
        },
        "vk_digest": digest,
        "kind": keys.verifier().kind(),
        "srs": { "insecure": srs.is_insecure(), "digest": srs_digest },
    });
    Report { text: format!("keys in {}\n{}", out.display(), table(&rows)), json }
}

/// The packs of keys of the format compact.
fn packs(plan: &Plan) -> String {
    let (count, stride) = (plan.packing().packs().len(), plan.packing().stride());
    format!("{count} of at most {stride} polynomials, decider of 2^{} rows", plan.decider_k())
}
