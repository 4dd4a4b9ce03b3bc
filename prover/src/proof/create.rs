//! Making proofs: the one place that calls provers.

use muster_circuits::{Statement, ThresholdCircuit, Witness};
use muster_params::Srs;

use super::{halo2, Proof, ProofKind, ProverKind};
use crate::{
    profile::{Phase, Profile, Stopwatch},
    Error, Keys,
};

/// Proves a statement that [`Terms::verify`](muster_circuits::Terms::verify) found to hold. If there are
/// more signatures than slots, the heaviest are used; see [`Witness::select`]. The proof has been
/// verified.
///
/// # Errors
///
/// [`Error::WrongSrs`] if the SRS is not that of the keys, [`Error::FalseClaim`] if they make false claims
/// about it, [`Error::Circuit`] for what does not fit the keys' shape, [`Error::Usage`] for a format that the keys are not for, [`Error::Unproven`] if the proof that was
/// made does not verify, [`Error::Usage`] if [`ENGINE_ENV`](muster_engine::ENGINE_ENV) names nothing that
/// this machine has.
pub fn prove(srs: &Srs, keys: &Keys, witness: &Witness, kind: ProofKind) -> Result<Proof, Error> {
    prove_with(ProverKind::default(), srs, keys, witness, kind)
}

/// [`prove`] with a prover of your choice.
///
/// # Errors
///
/// Those of [`prove`].
pub fn prove_with(
    prover: ProverKind,
    srs: &Srs,
    keys: &Keys,
    witness: &Witness,
    kind: ProofKind,
) -> Result<Proof, Error> {
    prove_profiled(prover, srs, keys, witness, kind).map(|(proof, _)| proof)
}

/// [`prove_with`] that also says where the time went.
///
/// # Errors
///
/// Those of [`prove`].
pub fn prove_profiled(
    prover: ProverKind,
    srs: &Srs,
    keys: &Keys,
    witness: &Witness,
    kind: ProofKind,
) -> Result<(Proof, Profile), Error> {
    let mut watch = Stopwatch::start();
    keys.check_srs(srs)?;
    let placement = keys.placement();
    let circuit = ThresholdCircuit::prover(keys.shape(), witness, placement.clone())?;
    if !circuit.has_room(keys.usable_rows(), placement) {
        return Err(Error::Usage("the keys' layout has no room for their circuit".into()));
    }
    watch.lap(Phase::Witness, 0);
    let statement = witness.statement();
    let proof = Job { prover, srs, keys, circuit, statement }.run(kind, &mut watch)?;
    Ok((proof, watch.profile()))
}

/// A circuit that holds its witness already.
pub(crate) struct Job<'a> {
    pub(crate) prover: ProverKind,
    pub(crate) srs: &'a Srs,
    pub(crate) keys: &'a Keys,
    pub(crate) circuit: ThresholdCircuit,
    pub(crate) statement: &'a Statement,
}

impl Job<'_> {
    /// Proves it, and verifies the proof as those do who load the keys: provers return bytes for any witness, and for
    /// keys that somebody has changed, whether or not the constraints hold.
    pub(crate) fn run(self, kind: ProofKind, watch: &mut Stopwatch) -> Result<Proof, Error> {
        let Self { prover, srs, keys, circuit, statement } = self;
        keys.verifier.require(kind)?;
        let inputs = statement.public_inputs();
        let bytes = match (kind, prover) {
            (ProofKind::Fast | ProofKind::Compact, ProverKind::Engine) => {
                keys.circuit().write(srs, circuit, &inputs, watch)?
            }
            (ProofKind::Fast | ProofKind::Compact, ProverKind::Reference) => {
                let reason = "halo2's prover makes proofs in halo2's format alone";
                return Err(Error::Usage(reason.into()));
            }
            (ProofKind::Halo2, prover) => {
                halo2::write(prover, (srs, keys), circuit, &inputs, watch)?
            }
        };
        let proof = Proof::new(kind, bytes);
        keys.verifier.verify(statement, &proof).map_err(Error::Unproven)?;
        watch.lap(Phase::Verification, 1);
        Ok(proof)
    }
}
