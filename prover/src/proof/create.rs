//! Making proofs: the one place that calls provers.

use halo2_base::halo2_proofs::plonk::create_proof;
use muster_circuits::{Statement, ThresholdCircuit, Witness};
use muster_params::Srs;
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;

use super::{
    transcript::{Challenge, Writer},
    Proof, TranscriptKind,
};
use crate::{
    commitment::{Engine, Kzg, Shplonk},
    plonk::{Fresh, Phase, Profile, Stopwatch},
    Error, Keys,
};

/// What makes a proof. For the same randomness all make the same bytes; halo2 draws some of it from generators of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProverKind {
    /// Muster's own prover, which computes on many numbers at a time where the processor can.
    #[default]
    Engine,
    /// halo2's prover.
    Reference,
}

/// Proves a statement that [`Terms::verify`](muster_circuits::Terms::verify) found to hold. If there are
/// more signatures than slots, the heaviest are used; see [`Witness::select`]. The proof has been
/// verified.
///
/// # Errors
///
/// [`Error::WrongSrs`] if the SRS is not that of the keys, [`Error::FalseClaim`] if they make false claims
/// about it, [`Error::Circuit`] for what does not fit the keys' shape, [`Error::Unproven`] if the proof that was
/// made does not verify, [`Error::Usage`] if [`ENGINE_ENV`](muster_engine::ENGINE_ENV) names nothing that
/// this machine has.
pub fn prove(
    srs: &Srs,
    keys: &Keys,
    witness: &Witness,
    kind: TranscriptKind,
) -> Result<Proof, Error> {
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
    kind: TranscriptKind,
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
    kind: TranscriptKind,
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
    pub(crate) fn run(self, kind: TranscriptKind, watch: &mut Stopwatch) -> Result<Proof, Error> {
        let (keys, statement) = (self.keys, self.statement);
        let mut transcript = Writer::new(kind);
        self.write(&mut transcript, watch)?;
        let proof = Proof::new(kind, transcript.finish());
        keys.verifier.verify(statement, &proof).map_err(Error::Unproven)?;
        watch.lap(Phase::Verification, 1);
        Ok(proof)
    }

    fn write(self, transcript: &mut Writer, watch: &mut Stopwatch) -> Result<(), Error> {
        let Self { prover, srs, keys, circuit, statement } = self;
        let public_inputs = statement.public_inputs();
        // The blinding factors hide the witness: fresh randomness from the operating system.
        let rng = ChaCha20Rng::from_entropy();
        let pk = keys.proving_key();
        let written = match prover {
            ProverKind::Engine => {
                let prover = keys.prover(srs, watch)?;
                prover.prove(pk, circuit, &public_inputs, &mut Fresh(rng), transcript, watch)
            }
            ProverKind::Reference => {
                let engine = Engine::new(srs.params(), keys.prepared(srs)?);
                let written = create_proof::<Kzg<'_>, Shplonk<'_>, Challenge, _, Writer, _>(
                    &engine,
                    pk,
                    &[circuit],
                    &[&[&public_inputs]],
                    rng,
                    transcript,
                );
                watch.lap(Phase::Reference, 1);
                written
            }
        };
        written.map_err(Error::Prover)
    }
}
