//! Making proofs: the one place that calls the prover; and every constraint, checked without keys or proof.

use halo2_base::halo2_proofs::{dev::MockProver, halo2curves::bn256::Fr};
use muster_circuits::{CircuitShape, Shape, Witness};
use muster_gates::{broken_constraints, GateCircuit};
use muster_params::Srs;

use super::Proof;
use crate::{
    keys::KeysOf,
    profile::{Phase, Profile, Stopwatch},
    Error,
};

/// Proves a statement that [`Terms::verify`](muster_circuits::Terms::verify) found to hold, or
/// [`TranslationShape::witness`](muster_circuits::translation::TranslationShape::witness), in the format of the keys. If there
/// are more signatures than slots, the heaviest are used; see [`Witness::select`](muster_circuits::Witness::select). The
/// proof has been verified.
///
/// # Errors
///
/// [`Error::WrongSrs`] if the SRS is not that of the keys, [`Error::FalseClaim`] if they make false claims
/// about it, [`Error::Circuit`] for what does not fit the keys' shape, [`Error::Unproven`] if the proof that was
/// made does not verify, [`Error::Usage`] if [`ENGINE_ENV`](muster_engine::ENGINE_ENV) names nothing that
/// this machine has.
pub fn prove<S: CircuitShape>(
    srs: &Srs,
    keys: &KeysOf<S>,
    witness: &S::Witness,
) -> Result<Proof, Error> {
    prove_profiled(srs, keys, witness).map(|(proof, _)| proof)
}

/// [`prove`] that also says where the time went.
///
/// # Errors
///
/// Those of [`prove`].
pub fn prove_profiled<S: CircuitShape>(
    srs: &Srs,
    keys: &KeysOf<S>,
    witness: &S::Witness,
) -> Result<(Proof, Profile), Error> {
    let mut watch = Stopwatch::start();
    keys.check_srs(srs)?;
    let placement = keys.placement();
    let circuit = keys.shape().prover_circuit(witness, placement.clone())?;
    if !circuit.has_room(keys.verifier.key().protocol().usable(), placement) {
        return Err(Error::Usage("the keys' layout has no room for their circuit".into()));
    }
    watch.lap(Phase::Witness, 0);
    let statement = S::statement(witness);
    let proof = run(srs, keys, circuit, statement, &mut watch)?;
    Ok((proof, watch.profile))
}

/// Proves a circuit that holds its witness already, and verifies the proof as those do who load the keys: the prover returns bytes for
/// any witness, and for keys that somebody has changed, whether or not the constraints hold.
pub(crate) fn run<S: CircuitShape>(
    srs: &Srs,
    keys: &KeysOf<S>,
    circuit: GateCircuit,
    statement: &S::Statement,
    watch: &mut Stopwatch,
) -> Result<Proof, Error> {
    let inputs =
        keys.shape().inputs_of(statement).map_err(|other| Error::Unproven(other.into()))?;
    let bytes = keys.circuit.write(srs, circuit, &inputs, watch)?;
    let proof = Proof::new(keys.verifier.kind(), bytes);
    keys.verifier.verify(statement, &proof).map_err(Error::Unproven)?;
    watch.lap(Phase::Verification, 1);
    Ok(proof)
}

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
    broken.is_empty().then_some(()).ok_or(Error::Unsatisfied(broken))
}
