//! Every constraint of a circuit, checked without keys or proof.

use std::{
    collections::BTreeSet,
    panic::{catch_unwind, AssertUnwindSafe},
};

use halo2_base::halo2_proofs::{
    dev::{MockProver, VerifyFailure},
    halo2curves::bn256::Fr,
    plonk::Circuit,
};
use muster_circuits::{Shape, ThresholdCircuit, Witness};

use crate::Error;

/// Fills the circuit of `shape` with what the native check accepted, and checks every constraint.
///
/// # Errors
///
/// [`Error::Unsatisfied`] with the names of the constraints that do not hold; [`Error::Circuit`]
/// for whatever does not fit the shape.
pub fn check_constraints(shape: &Shape, witness: &Witness) -> Result<(), Error> {
    let circuit = ThresholdCircuit::check(shape, witness)?;
    check_circuit(shape.degree(), &circuit, witness.statement().public_inputs())
}

/// Checks every constraint of a circuit with these public inputs.
pub(crate) fn check_circuit(
    degree: u32,
    circuit: &impl Circuit<Fr>,
    inputs: Vec<Fr>,
) -> Result<(), Error> {
    let prover = MockProver::run(degree, circuit, vec![inputs]).map_err(Error::Prover)?;
    // If a relation at the top of its columns does not hold, the mock prover panics while it
    // gathers the cells to show. That panic is of no use to anyone.
    let failures = catch_unwind(AssertUnwindSafe(|| prover.verify_par()));
    let broken: BTreeSet<_> = match failures {
        Ok(verdict) => verdict.err().unwrap_or_default().iter().filter_map(name).collect(),
        Err(_) => ["a relation whose cells cannot be shown".to_owned()].into(),
    };
    if broken.is_empty() {
        return Ok(());
    }
    Err(Error::Unsatisfied(broken.into_iter().collect()))
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
        // To the prover, too, an unassigned cell is zero; the mock prover's serial check does not
        // report it either.
        VerifyFailure::CellNotAssigned { .. } => None,
    }
}
