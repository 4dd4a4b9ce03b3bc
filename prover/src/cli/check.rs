//! `muster check`.

use std::path::PathBuf;

use halo2_base::halo2_proofs::dev::{MockProver, VerifyFailure};
use muster_circuits::{Statement, ThresholdCircuit};
use serde_json::json;

use super::{describe, Report, RuleArgs, ShapeArgs, Suite};
use crate::{
    encoding::{field_to_hex, message_to_hex},
    files::{CommitteeFile, SignaturesFile},
    progress::Progress,
    Error,
};

/// Check signatures natively, then every constraint of the circuit; no keys, no proof.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  muster check --committee sample/committee.json --signatures sample/signatures.json --threshold 8

Exit status 1 names the signer and the rule that is broken, 2 the file and the field.")]
pub(super) struct CheckArgs {
    /// The committee's file.
    #[arg(long, value_name = "FILE")]
    committee: PathBuf,
    /// The signatures' file.
    #[arg(long, value_name = "FILE")]
    signatures: PathBuf,
    /// The least sum of the signers' weights.
    #[arg(long, value_name = "T")]
    threshold: u64,
    /// Signature slots of the circuit. Without it one for each signature.
    #[arg(long, value_name = "K")]
    slots: Option<usize>,
    #[command(flatten)]
    rule: RuleArgs,
    #[command(flatten)]
    shape: ShapeArgs,
}

pub(super) fn run(args: &CheckArgs) -> Result<Report, Error> {
    let progress = Progress::new();
    let CommitteeFile { scheme, keys, committee } = CommitteeFile::read(&args.committee)?;
    let SignaturesFile { message, signatures, .. } =
        SignaturesFile::read(&args.signatures, scheme, keys)?;
    let signers = signatures.members().len();
    let slots = args.slots.unwrap_or(signers.max(1));
    let shape =
        args.shape.fit(Suite::new(scheme, keys, args.rule)?, committee.members().len(), slots)?;
    let key_set_root = shape.tree(&committee)?.root();
    let statement = Statement { key_set_root, threshold: args.threshold, message };
    muster_circuits::verify(&shape, &statement, &committee, &signatures)?;
    let what = format!("checking every constraint: {}", describe(&shape));
    progress.run(&what, || {
        let circuit = ThresholdCircuit::check(&shape, &statement, &committee, &signatures)?;
        let inputs = vec![statement.public_inputs()];
        let prover = MockProver::run(shape.degree(), &circuit, inputs).map_err(Error::Prover)?;
        let mut failures = prover.verify_par().err().unwrap_or_default();
        // A cell that nobody assigned is zero to the prover as well; the mock prover's serial check
        // does not ask for it either.
        failures.retain(|failure| !matches!(failure, VerifyFailure::CellNotAssigned { .. }));
        match failures.first() {
            None => Ok(()),
            Some(first) => {
                Err(Error::Unsatisfied { count: failures.len(), first: first.to_string() })
            }
        }
    })?;
    let (root, message) = (field_to_hex(&key_set_root), message_to_hex(&message));
    let text = format!(
        "accepted: {signers} signers of {} with a weight of at least {} signed {message}\n\
         key-set root {root}\nevery constraint holds: {}",
        committee.members().len(),
        args.threshold,
        describe(&shape)
    );
    let json = json!({
        "accepted": true,
        "key_set_root": root,
        "threshold": args.threshold,
        "message": message,
        "signers": signers,
        "shape": shape,
    });
    Ok(Report { text, json })
}
