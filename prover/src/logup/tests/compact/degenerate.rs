//! Challenges for which there is no proof, at both levels: the prover draws again, with new random numbers everywhere.

use halo2_base::halo2_proofs::halo2curves::{bn256::Fr, ff::Field};
use muster_verifier::VerifyError;

use super::{
    super::{
        degenerate::zeros,
        every::every,
        sample::Keys,
        stub::{prove, BETA_2, GAMMA_2, U, U_2, X, X_2},
    },
    packs::in_order,
};

#[test]
fn the_prover_draws_again() {
    let sample = every(0);
    let keys = Keys::compact(&sample, in_order(&sample.protocol, 4));
    let decider = keys.prover.decider.as_ref().unwrap();
    let row = |row: i32| keys.prover.system.point(Fr::ONE, row);
    let row_2 = |row: i32| decider.system.point(Fr::ONE, row);
    let (honest, count) = prove(&keys, &sample, vec![]);
    assert_eq!((count, honest), (1, keys.prove(&sample, 1)));
    let v = Fr::from(3);
    let [of_pack, of_decider] = [4, 10].map(|stride| v.pow([stride]));
    let degenerate = [
        vec![(X, Fr::ZERO)],
        vec![(X, row(0))],
        vec![(X, row(5))],
        vec![(X, row(-1))],
        vec![(X, of_pack), (U, v)],
        vec![(X, of_pack * row(-1)), (U, v)],
        vec![(X, v), (U, v)],
        vec![(X_2, Fr::ZERO)],
        vec![(X_2, row_2(0))],
        vec![(X_2, row_2(77))],
        vec![(X_2, of_decider), (U_2, v)],
        vec![(X_2, of_decider * row_2(-1)), (U_2, v)],
        vec![(X_2, v), (U_2, v)],
        // A wire is 0 in the last rows, and copied.
        vec![(BETA_2, Fr::ZERO), (GAMMA_2, Fr::ZERO)],
    ];
    for replaced in degenerate.into_iter().chain(zeros(&sample)) {
        let (proof, count) = prove(&keys, &sample, replaced.clone());
        assert_eq!(count, 2, "{replaced:?}");
        assert_eq!(keys.verify(&sample, &proof), Ok(()), "{replaced:?}");
    }
    // Any other challenge is as good as its own, to whoever has it of the same transcript.
    for replaced in [(X, v), (U, v), (U, Fr::ZERO), (X_2, v), (U_2, v)] {
        let (proof, count) = prove(&keys, &sample, vec![replaced]);
        assert_eq!(count, 1, "{replaced:?}");
        assert_eq!(keys.verify(&sample, &proof), Err(VerifyError::Equation), "{replaced:?}");
    }
}
