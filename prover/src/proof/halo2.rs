//! Proofs in halo2's format, with snark-verifier's transcript for contracts.

use std::io;

use halo2_base::halo2_proofs::{
    halo2curves::{
        bn256::{Bn256, Fr, G1Affine},
        ff::PrimeField,
        CurveAffine,
    },
    plonk::{self, create_proof, verify_proof},
    poly::{
        kzg::{
            commitment::KZGCommitmentScheme,
            multiopen::VerifierSHPLONK,
            strategy::{AccumulatorStrategy, SingleStrategy},
        },
        VerificationStrategy,
    },
    transcript::{EncodedChallenge, Transcript, TranscriptRead},
};
use muster_circuits::ThresholdCircuit;
use muster_params::Srs;
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;
use snark_verifier::{loader::native::NativeLoader, system::halo2::transcript::evm};

use super::{fault::VerifyError, kind::ProverKind};
use crate::{
    commitment::{Engine, Kzg, Shplonk},
    plonk::Fresh,
    profile::{Phase, Stopwatch},
    Error, Keys, VerifierKey,
};

/// snark-verifier's transcript for contracts.
pub(crate) type Keccak<S> = evm::EvmTranscript<G1Affine, NativeLoader, S, Vec<u8>>;

/// The bytes of a proof, not verified.
pub(super) fn write(
    prover: ProverKind,
    (srs, keys): (&Srs, &Keys),
    circuit: ThresholdCircuit,
    inputs: &[Fr],
    watch: &mut Stopwatch,
) -> Result<Vec<u8>, Error> {
    // The blinding factors hide the witness: fresh randomness from the operating system.
    let rng = ChaCha20Rng::from_entropy();
    let mut transcript = Keccak::new(vec![]);
    let pk = keys.halo2()?;
    let written = match prover {
        ProverKind::Engine => {
            let prover = keys.halo2_prover(srs, watch)?;
            prover.prove(pk, circuit, inputs, &mut Fresh(rng), &mut transcript, watch)
        }
        ProverKind::Reference => {
            let engine = Engine::new(srs.params(), keys.prepared(srs)?);
            let written = create_proof::<Kzg<'_>, Shplonk<'_>, _, _, Keccak<_>, _>(
                &engine,
                pk,
                &[circuit],
                &[&[inputs]],
                rng,
                &mut transcript,
            );
            watch.lap(Phase::Reference, 1);
            written
        }
    };
    written.map_err(Error::Prover)?;
    Ok(transcript.finalize())
}

/// Checks one proof.
pub(super) fn verify(key: &VerifierKey, inputs: &[Fr], proof: &[u8]) -> Result<(), VerifyError> {
    read(key, SingleStrategy::new(key.params()), inputs, proof)
}

/// Whether a random linear combination of all proofs holds.
///
/// The library computes its sum of points: it is a tenth of the time, and the library does not expose its terms.
pub(super) fn all_hold(key: &VerifierKey, batch: &[(Vec<Fr>, &[u8])]) -> bool {
    let start = AccumulatorStrategy::new(key.params());
    let accumulated = batch
        .iter()
        .try_fold(start, |strategy, (inputs, proof)| read(key, strategy, inputs, proof));
    accumulated.is_ok_and(|strategy| {
        VerificationStrategy::<_, VerifierSHPLONK<'_, Bn256>>::finalize(strategy)
    })
}

fn read<'a, S>(
    key: &'a VerifierKey,
    strategy: S,
    inputs: &[Fr],
    proof: &[u8],
) -> Result<S::Output, VerifyError>
where
    S: VerificationStrategy<'a, KZGCommitmentScheme<Bn256>, VerifierSHPLONK<'a, Bn256>>,
{
    let instances: &[&[&[Fr]]] = &[&[inputs]];
    let mut transcript = Echo { inner: Keccak::new(proof), written: vec![] };
    let verdict = verify_proof(key.params(), key.vk(), strategy, instances, &mut transcript);
    let output = verdict.map_err(|error| match error {
        plonk::Error::Transcript(error) => VerifyError::Unreadable(error.to_string()),
        _ => VerifyError::Invalid,
    })?;
    if transcript.written == proof {
        Ok(output)
    } else {
        Err(VerifyError::NotCanonical)
    }
}

/// A transcript that re-encodes what it reads, as a prover would have written it: the verifier does not look at bytes after
/// the proof.
struct Echo<'a> {
    inner: Keccak<&'a [u8]>,
    written: Vec<u8>,
}

impl Echo<'_> {
    fn write(&mut self, mut number: [u8; 32]) {
        number.reverse();
        self.written.extend(number);
    }
}

impl<E: EncodedChallenge<G1Affine>> Transcript<G1Affine, E> for Echo<'_>
where
    for<'a> Keccak<&'a [u8]>: Transcript<G1Affine, E>,
{
    fn squeeze_challenge(&mut self) -> E {
        self.inner.squeeze_challenge()
    }

    fn common_point(&mut self, point: G1Affine) -> io::Result<()> {
        self.inner.common_point(point)
    }

    fn common_scalar(&mut self, scalar: Fr) -> io::Result<()> {
        self.inner.common_scalar(scalar)
    }
}

impl<E: EncodedChallenge<G1Affine>> TranscriptRead<G1Affine, E> for Echo<'_>
where
    for<'a> Keccak<&'a [u8]>: TranscriptRead<G1Affine, E>,
{
    fn read_point(&mut self) -> io::Result<G1Affine> {
        let point = self.inner.read_point()?;
        let coordinates = point.coordinates().into_option().ok_or(io::ErrorKind::InvalidData)?;
        self.write(coordinates.x().to_repr());
        self.write(coordinates.y().to_repr());
        Ok(point)
    }

    fn read_scalar(&mut self) -> io::Result<Fr> {
        let scalar = self.inner.read_scalar()?;
        self.write(scalar.to_repr());
        Ok(scalar)
    }
}
