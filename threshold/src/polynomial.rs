//! Whether public shares lie on one polynomial through the group's key.
//!
//! A group of n members at points x_i has shares f(x_i) of the secret f(0), and f has t
//! coefficients: any t of them determine it. Everybody sees the shares and the secret as multiples
//! of a generator, Y_i and A. If they are not on such an f, some t members can make a signature
//! that others cannot, or nobody can.
//!
//! Let λ_i be the Lagrange coefficients at zero of all n members. For every polynomial r of degree n - t
//! or less, f·r has fewer than n coefficients, so
//!
//!   Σ λ_i·r(x_i)·Y_i = r(0)·A.
//!
//! These are the equations of the dual of a Reed-Solomon code: if they hold for every r, the points are on
//! an f with t coefficients. It is enough to take r = (x - z)^(n-t) for one random z: the difference of
//! both sides is a polynomial in z whose coefficients are those for r = x^k, each times a binomial
//! coefficient, which is not zero modulo a prime above n. Where one of them does not hold, at most n - t
//! values of z hide it.

use std::ops::{Mul, Sub};

/// The factor of each member's public share, in the order of `members`, and last that of the group's
/// key: the sum of these multiples is the identity if and, but for a chance of n in the order of the
/// group, only if all lie on one polynomial with `threshold` coefficients.
///
/// `members` are the points and Lagrange coefficients at zero of all members. `shift` is random, and
/// drawn when the shares are known.
///
/// # Panics
///
/// If the threshold is above the number of members.
pub(crate) fn weights<S>(
    members: &[(S, S)],
    threshold: usize,
    shift: S,
    [zero, one]: [S; 2],
) -> Vec<S>
where
    S: Copy + Mul<Output = S> + Sub<Output = S>,
{
    assert!(threshold <= members.len(), "fewer members than the threshold");
    let power = |base| power(base, members.len() - threshold, one);
    let member = |&(point, coefficient): &(S, S)| coefficient * power(point - shift);
    let key = zero - power(zero - shift);
    members.iter().map(member).chain([key]).collect()
}

fn power<S: Copy + Mul<Output = S>>(base: S, exponent: usize, one: S) -> S {
    let bits = (0..usize::BITS - exponent.leading_zeros()).rev();
    bits.fold(one, |power, bit| match exponent >> bit & 1 {
        0 => power * power,
        _ => power * power * base,
    })
}

#[cfg(test)]
mod tests {
    use ff::{Field, PrimeField};
    use halo2curves::bn256::Fr;
    use rand::SeedableRng;
    use rand_chacha::ChaCha20Rng;

    use super::*;

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
}
