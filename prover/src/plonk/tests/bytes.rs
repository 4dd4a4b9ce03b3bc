use std::{sync::Barrier, thread, time::Duration};

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
use rayon::prelude::*;

use super::{case::Case, library};
use crate::{
    plonk::{randomness::Randomness, Fresh, Phase, Profile, Prover, Stopwatch},
    proof::transcript::{poseidon, Keccak, Poseidon},
    prove_with, Keys, Proof, ProverKind, ProofKind, VerifyError,
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
    let watch = &mut Stopwatch::start();
    prover.prove(pk, case.circuit(), &inputs, &mut randomness, &mut transcript, watch).unwrap();
    [expected, transcript].map(finish)
}

fn assert_equal(case: &Case, backend: Backend, kind: ProofKind, seed: u64) {
    let prover = Prover::new(backend, case.srs.params(), case.keys.proving_key()).unwrap();
    let [expected, bytes] = match kind {
        ProofKind::Fast => {
            let new = || Blake2bWrite::<_, _, Challenge255<_>>::init(vec![]);
            proofs(case, &prover, seed, (new, Blake2bWrite::finalize))
        }
        ProofKind::Halo2 => {
            proofs(case, &prover, seed, (|| Keccak::new(vec![]), Keccak::finalize))
        }
        ProofKind::Halo2 => {
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
    for kind in ProofKind::ALL {
        assert_equal(&case, Backend::best(), kind, 1);
    }
    assert_equal(&case, Backend::portable(), ProofKind::Fast, 2);
}

/// Kept columns change how long a proof takes, and nothing else.
#[test]
fn whatever_is_kept() {
    let case = Case::new(Scheme::Schnorr, 2, 3);
    let prover = Prover::new(Backend::best(), case.srs.params(), case.keys.proving_key()).unwrap();
    let (low, low_profile) = seeded(&case, &prover, 6);
    for _ in 0..2 {
        prover.keep(case.keys.proving_key());
        let (fast, fast_profile) = seeded(&case, &prover, 6);
        assert!(fast == low);
        let [fewer, more] =
            [fast_profile, low_profile.clone()].map(|one| one.spent(Phase::Transforms).count);
        let of_key = prover.columns.of_key().count();
        assert_eq!(fewer + prover.columns.pieces * of_key, more);
    }
}

/// Keys that several threads prove with for the first time are prepared once, by whoever comes first; in a pool nobody waits
/// for a proof of its own.
#[test]
fn prepared_once() {
    let case = Case::new(Scheme::Schnorr, 2, 3);
    let prepared = |keys: &Keys| {
        let mut watch = Stopwatch::start();
        keys.prover(&case.srs, &mut watch).unwrap();
        watch.profile().spent(Phase::Preparation).count
    };
    let (keys, start) = (case.keys.clone(), Barrier::new(4));
    let first = || {
        start.wait();
        prepared(&keys)
    };
    let threads = thread::scope(|scope| {
        let threads = [(); 4].map(|()| scope.spawn(first));
        threads.map(|thread| thread.join().unwrap())
    });
    assert_eq!(threads.iter().sum::<usize>(), 1);

    let keys = case.keys.clone();
    let counts: Vec<usize> = (0..16).into_par_iter().map(|_| prepared(&keys)).collect();
    assert!(counts.iter().sum::<usize>() >= 1);
    assert_eq!(prepared(&keys), 0);
}

/// Likewise with halo2's prover: whoever waits for a part of its bases, of which there are two chunks, takes up a proof that
/// needs them.
#[test]
fn references_at_once() {
    let case = Case::new(Scheme::Schnorr, 8, 16);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    for delay in [5, 20, 50].map(Duration::from_millis) {
        let keys = case.keys.clone();
        pool.in_place_scope(|scope| {
            // One thread is busy while the other begins, and then takes up a part of its work.
            scope.spawn(move |_| thread::sleep(delay));
            (0..4).for_each(|_| scope.spawn(|_| assert!(keys.prepared(&case.srs).is_ok())));
        });
    }
    let prove = |_| {
        let kind = ProofKind::Fast;
        prove_with(ProverKind::Reference, &case.srs, &case.keys, &case.witness, kind).unwrap()
    };
    let proofs: Vec<_> = pool.install(|| (0..4).into_par_iter().map(prove).collect());
    for proof in proofs {
        case.keys.verifier().verify(&case.statement, &proof).unwrap();
    }
}

/// A proof with Muster's own prover.
fn seeded(case: &Case, prover: &Prover, seed: u64) -> (Vec<u8>, Profile) {
    let (pk, inputs) = (case.keys.proving_key(), case.statement.public_inputs());
    let mut transcript = Blake2bWrite::<_, _, Challenge255<_>>::init(vec![]);
    let (mut fresh, mut watch) = (Fresh(ChaCha20Rng::seed_from_u64(seed)), Stopwatch::start());
    prover.prove(pk, case.circuit(), &inputs, &mut fresh, &mut transcript, &mut watch).unwrap();
    (transcript.finalize(), watch.profile())
}

/// Every scheme in three sizes; a quarter of an hour, in a release build:
///
/// ```sh
/// cargo test --release -p muster-prover --lib plonk::tests::bytes -- --ignored --nocapture
/// ```
#[test]
#[ignore = "it takes minutes"]
fn proofs_of_every_scheme() {
    let sizes = [(1, 1), (2, 3), (8, 16)];
    let cases = Scheme::ALL.iter().flat_map(|scheme| sizes.map(|size| (*scheme, size)));
    for (scheme, (signing, signers)) in cases {
        println!("{scheme}, {signing} of {signers}");
        let case = Case::new(scheme, signing, signers);
        for kind in ProofKind::ALL {
            assert_equal(&case, Backend::best(), kind, 3);
        }
    }
}

/// How work is split among threads does not show.
#[test]
fn any_number_of_threads() {
    let case = Case::new(Scheme::Schnorr, 2, 3);
    let prove = || {
        let (params, pk) = (case.srs.params(), case.keys.proving_key());
        seeded(&case, &Prover::new(Backend::best(), params, pk).unwrap(), 5).0
    };
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(prove)
    };
    let one = on(1);
    for threads in [2, 4, 8] {
        assert!(on(threads) == one, "{threads} threads");
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
        let watch = &mut Stopwatch::start();
        prover.prove(pk, case.circuit(), &inputs, randomness, &mut transcript, watch).unwrap();
        let proof = Proof::new(ProofKind::Fast, transcript.finalize());
        case.keys.verifier().verify(&case.statement, &proof)
    };
    let fresh = || Fresh(ChaCha20Rng::seed_from_u64(4));
    assert_eq!(verdict(&mut fresh()), Ok(()));
    assert_eq!(verdict(&mut Tampered(fresh())), Err(VerifyError::Invalid));
}
