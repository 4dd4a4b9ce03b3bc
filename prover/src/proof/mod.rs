//! Making and checking proofs.

use std::{hash::Hash, path::PathBuf};

use halo2_base::halo2_proofs::{
    halo2curves::{
        bn256::{Bn256, Fr, G1Affine},
        ff::{FromUniformBytes, WithSmallOrderMulGroup},
    },
    plonk::{self, create_proof, verify_proof, Circuit, ProvingKey},
    poly::{
        commitment::{CommitmentScheme, Prover},
        kzg::{
            commitment::KZGCommitmentScheme,
            multiopen::VerifierSHPLONK,
            strategy::{AccumulatorStrategy, SingleStrategy},
        },
        VerificationStrategy,
    },
    transcript::{
        Blake2bRead, Blake2bWrite, Challenge255, EncodedChallenge, TranscriptRead,
        TranscriptReadBuffer, TranscriptWrite, TranscriptWriterBuffer,
    },
};
use muster_circuits::{Committee, Message, Signatures, Statement, ThresholdCircuit, MESSAGE};
use muster_params::Srs;
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;
use rayon::prelude::*;

use crate::{
    commitment::{Engine, Kzg, Shplonk},
    Error, Keys, ProofFault, VerifierKey,
};

mod transcript;

pub use transcript::TranscriptKind;
use transcript::{poseidon, Echo, Keccak, PointEncoding};

/// Proves that enough members of the committee signed. Of more signatures than slots the heaviest are
/// taken, see [`muster_circuits::Selection`].
///
/// # Errors
///
/// [`Error::Rejected`] for a false statement, [`Error::WrongSrs`] if the SRS is not that of the
/// keys, [`Error::Circuit`] for what does not fit the keys' shape.
pub fn prove(
    srs: &Srs,
    keys: &Keys,
    statement: &Statement,
    committee: &Committee,
    signatures: &Signatures,
    kind: TranscriptKind,
) -> Result<Vec<u8>, Error> {
    keys.check_srs(srs)?;
    // The witness of a false statement gives a proof that nobody accepts; better say what is wrong.
    let selection = muster_circuits::select(keys.shape(), statement, committee, signatures)?;
    let signatures = selection.signatures();
    let placement = keys.placement().clone();
    let circuit =
        ThresholdCircuit::prover(keys.shape(), statement, committee, signatures, placement)?;
    let engine = Engine::new(srs.params(), keys.prepared(srs));
    prove_circuit(&engine, keys.proving_key(), circuit, &statement.public_inputs(), kind)
}

/// A proof of a circuit that holds its witness already.
///
/// # Errors
///
/// [`Error::Prover`].
pub fn prove_circuit<C: Circuit<Fr>>(
    engine: &Engine,
    pk: &ProvingKey<G1Affine>,
    circuit: C,
    public_inputs: &[Fr],
    kind: TranscriptKind,
) -> Result<Vec<u8>, Error> {
    let job = Job::<Kzg, C> { params: engine, pk, circuit, public_inputs };
    match kind {
        TranscriptKind::Blake2b => {
            let mut transcript = Blake2bWrite::<_, _, Challenge255<_>>::init(vec![]);
            job.run::<Shplonk, _, _>(&mut transcript)?;
            Ok(transcript.finalize())
        }
        TranscriptKind::Keccak => {
            let mut transcript = Keccak::new(vec![]);
            job.run::<Shplonk, _, _>(&mut transcript)?;
            Ok(transcript.finalize())
        }
        TranscriptKind::Poseidon => {
            let mut transcript = poseidon(vec![]);
            job.run::<Shplonk, _, _>(&mut transcript)?;
            Ok(transcript.finalize())
        }
    }
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

/// Checks a proof of the statement that the public inputs make.
///
/// # Errors
///
/// The fault of the proof.
pub fn verify(
    key: &VerifierKey,
    public_inputs: &[Fr],
    proof: &[u8],
    kind: TranscriptKind,
) -> Result<(), ProofFault> {
    let strategy = SingleStrategy::new(key.params());
    verify_with(key, strategy, public_inputs, proof, kind)
}

/// A proof to be checked together with others.
#[derive(Clone, Debug)]
pub struct BatchItem {
    /// What to call the proof: its file.
    pub name: PathBuf,
    /// The public inputs.
    pub public_inputs: Vec<Fr>,
    /// The proof.
    pub proof: Vec<u8>,
    /// Its transcript.
    pub kind: TranscriptKind,
}

/// Checks many proofs for one key with one pairing, over a random linear combination. Only if that
/// fails are they checked one by one.
///
/// # Errors
///
/// [`Error::BadProofs`] with the fault of every bad proof.
pub fn batch_verify(key: &VerifierKey, items: &[BatchItem]) -> Result<(), Error> {
    let start = AccumulatorStrategy::new(key.params());
    let accumulated = items.iter().try_fold(start, |strategy, item| {
        verify_with(key, strategy, &item.public_inputs, &item.proof, item.kind)
    });
    let all_good = accumulated.is_ok_and(|strategy| {
        VerificationStrategy::<_, VerifierSHPLONK<Bn256>>::finalize(strategy)
    });
    if all_good {
        return Ok(());
    }
    let fault = |item: &BatchItem| {
        let verdict = verify(key, &item.public_inputs, &item.proof, item.kind);
        verdict.err().map(|fault| (item.name.clone(), fault))
    };
    let bad: Vec<_> = items.par_iter().filter_map(fault).collect();
    // With every single proof good the combination holds, whatever the random factors.
    match bad.is_empty() {
        true => Ok(()),
        false => Err(Error::BadProofs(bad)),
    }
}

/// Reads a proof through the transcript of its kind and gives it to `strategy`.
fn verify_with<'a, S>(
    key: &'a VerifierKey,
    strategy: S,
    public_inputs: &[Fr],
    proof: &[u8],
    kind: TranscriptKind,
) -> Result<S::Output, ProofFault>
where
    S: VerificationStrategy<'a, KZGCommitmentScheme<Bn256>, VerifierSHPLONK<'a, Bn256>>,
{
    // The proving system itself takes any number of them and pads with zeros.
    let (expected, found) = (key.shape().scheme.public_inputs(), public_inputs.len());
    if expected != found {
        return Err(ProofFault::PublicInputs { expected, found });
    }
    if Message::from_public_inputs(&public_inputs[MESSAGE..]).is_none() {
        return Err(ProofFault::NoDigest);
    }
    let (compressed, evm) = (PointEncoding::Compressed, PointEncoding::Evm);
    match kind {
        TranscriptKind::Blake2b => {
            let transcript = Blake2bRead::<_, _, Challenge255<_>>::init(proof);
            read(key, strategy, public_inputs, proof, Echo::new(transcript, compressed))
        }
        TranscriptKind::Keccak => {
            let transcript = Echo::new(Keccak::new(proof), evm);
            read(key, strategy, public_inputs, proof, transcript)
        }
        TranscriptKind::Poseidon => {
            let transcript = Echo::new(poseidon(proof), compressed);
            read(key, strategy, public_inputs, proof, transcript)
        }
    }
}

fn read<'a, S, E, T>(
    key: &'a VerifierKey,
    strategy: S,
    public_inputs: &[Fr],
    proof: &[u8],
    mut transcript: Echo<T>,
) -> Result<S::Output, ProofFault>
where
    S: VerificationStrategy<'a, KZGCommitmentScheme<Bn256>, VerifierSHPLONK<'a, Bn256>>,
    E: EncodedChallenge<G1Affine>,
    T: TranscriptRead<G1Affine, E>,
{
    let instances: &[&[&[Fr]]] = &[&[public_inputs]];
    let verdict = verify_proof(key.params(), key.vk(), strategy, instances, &mut transcript);
    let output = verdict.map_err(|error| match error {
        plonk::Error::Transcript(error) => ProofFault::Unreadable(error.to_string()),
        _ => ProofFault::Invalid,
    })?;
    match transcript.written() == proof {
        true => Ok(output),
        false => Err(ProofFault::NotCanonical),
    }
}
