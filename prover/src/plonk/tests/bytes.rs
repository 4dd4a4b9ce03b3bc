use halo2_base::halo2_proofs::{
    halo2curves::bn256::G1Affine,
    transcript::{
        Blake2bWrite, Challenge255, EncodedChallenge, TranscriptWrite, TranscriptWriterBuffer,
    },
};
use muster_circuits::Scheme;
use muster_engine::Backend;

use super::{case::Case, library};
use crate::{
    plonk::Prover,
    proof::transcript::{poseidon, Keccak, Poseidon},
    Proof, TranscriptKind,
};

/// The proofs of both provers, with the same randomness.
fn proofs<E, T>(
    case: &Case,
    prover: &Prover,
    seed: u64,
    (new, finish): (impl Fn() -> T, impl Fn(T) -> Vec<u8>),
) -> [Vec<u8>; 2]
where
    E: EncodedChallenge<G1Affine>,
    T: TranscriptWrite<G1Affine, E>,
{
    let (pk, inputs) = (case.keys.proving_key(), case.statement.public_inputs());
    let [mut expected, mut transcript] = [new(), new()];
    let key = (case.srs.params(), pk);
    let mut randomness = library::prove(key, case.circuit(), &inputs, seed, &mut expected);
    prover.prove(pk, &case.circuit(), &inputs, &mut randomness, &mut transcript).unwrap();
    [expected, transcript].map(finish)
}

fn assert_equal(case: &Case, backend: Backend, kind: TranscriptKind, seed: u64) {
    let prover = Prover::new(backend, case.srs.params(), case.keys.proving_key()).unwrap();
    let [expected, bytes] = match kind {
        TranscriptKind::Blake2b => {
            let new = || Blake2bWrite::<_, _, Challenge255<_>>::init(vec![]);
            proofs(case, &prover, seed, (new, Blake2bWrite::finalize))
        }
        TranscriptKind::Keccak => {
            proofs(case, &prover, seed, (|| Keccak::new(vec![]), Keccak::finalize))
        }
        TranscriptKind::Poseidon => {
            proofs(case, &prover, seed, (|| poseidon(vec![]), Poseidon::finalize))
        }
    };
    let same = expected.iter().zip(&bytes).take_while(|(left, right)| left == right).count();
    assert_eq!((same, bytes.len()), (expected.len(), expected.len()), "{kind:?} on {backend:?}");
    let proof = Proof::new(kind, bytes);
    case.keys.verifier().verify(&case.statement, &proof).unwrap();
}

#[test]
fn proofs_are_those_of_the_library() {
    let case = Case::new(Scheme::Schnorr, 2, 3);
    for kind in TranscriptKind::ALL {
        assert_equal(&case, Backend::best(), kind, 1);
    }
    assert_equal(&case, Backend::portable(), TranscriptKind::Blake2b, 2);
}
