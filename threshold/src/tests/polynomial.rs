//! Sums that are zero for polynomials of the degree, and nothing else.

use ff::{Field, PrimeField};
use halo2curves::bn256::Fr;
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;

use crate::polynomial::{power, weights};

/// The sum over points and values, the value at zero last.
fn sum(points: &[Fr], values: &[Fr], threshold: usize, shift: Fr) -> Fr {
    let coefficient = |x: &Fr| {
        let others = points.iter().filter(|other| *other != x);
        others.fold(Fr::ONE, |product, other| product * other * (other - x).invert().unwrap())
    };
    let members: Vec<_> = points.iter().map(|x| (*x, coefficient(x))).collect();
    let weights = weights(&members, threshold, shift, [Fr::ZERO, Fr::ONE]);
    assert_eq!(weights.len(), values.len());
    weights.iter().zip(values).fold(Fr::ZERO, |sum, (weight, value)| sum + weight * value)
}

#[test]
fn polynomials_of_the_degree_pass_and_nothing_else() {
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    let root = Fr::ROOT_OF_UNITY.pow([1 << (Fr::S - 3)]);
    let roots: Vec<_> = (0..7).map(|i| root.pow([i])).collect();
    let numbers: Vec<_> = (1..=7).map(Fr::from).collect();
    for points in [roots, numbers] {
        for threshold in 1..=points.len() {
            let mut values = |coefficients: usize| {
                let f: Vec<_> = (0..coefficients).map(|_| Fr::random(&mut rng)).collect();
                let at = |x: &Fr| f.iter().rev().fold(Fr::ZERO, |sum, c| sum * x + c);
                points.iter().map(at).chain([f[0]]).collect::<Vec<_>>()
            };
            let good = values(threshold);
            let long = values(threshold + 1);
            let other = values(threshold);
            let shift = Fr::random(&mut rng);
            let sum = |values: &[Fr]| sum(&points, values, threshold, shift);
            assert_eq!(sum(&good), Fr::ZERO);
            assert_ne!(sum(&long), Fr::ZERO);
            // One value changed, the key's too; two that cancel in a plain sum; values of two.
            for i in 0..good.len() {
                let mut bad = good.clone();
                bad[i] += Fr::ONE;
                assert_ne!(sum(&bad), Fr::ZERO);
                let next = (i + 1) % good.len();
                bad[next] -= Fr::ONE;
                assert_ne!(sum(&bad), Fr::ZERO);
                if (1..good.len() - 1).contains(&i) && threshold > 1 {
                    let glued = [&good[..i], &other[i..]].concat();
                    assert_ne!(sum(&glued), Fr::ZERO, "{threshold} {i}");
                }
            }
        }
    }
}

#[test]
fn powers() {
    let base = Fr::from(3);
    for exponent in [0, 1, 2, 5, 64, 1000] {
        assert_eq!(power(base, exponent, Fr::ONE), base.pow([exponent as u64]));
    }
}
