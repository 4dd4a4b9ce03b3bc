//! `muster handover`.

use std::path::PathBuf;

use muster_circuits::{Committee, Shape};
use muster_evm::bridge::{BridgeFault, KeySet};
use muster_prover::{encoding::field_to_hex, files::weight::to_json};
use serde_json::json;

use super::args::{bad_argument, scope_json, ScopeArgs};
use crate::{report::Report, table::table, threshold::ThresholdArg, Error};

/// Print what the committee in office signs to hand over to the next one.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  muster handover --committee next.json --threshold 11 --keys keys --epoch 1 --root 0x… \\
      --source-chain 1 --chain 10 --client 0x…
  muster handover --committee next.json --threshold 11 --keys keys --epoch 1 \\
      --current committee.json --source-chain 1 --chain 10 --client 0x… --json

The committee in office signs the digest as its message. The proof and the four arguments
go to the light client's rotate: see muster calldata --for rotate. --keys are the keys of the light
client's verifier: their tree is used for the next committee, which must fit the circuit and be able to
reach its threshold. A light client handed over to a committee that cannot do so stops for good.")]
pub(crate) struct HandoverArgs {
    /// File of the next committee.
    #[arg(long, value_name = "FILE")]
    committee: PathBuf,
    /// Threshold of the next committee: a number, or a quorum of its total weight such as '>2/3' or
    /// '>=2/3'.
    #[arg(long, value_name = "T")]
    threshold: ThresholdArg,
    #[command(flatten)]
    scope: ScopeArgs,
}

pub(crate) fn run(args: &HandoverArgs) -> Result<Report, Error> {
    // Without them the root would be that of another tree, and nobody would notice.
    let missing =
        || Error::usage("--keys: the keys of the light client's verifier are needed".into());
    let key = args.scope.tree.key()?.ok_or_else(missing)?;
    let scope = args.scope.scope(Some(&key))?;
    let epoch = scope.epoch.next().map_err(|fault| bad_argument("--epoch", &fault))?;
    let file = args.scope.tree.committee(Some(&key), &args.committee, args.scope.seats)?;
    let tree = args.scope.tree.tree(Some(&key), &args.committee, &file)?;
    let (threshold, weight) = (args.threshold.of(&file)?, file.total_weight());
    let next = KeySet::new(tree.root(), threshold, weight, epoch);
    let next = next.map_err(|fault| match fault {
        BridgeFault::Threshold { .. } => bad_argument("--threshold", &fault),
        _ => Error::field(&args.committee, "members", fault),
    })?;
    check_slots(key.shape(), &file.committee, threshold)?;
    let digest = scope.handover_digest(&next).map_err(|fault| bad_argument("--epoch", &fault))?;
    let (digest, root) = (field_to_hex(&digest), field_to_hex(next.root()));
    let text = table(&[
        ("digest", digest.clone()),
        ("newRoot", root.clone()),
        ("newThreshold", threshold.to_string()),
        ("newTotalWeight", weight.to_string()),
        ("newEpoch", epoch.number().to_string()),
    ]);
    let json = json!({
        "digest": digest,
        "rotate": {
            "new_root": root,
            "new_threshold": to_json(threshold.into()),
            "new_total_weight": to_json(weight.into()),
            "new_epoch": epoch.number(),
        },
        "scope": scope_json(&scope),
        "arity": tree.arity(),
        "depth": tree.depth(),
    });
    Ok(Report { text, json })
}

/// Checks that as many members as the circuit has slots can reach the threshold, or all if the slots are for the absent.
fn check_slots(shape: &Shape, committee: &Committee, threshold: u64) -> Result<(), Error> {
    let mut weights: Vec<_> = committee.members().iter().map(|member| member.weight).collect();
    weights.sort_unstable_by(|a, b| b.cmp(a));
    let signers = if shape.mode.holds_absent() { weights.len() } else { shape.slots };
    let most: u64 = weights.iter().take(signers).sum();
    if threshold > most {
        let slots = shape.slots;
        return Err(Error::usage(format!(
            "--threshold: {threshold}, but the keys have {slots} slots, and no {slots} members \
             weigh more than {most}"
        )));
    }
    Ok(())
}
