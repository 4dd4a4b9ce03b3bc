//! Every constraint of a circuit, checked without keys or proof.

use halo2_base::halo2_proofs::{dev::MockProver, halo2curves::bn256::Fr};
use muster_circuits::{CircuitShape, Shape, Witness};
use muster_gates::broken_constraints;

use crate::Error;

/// Fills the circuit of `shape` with what the native check accepted, and checks every constraint.
///
/// # Errors
///
/// [`Error::Unsatisfied`] with the names of the constraints that do not hold; [`Error::Circuit`]
/// for whatever does not fit the shape.
pub fn check_constraints(shape: &Shape, witness: &Witness) -> Result<(), Error> {
    let circuit = shape.circuit(witness, false)?;
    let inputs = witness.statement().public_inputs();
    check(&circuit.mock(inputs).map_err(Error::Prover)?)
}

/// Checks every constraint of a circuit that a mock prover holds.
pub(crate) fn check(prover: &MockProver<Fr>) -> Result<(), Error> {
    let broken = broken_constraints(prover);
    if broken.is_empty() {
        return Ok(());
    }
    Err(Error::Unsatisfied(broken))
}
