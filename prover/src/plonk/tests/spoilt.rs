//! A prover that goes wrong at one step and on from there makes a proof that does not verify.

use std::io;

use halo2_base::halo2_proofs::{
    halo2curves::{
        bn256::{Fr, G1Affine},
        ff::Field,
        group::Curve,
    },
    transcript::{EncodedChallenge, Transcript, TranscriptWrite},
};
use muster_circuits::Scheme;
use muster_engine::Backend;
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;

use super::case::Case;
use crate::{
    plonk::{Fresh, Prover},
    profile::Stopwatch,
    proof::Keccak,
    Proof, ProofKind, VerifyError,
};

/// Writes something else in place of one of the points and scalars, of which all that follows is then a consequence.
struct Spoilt<T> {
    inner: T,
    /// What has been written.
    written: usize,
    /// Which one is spoilt.
    at: Option<usize>,
}

impl<T> Spoilt<T> {
    fn is_next(&mut self) -> bool {
        let is_next = self.at == Some(self.written);
        self.written += 1;
        is_next
    }
}

impl<E: EncodedChallenge<G1Affine>, T: Transcript<G1Affine, E>> Transcript<G1Affine, E>
    for Spoilt<T>
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

impl<E: EncodedChallenge<G1Affine>, T: TranscriptWrite<G1Affine, E>> TranscriptWrite<G1Affine, E>
    for Spoilt<T>
{
    fn write_point(&mut self, point: G1Affine) -> io::Result<()> {
        let other = (point + G1Affine::generator()).to_affine();
        let written = if self.is_next() { other } else { point };
        self.inner.write_point(written)
    }

    fn write_scalar(&mut self, scalar: Fr) -> io::Result<()> {
        let written = if self.is_next() { scalar + Fr::ONE } else { scalar };
        self.inner.write_scalar(written)
    }
}

/// Every commitment, and of the values at the challenge every third.
#[test]
fn each_result_on_the_way_counts() {
    let case = Case::new(Scheme::Schnorr, 1, 2);
    let (pk, inputs) = (case.keys.halo2().unwrap(), case.statement.public_inputs());
    let prover = Prover::new(Backend::best(), case.srs.params(), pk).unwrap();
    let spoilt_at = |at: Option<usize>| {
        let mut transcript = Spoilt { inner: Keccak::new(vec![]), written: 0, at };
        let randomness = &mut Fresh(ChaCha20Rng::seed_from_u64(5));
        let watch = &mut Stopwatch::start();
        prover.prove(pk, case.circuit(), &inputs, randomness, &mut transcript, watch).unwrap();
        let proof = Proof::new(ProofKind::Halo2, transcript.inner.finalize());
        (transcript.written, case.keys.verifier().verify(&case.statement, &proof))
    };
    let (all, verdict) = spoilt_at(None);
    assert_eq!(verdict, Ok(()));
    let columns = all / 3;
    for at in (0..columns).chain((columns..all - 2).step_by(3)).chain(all - 2..all) {
        assert_eq!(spoilt_at(Some(at)).1, Err(VerifyError::Invalid), "{at} of {all}");
    }
}
