//! Every constraint of a circuit, asked of halo2's mock prover.
//!
//! Its code is generic and is compiled where it is called: in this crate, which the tests' profile optimises. In one that it does not,
//! a circuit of BLS takes three times as long to check.

use std::{
    collections::BTreeSet,
    panic::{catch_unwind, AssertUnwindSafe},
};

use halo2_base::halo2_proofs::{
    dev::{MockProver, VerifyFailure},
    halo2curves::bn256::Fr,
    plonk::Error as PlonkError,
};

use crate::GateCircuit;

impl GateCircuit {
    /// The circuit in the hands of a mock prover, with these public inputs.
    ///
    /// # Errors
    ///
    /// Those of halo2, if there are more public inputs than rows.
    pub fn mock(&self, inputs: Vec<Fr>) -> Result<MockProver<Fr>, PlonkError> {
        MockProver::run(self.layout().k, self, vec![inputs])
    }
}

/// The names of the constraints that do not hold, each once and in order: none if all do.
pub fn broken_constraints(prover: &MockProver<Fr>) -> Vec<String> {
    // If a relation at the top of its columns does not hold, the mock prover panics while it
    // gathers the cells to show. That panic is of no use to anyone.
    let failures = catch_unwind(AssertUnwindSafe(|| prover.verify_par()));
    let broken: BTreeSet<_> = match failures {
        Ok(verdict) => verdict.err().unwrap_or_default().iter().filter_map(name).collect(),
        Err(_) => ["a relation whose cells cannot be shown".to_owned()].into(),
    };
    broken.into_iter().collect()
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
