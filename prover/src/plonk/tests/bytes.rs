use halo2_base::halo2_proofs::{
    halo2curves::bn256::{Fr, G1Affine},
    transcript::{
        Blake2bWrite, Challenge255, EncodedChallenge, TranscriptWrite, TranscriptWriterBuffer,
    },
};
use muster_circuits::Scheme;
use muster_engine::Backend;
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;

use super::{case::Case, library};
use crate::{
    plonk::{randomness::Randomness, Fresh, Prover},
    proof::transcript::{poseidon, Keccak, Poseidon},
    Proof, TranscriptKind, VerifyError,
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

/// More schemes, in both modes of membership; several minutes:
///
/// ```sh
/// cargo test -p muster-prover --lib plonk::tests::bytes -- --ignored
/// ```
#[test]
#[ignore = "it takes minutes"]
fn proofs_of_more_schemes() {
    for (scheme, signing, signers) in [
        (Scheme::Schnorr, 1, 1),
        (Scheme::Schnorr, 8, 16),
        (Scheme::Eddsa, 3, 5),
        (Scheme::EcdsaSecp256k1, 1, 1),
        (Scheme::EcdsaP256, 1, 2),
        (Scheme::SchnorrSecp256k1, 2, 2),
        (Scheme::Musig, 2, 3),
        (Scheme::Ed25519, 1, 2),
    ] {
        println!("{scheme}, {signing} of {signers}");
        let case = Case::new(scheme, signing, signers);
        for kind in TranscriptKind::ALL {
            assert_equal(&case, Backend::best(), kind, 3);
        }
    }
}

/// Puts one value of a lookup in another's place.
struct Tampered(Fresh<ChaCha20Rng>);

impl Randomness for Tampered {
    fn number(&mut self) -> Fr {
        self.0.number()
    }

    fn mask(&mut self, length: usize) -> Vec<Fr> {
        self.0.mask(length)
    }

    fn arrange(&mut self, lookup: usize, values: &mut Vec<Fr>) {
        if lookup == 0 {
            values[1] = values[0];
        }
    }
}

#[test]
fn a_wrong_step_gives_no_proof() {
    let case = Case::new(Scheme::Schnorr, 2, 3);
    let (pk, inputs) = (case.keys.proving_key(), case.statement.public_inputs());
    let prover = Prover::new(Backend::best(), case.srs.params(), pk).unwrap();
    let verdict = |randomness: &mut dyn Randomness| {
        let mut transcript = Blake2bWrite::<_, _, Challenge255<_>>::init(vec![]);
        prover.prove(pk, &case.circuit(), &inputs, randomness, &mut transcript).unwrap();
        let proof = Proof::new(TranscriptKind::Blake2b, transcript.finalize());
        case.keys.verifier().verify(&case.statement, &proof)
    };
    let fresh = || Fresh(ChaCha20Rng::seed_from_u64(4));
    assert_eq!(verdict(&mut fresh()), Ok(()));
    assert_eq!(verdict(&mut Tampered(fresh())), Err(VerifyError::Invalid));
}
