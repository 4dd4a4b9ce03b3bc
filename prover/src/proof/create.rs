//! Making proofs: the one place that calls halo2's prover.

use std::hash::Hash;

use halo2_base::halo2_proofs::{
    halo2curves::ff::{FromUniformBytes, WithSmallOrderMulGroup},
    plonk::{create_proof, Circuit, ProvingKey},
    poly::commitment::{CommitmentScheme, Prover},
    transcript::{
        Blake2bWrite, Challenge255, EncodedChallenge, TranscriptWrite, TranscriptWriterBuffer,
    },
};
use muster_circuits::{Statement, ThresholdCircuit, Witness};
use muster_params::Srs;
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;

use super::{
    transcript::{poseidon, Keccak},
    verify::verify_inputs,
    Proof, TranscriptKind,
};
use crate::{
    commitment::{Engine, Kzg, Shplonk},
    Error, Keys,
};

/// Proves a statement of which [`Terms::verify`](muster_circuits::Terms::verify) found that it holds. Of
/// more signatures than slots the heaviest are taken, see [`Witness::select`]. The proof has been
/// verified.
///
/// # Errors
///
/// [`Error::WrongSrs`] if the SRS is not that of the
/// keys, [`Error::Circuit`] for what does not fit the keys' shape, [`Error::Unproven`] if what was
/// made does not verify.
pub fn prove(
    srs: &Srs,
    keys: &Keys,
    witness: &Witness,
    kind: TranscriptKind,
) -> Result<Proof, Error> {
    keys.check_srs(srs)?;
    let placement = keys.placement();
    let circuit = ThresholdCircuit::prover(keys.shape(), witness, placement.clone())?;
    if !circuit.has_room(keys.usable_rows(), placement) {
        return Err(Error::Usage("the keys' layout has no room for their circuit".into()));
    }
    prove_circuit(srs, keys, circuit, witness.statement(), kind)
}

/// Proves a circuit that holds its witness already, and verifies the proof: halo2 gives bytes for
/// any witness, and for keys that somebody has changed, whether or not the constraints hold.
pub(crate) fn prove_circuit(
    srs: &Srs,
    keys: &Keys,
    circuit: ThresholdCircuit,
    statement: &Statement,
    kind: TranscriptKind,
) -> Result<Proof, Error> {
    let engine = Engine::new(srs.params(), keys.prepared(srs)?);
    let (pk, public_inputs) = (keys.proving_key(), &statement.public_inputs());
    let job = Job::<Kzg, _> { params: &engine, pk, circuit, public_inputs };
    let bytes = match kind {
        TranscriptKind::Blake2b => {
            let mut transcript = Blake2bWrite::<_, _, Challenge255<_>>::init(vec![]);
            job.run::<Shplonk, _, _>(&mut transcript)?;
            transcript.finalize()
        }
        TranscriptKind::Keccak => {
            let mut transcript = Keccak::new(vec![]);
            job.run::<Shplonk, _, _>(&mut transcript)?;
            transcript.finalize()
        }
        TranscriptKind::Poseidon => {
            let mut transcript = poseidon(vec![]);
            job.run::<Shplonk, _, _>(&mut transcript)?;
            transcript.finalize()
        }
    };
    let proof = Proof::new(kind, bytes);
    verify_inputs((srs.params(), pk.get_vk()), public_inputs, &proof).map_err(Error::Unproven)?;
    Ok(proof)
}

/// What halo2 needs for a proof. All commitments go through `S`, so that another engine for them
/// can take its place here.
struct Job<'a, S: CommitmentScheme, C> {
    params: &'a S::ParamsProver,
    pk: &'a ProvingKey<S::Curve>,
    circuit: C,
    public_inputs: &'a [S::Scalar],
}

impl<'a, S: CommitmentScheme, C: Circuit<S::Scalar>> Job<'a, S, C>
where
    S::Scalar: Hash + WithSmallOrderMulGroup<3> + FromUniformBytes<64>,
    S::ParamsProver: Sync,
{
    /// The one call of halo2's prover.
    fn run<P, E, T>(self, transcript: &mut T) -> Result<(), Error>
    where
        P: Prover<'a, S>,
        E: EncodedChallenge<S::Curve>,
        T: TranscriptWrite<S::Curve, E>,
    {
        create_proof::<S, P, E, _, T, C>(
            self.params,
            self.pk,
            &[self.circuit],
            &[&[self.public_inputs]],
            // The blinding factors hide the witness: fresh randomness from the operating system.
            ChaCha20Rng::from_entropy(),
            transcript,
        )
        .map_err(Error::Prover)
    }
}
