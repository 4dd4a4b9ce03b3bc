//! `muster handover`.

use std::path::PathBuf;

use muster_circuits::{Committee as Members, Shape};
use muster_evm::bridge::{BridgeFault, Committee, Handover, Scope, Sequence};
use muster_prover::{
    encoding::{field_to_hex, to_hex},
    files::{weight::to_json, CommitteeFile},
};
use muster_schemes::decimal;
use serde_json::json;

use super::args::{bad_argument, form, scope_json, ScopeArgs};
use crate::{on_chain::ChainKey, report::Report, table::table, values::ThresholdArg, Error};

/// Print what the committee in office signs to hand over to the next one, and what the next one signs to accept.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  muster handover --committee next.json --threshold 11 --sequence 1 --keys keys --valid-until 1800000000 \\
      --epoch 1 --current committee.json --source-chain 1 --chain 10 --client 0x…
  muster handover --committee next.json --threshold 11 --next-keys next-keys --sequence 2 --key 0x… \\
      --valid-until 0 --epoch 1 --root 0x… --source-chain 1 --chain 10 --client 0x… --json

The committee in office signs the digest; its proof goes to the light client's propose. The next committee signs
the acceptance digest, which shows that it can; its proof goes to accept: see muster calldata --for propose and
--for accept. A light client that asks for no acceptance takes the next committee at once, and stops for good if
that cannot sign. Either digest is for the --valid-until that is given here: run again for an acceptance with
another.

Of several proposals of one epoch the light client takes those in the order of their sequences, and only the last one
can be accepted. The next committee must fit the circuit of its keys and be able to reach its threshold.")]
pub(crate) struct HandoverArgs {
    /// File of the next committee.
    #[arg(long, value_name = "FILE")]
    committee: PathBuf,
    /// Threshold of the next committee: a number, or a quorum of its total weight such as '>2/3' or
    /// '>=2/3'.
    #[arg(long, value_name = "T")]
    threshold: ThresholdArg,
    /// Keys that proofs of the next committee are verified under (default: those of --keys).
    #[arg(long, value_name = "DIR")]
    next_keys: Option<PathBuf>,
    /// Number of the proposal, greater than that of every other, by at most 2^32: the light client takes no greater
    /// step.
    #[arg(long, value_name = "N", value_parser = sequence)]
    sequence: Sequence,
    #[command(flatten)]
    scope: ScopeArgs,
}

pub(crate) fn sequence(text: &str) -> Result<Sequence, String> {
    let number = decimal::read(text).map_err(|reason| reason.to_string())?;
    Sequence::new(number).map_err(|fault| fault.to_string())
}

pub(crate) fn run(args: &HandoverArgs) -> Result<Report, Error> {
    let keys = args.scope.keys()?;
    let scope = args.scope.scope(keys.as_ref())?;
    let load = |keys: &PathBuf| ChainKey::load("--next-keys", keys);
    let next_keys = args.next_keys.as_ref().map(load).transpose()?;
    let (option, next_keys) = match &next_keys {
        Some(keys) => ("--next-keys", Some(keys)),
        None => ("--keys", keys.as_ref()),
    };
    // Without them the root would be that of another tree, and nobody would notice.
    let missing = "--next-keys: the keys of the next committee are needed";
    let next_keys = next_keys.ok_or_else(|| Error::usage(missing.into()))?;
    let next = next(args, option, next_keys)?;
    let handover = Handover::new(&scope, &next, args.sequence)
        .map_err(|fault| bad_argument("--epoch", &fault))?;
    Ok(report(args, &scope, &next, &handover))
}

/// The next committee, once it is known that it can sign.
fn next(args: &HandoverArgs, option: &str, keys: &ChainKey) -> Result<Committee, Error> {
    let (form, key, path) = (form(option, keys)?, keys.key(), &args.committee);
    let terms = key.shape().terms()?;
    let file = CommitteeFile::read_for(path, args.scope.seats.seats(), &terms)?;
    let root = file.tree(path, &terms)?.root();
    let threshold = args.threshold.of(&file)?;
    check_slots(key.shape(), &file.committee, threshold)?;
    Committee::new(keys.name(), root, threshold, form).map_err(|fault| match fault {
        BridgeFault::Threshold(_) => bad_argument("--threshold", &fault),
        _ => Error::field(path, "members", fault),
    })
}

fn report(args: &HandoverArgs, scope: &Scope, next: &Committee, handover: &Handover) -> Report {
    let valid_until = args.scope.valid_until;
    let proposal = to_hex(&handover.proposal().0);
    let digest = handover.digest(valid_until).to_hex();
    let acceptance = handover.acceptance_digest(valid_until).to_hex();
    let (root, epoch) = (field_to_hex(next.root()), handover.next_scope().epoch.number());
    let text = table(&[
        ("proposal", proposal.clone()),
        ("digest", digest.clone()),
        ("acceptance digest", acceptance.clone()),
        ("next key", next.key().to_string()),
        ("next root", root.clone()),
        ("next threshold", next.threshold().to_string()),
        ("next form", next.form().to_string()),
        ("next epoch", epoch.to_string()),
    ]);
    let json = json!({
        "proposal": proposal,
        "digest": digest,
        "acceptance_digest": acceptance,
        "sequence": to_json(args.sequence.number().into()),
        "valid_until": to_json(valid_until.seconds().into()),
        "next": {
            "key": next.key().to_string(),
            "root": root,
            "threshold": to_json(next.threshold().into()),
            "form": next.form().name(),
            "epoch": to_json(epoch.into()),
        },
        "scope": scope_json(scope),
    });
    Report { text, json }
}

/// Checks that as many members as the circuit has slots can reach the threshold, or all if the slots are for
/// the absent.
fn check_slots(shape: &Shape, committee: &Members, threshold: u64) -> Result<(), Error> {
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
