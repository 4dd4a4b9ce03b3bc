//! Lagrange coefficients at zero of signers at small integers, computed from the absent ones.
//!
//! With S the signers among 1, …, n, A the absentees and V = (x − 1) ⋯ (x − n), the derivative of V at i is
//! (−1)^(n−i) (i−1)! (n−i)!, and Z_S Z_A = V, so that
//!
//! ```text
//! λ_i = Z_S(0) / (−i Z_S′(i)) = (−1)^(i−1) n! / (i! (n−i)!) · Z_A(i) / Z_A(0):
//! ```
//!
//! a binomial coefficient and a polynomial over the absentees alone. If those are few, its values
//! are computed as products ([`Field::value`]).

use std::ops::{Mul, Sub};

/// The field operations that the formulas need.
pub(crate) struct Field<S> {
    /// Zero.
    pub(crate) zero: S,
    /// The product of two words.
    pub(crate) integer: fn([u64; 2]) -> S,
}

impl<S: Copy + Mul<Output = S> + Sub<Output = S>> Field<S> {
    /// Coefficients of `signers`, in their order. `value` returns Z_A at a signer and at zero;
    /// `weights` takes Z_A(0) and returns n! / (i! (n−i)! Z_A(0)) for each signer.
    pub(crate) fn coefficients(
        &self,
        signers: &[u32],
        value: impl Fn(u32) -> S,
        weights: impl FnOnce(S) -> Vec<S>,
    ) -> Vec<S> {
        let weights = weights(value(0));
        let coefficient = |(&signer, weight): (&u32, S)| {
            self.signed(weight * value(signer), signer.is_multiple_of(2))
        };
        signers.iter().zip(weights).map(coefficient).collect()
    }

    /// The product of `point` − root over `roots`.
    ///
    /// Factors are multiplied as integers while they fit two words, and only then as field
    /// elements.
    pub(crate) fn value(&self, point: i64, roots: impl Iterator<Item = i64> + Clone) -> S {
        let above = roots.clone().filter(|root| *root > point).count();
        let (mut product, mut words) = (None, [1u64; 2]);
        for factor in roots.map(|root| point.abs_diff(root)) {
            let [first, last] = words;
            words = match last.checked_mul(factor) {
                Some(larger) => [first, larger],
                None if first == 1 => [last, factor],
                None => {
                    product = Some(self.times(product, words));
                    [1, factor]
                }
            };
        }
        self.signed(self.times(product, words), above % 2 == 1)
    }

    fn times(&self, product: Option<S>, words: [u64; 2]) -> S {
        let next = (self.integer)(words);
        product.map_or(next, |product| product * next)
    }

    fn signed(&self, value: S, negative: bool) -> S {
        if negative {
            self.zero - value
        } else {
            value
        }
    }
}

/// The integers from 1 to `last` that are not among `present`, which are in order.
pub(crate) fn absent(present: &[u32], last: u32) -> Vec<u32> {
    let mut present = present.iter().copied().peekable();
    (1..=last).filter(|number| present.next_if_eq(number).is_none()).collect()
}
