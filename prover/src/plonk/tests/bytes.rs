use std::{thread, time::Duration};

use halo2_base::halo2_proofs::halo2curves::bn256::Fr;
use muster_circuits::Scheme;
use muster_engine::Backend;
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;
use rayon::prelude::*;

use super::{case::Case, library};
use crate::{
    plonk::{randomness::Randomness, Fresh, Prover},
    profile::{Phase, Profile, Stopwatch},
    proof::Keccak,
    prove_with, Proof, ProofKind, ProverKind, VerifyError,
};

/// Makes a proof with both provers, with the same randomness.
fn assert_equal(case: &Case, backend: Backend, seed: u64) {
    let (params, pk) = (case.srs.params(), case.keys.halo2().unwrap());
    let inputs = case.statement.public_inputs();
    let [mut expected, mut transcript] = [(); 2].map(|()| Keccak::new(vec![]));
    let mut randomness = library::prove((params, pk), case.circuit(), &inputs, seed, &mut expected);
    let (prover, watch) = (Prover::new(backend, params, pk).unwrap(), &mut Stopwatch::start());
    prover.prove(pk, case.circuit(), &inputs, &mut randomness, &mut transcript, watch).unwrap();
    let [expected, bytes] = [expected, transcript].map(Keccak::finalize);
    let same = expected.iter().zip(&bytes).take_while(|(left, right)| left == right).count();
    assert_eq!((same, bytes.len()), (expected.len(), expected.len()), "on {backend:?}");
    let proof = Proof::new(ProofKind::Halo2, bytes);
    case.keys.verifier().verify(&case.statement, &proof).unwrap();
}

#[test]
fn proofs_are_those_of_the_library() {
    let case = Case::new(Scheme::Schnorr, 2, 3);
    assert_equal(&case, Backend::best(), 1);
    assert_equal(&case, Backend::portable(), 2);
}

/// Kept columns change how long a proof takes, and nothing else.
#[test]
fn whatever_is_kept() {
    let case = Case::new(Scheme::Schnorr, 2, 3);
    let prover =
        Prover::new(Backend::best(), case.srs.params(), case.keys.halo2().unwrap()).unwrap();
    let (low, low_profile) = seeded(&case, &prover, 6);
    for _ in 0..2 {
        prover.keep(case.keys.halo2().unwrap());
        let (fast, fast_profile) = seeded(&case, &prover, 6);
        assert!(fast == low);
        let [fewer, more] =
            [fast_profile, low_profile.clone()].map(|one| one.spent(Phase::Transforms).count);
        let of_key = prover.columns.of_key().count();
        assert_eq!(fewer + prover.columns.pieces * of_key, more);
    }
}

/// In a pool nobody waits for a proof of its own while a prover is prepared, and afterwards it is there.
#[test]
fn prepared_in_a_pool() {
    let case = Case::new(Scheme::Schnorr, 2, 3);
    let prepared = |_| {
        let mut watch = Stopwatch::start();
        case.keys.halo2_prover(&case.srs, &mut watch).unwrap();
        watch.profile().spent(Phase::Preparation).count
    };
    let counts: Vec<usize> = (0..16).into_par_iter().map(prepared).collect();
    assert!(counts.iter().sum::<usize>() >= 1);
    assert_eq!(prepared(0), 0);
}

/// Likewise with halo2's own prover: whoever waits for a part of its bases, of which there are two chunks, takes up a proof that
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
        let kind = ProofKind::Halo2;
        prove_with(ProverKind::Reference, &case.srs, &case.keys, &case.witness, kind).unwrap()
    };
    let proofs: Vec<_> = pool.install(|| (0..4).into_par_iter().map(prove).collect());
    for proof in proofs {
        case.keys.verifier().verify(&case.statement, &proof).unwrap();
    }
}

/// A proof with Muster's own prover.
fn seeded(case: &Case, prover: &Prover, seed: u64) -> (Vec<u8>, Profile) {
    let (pk, inputs) = (case.keys.halo2().unwrap(), case.statement.public_inputs());
    let mut transcript = Keccak::new(vec![]);
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
        assert_equal(&case, Backend::best(), 3);
    }
}

/// How work is split among threads does not show.
#[test]
fn any_number_of_threads() {
    let case = Case::new(Scheme::Schnorr, 2, 3);
    let prove = || {
        let (params, pk) = (case.srs.params(), case.keys.halo2().unwrap());
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
    let (pk, inputs) = (case.keys.halo2().unwrap(), case.statement.public_inputs());
    let prover = Prover::new(Backend::best(), case.srs.params(), pk).unwrap();
    let verdict = |randomness: &mut dyn Randomness| {
        let mut transcript = Keccak::new(vec![]);
        let watch = &mut Stopwatch::start();
        prover.prove(pk, case.circuit(), &inputs, randomness, &mut transcript, watch).unwrap();
        let proof = Proof::new(ProofKind::Halo2, transcript.finalize());
        case.keys.verifier().verify(&case.statement, &proof)
    };
    let fresh = || Fresh(ChaCha20Rng::seed_from_u64(4));
    assert_eq!(verdict(&mut fresh()), Ok(()));
    assert_eq!(verdict(&mut Tampered(fresh())), Err(VerifyError::Invalid));
}
