//! Challenges for which there is no proof: the prover draws again. That the verifier refuses those that it can see is a test of its own.

use halo2_base::halo2_proofs::halo2curves::{bn256::Fr, ff::Field};
use muster_verifier::VerifyError;

use super::{
    every::every,
    sample::{Keys, Sample},
    stub::{prove, Replaced, BETA, GAMMA, LOOKUP, THETA, U, X},
};

/// Challenges that make a denominator 0: of a helper, of the sum, of a factor of the product.
pub(super) fn zeros(sample: &Sample) -> [Replaced; 3] {
    // Without powers of θ a tuple is its table's number. Those of table 1 are in helpers alone, those of table 0 also in the sum.
    let [helper, sum] = [-Fr::ONE, Fr::ZERO].map(|at| vec![(THETA, Fr::ZERO), (LOOKUP, at)]);
    // Advice column 0 is the first of the copied.
    let product = vec![(BETA, Fr::ZERO), (GAMMA, -sample.advice[0][3])];
    [helper, sum, product]
}

#[test]
fn the_prover_draws_again() {
    let sample = every(0);
    let keys = Keys::of(&sample);
    let row = |row: i32| keys.prover.system.point(Fr::ONE, row);
    let (honest, count) = prove(&keys, &sample, vec![]);
    assert_eq!((count, honest), (1, keys.prove(&sample, 1)));
    let v = Fr::from(3);
    let points = [row(0), row(1), row(5), row(-1), Fr::ZERO].map(|x| vec![(X, x)]);
    // 0 and 1 are the rotations at which polynomials of this circuit are opened.
    let opened = [0, 1].map(|it| vec![(X, v), (U, v * row(it))]);
    for replaced in points.into_iter().chain(opened).chain(zeros(&sample)) {
        let (proof, count) = prove(&keys, &sample, replaced.clone());
        assert_eq!(count, 2, "{replaced:?}");
        assert_eq!(keys.verify(&sample, &proof), Ok(()), "{replaced:?}");
    }
    // Any other challenge is as good as its own, to whoever has it of the same transcript.
    let [theta, beta] = [THETA, BETA].map(|place| vec![(place, Fr::ZERO)]);
    let other = [vec![(X, v)], vec![(X, v), (U, v * row(-1))], vec![(U, Fr::ZERO)], theta, beta];
    for replaced in other {
        let (proof, count) = prove(&keys, &sample, replaced.clone());
        assert_eq!(count, 1, "{replaced:?}");
        assert_eq!(keys.verify(&sample, &proof), Err(VerifyError::Equation), "{replaced:?}");
    }
}
