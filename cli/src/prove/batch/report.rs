//! What is said of a batch.

use std::{path::PathBuf, time::Duration};

use muster_prover::{encoding::to_hex, Keys, Profile};
use muster_sweep::{memory::peak, memory_name};
use serde_json::json;

use super::making::Made;
use crate::{memory::Plan, prove::ProveArgs, report::Report, table, Error};

/// What became of all.
#[derive(Default)]
pub(super) struct Outcome {
    pub(super) made: Vec<Made>,
    /// Folders whose proofs were there.
    pub(super) there: Vec<PathBuf>,
    pub(super) failed: Vec<(PathBuf, Error)>,
    /// Old proofs of folders that failed.
    pub(super) removed: Vec<PathBuf>,
    pub(super) preparation: Profile,
    pub(super) taken: Duration,
}

/// So many proofs, in words.
pub(super) fn counted(count: usize) -> String {
    format!("{count} {}", if count == 1 { "proof" } else { "proofs" })
}

pub(super) fn report(args: &ProveArgs, keys: &Keys, plan: &Plan, outcome: &Outcome) -> Report {
    let Outcome { made, there, taken, .. } = outcome;
    let mut profile = outcome.preparation.clone();
    made.iter().for_each(|made| profile += made.profile.clone());
    let seconds = taken.as_secs_f64();
    let throughput = if made.is_empty() { 0.0 } else { made.len() as f64 / seconds };
    let rows = [
        ("verifying key", to_hex(&keys.vk_digest())),
        ("kind", keys.verifier().kind().name().to_owned()),
        ("memory", plan.describe()),
        ("time", table::time(*taken)),
        ("throughput", format!("{throughput:.2} proofs a second, {} at once", plan.at_once)),
    ];
    let (path, profiled) = (args.out.display(), args.profile.text(&profile));
    let others = match there.len() {
        0 => String::new(),
        1 => "; 1 already existed".to_owned(),
        count => format!("; {count} already existed"),
    };
    let proofs = counted(made.len());
    let said = |made: &Made| format!("{}{}", made.insecure, made.dropped);
    let said: String = made.iter().map(said).collect();
    let text = format!("{said}{proofs} in {path}{others}\n{}{profiled}", table::table(&rows));
    let texts = |paths: &[PathBuf]| -> Vec<String> {
        paths.iter().map(|path| path.display().to_string()).collect()
    };
    let json = json!({
        "proofs": made.iter().map(|made| &made.json).collect::<Vec<_>>(),
        "there": texts(there),
        "removed": texts(&outcome.removed),
        "kind": keys.verifier().kind(),
        "vk_digest": to_hex(&keys.vk_digest()),
        "at_once": plan.at_once,
        "memory": memory_name(plan.memory),
        "estimate_bytes": plan.bytes,
        "peak_bytes": peak(),
        "prove_s": seconds,
        "proofs_per_s": throughput,
        "profile": args.profile.json(&profile),
    });
    Report { text, json }
}
