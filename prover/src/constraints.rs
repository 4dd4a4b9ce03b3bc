//! Every constraint of a circuit, checked without keys or proof.

use std::{
    collections::BTreeSet,
    panic::{catch_unwind, AssertUnwindSafe},
};

use halo2_base::halo2_proofs::dev::{MockProver, VerifyFailure};
use muster_circuits::{Committee, Shape, Signatures, Statement, ThresholdCircuit};

use crate::Error;

/// Fills the circuit of `shape` and checks every constraint. For what the native check accepted: of
/// a false statement this cannot say who broke which rule.
///
/// # Errors
///
/// [`Error::Unsatisfied`] with the names of the constraints that do not hold, [`Error::Circuit`] for
/// what does not fit the shape.
pub fn check_constraints(
    shape: &Shape,
    statement: &Statement,
    committee: &Committee,
    signatures: &Signatures,
) -> Result<(), Error> {
    let circuit = ThresholdCircuit::check(shape, statement, committee, signatures)?;
    let inputs = vec![statement.public_inputs()];
    let prover = MockProver::run(shape.degree(), &circuit, inputs).map_err(Error::Prover)?;
    // Where a relation at the head of its columns does not hold, the mock prover panics when it
    // gathers the cells to show, which nobody wants to see.
    let failures = catch_unwind(AssertUnwindSafe(|| prover.verify_par()));
    let broken: BTreeSet<_> = match failures {
        Ok(verdict) => verdict.err().unwrap_or_default().iter().filter_map(name).collect(),
        Err(_) => ["a relation whose cells cannot be shown".to_owned()].into(),
    };
    match broken.is_empty() {
        true => Ok(()),
        false => Err(Error::Unsatisfied(broken.into_iter().collect())),
    }
}

/// What does not hold, by the name that its gate gives it.
fn name(failure: &VerifyFailure) -> Option<String> {
    match failure {
        VerifyFailure::ConstraintNotSatisfied { constraint, .. }
        | VerifyFailure::ConstraintPoisoned { constraint } => Some(constraint.to_string()),
        VerifyFailure::Lookup { name, .. } => Some(format!("the lookup '{name}'")),
        VerifyFailure::Permutation { column, .. } => Some(format!("a copy of a cell of {column}")),
        VerifyFailure::InstanceCellNotAssigned { gate, .. } => {
            Some(format!("a public input of {gate}"))
        }
        // A cell that nobody assigned is zero to the prover as well; the mock prover's serial check
        // does not ask for it either.
        VerifyFailure::CellNotAssigned { .. } => None,
    }
}
