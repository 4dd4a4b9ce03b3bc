use ff::{Field, PrimeField};
use halo2curves::bls12_381::Fr;
use proptest::prelude::*;

use super::{rng, MESSAGE};
use crate::signature::bls::{endomorphism::halves, Ciphersuite, MinSigBasicBls12381};

/// The square of the curve's parameter.
const SQUARE: u128 = 0xac45_a401_0001_a402_0000_0001_0000_0000;

/// Scalars at the edges of what the halves may be, and random ones.
fn scalars() -> Vec<Fr> {
    let square = Fr::from_u128(SQUARE);
    let near = |scalar: Fr| [-Fr::ONE, Fr::ZERO, Fr::ONE].map(|by| scalar + by);
    let edges =
        [Fr::ZERO, square, square.square(), square.square() - square, -square, square.double()];
    edges.into_iter().flat_map(near).collect()
}

fn check(scalar: Fr) {
    let (a, b) = halves(&scalar);
    let lambda = Fr::from_u128(SQUARE) - Fr::ONE;
    assert_eq!(Fr::from_u128(a) + Fr::from_u128(b) * lambda, scalar);
}

#[test]
fn halves_make_the_scalar() {
    scalars().into_iter().for_each(check);
    let mut rng = rng(1);
    (0..1000).for_each(|_| check(Fr::random(&mut rng)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn combinations_are_signatures_of_the_sum(count in 1usize..80, seed in any::<u64>()) {
        let mut rng = rng(seed);
        let secrets: Vec<Fr> = (0..count).map(|_| Fr::random(&mut rng)).collect();
        let mut coefficients: Vec<Fr> = scalars().into_iter().take(count / 2).collect();
        coefficients.resize_with(count, || Fr::random(&mut rng));
        let points = MinSigBasicBls12381::multiples(MESSAGE, &secrets);
        let sum: Fr = secrets.iter().zip(&coefficients).map(|(s, c)| s * c).sum();
        let expected = MinSigBasicBls12381::sign(&sum, MESSAGE);
        prop_assert_eq!(MinSigBasicBls12381::combine(&points, &coefficients), Some(expected));
    }
}

#[test]
fn a_sum_may_be_the_identity() {
    let points = MinSigBasicBls12381::multiples(MESSAGE, &[Fr::ONE, Fr::ONE]);
    assert_eq!(MinSigBasicBls12381::combine(&points, &[Fr::ONE, -Fr::ONE]), None);
}
