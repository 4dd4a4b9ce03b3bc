//! The rows as points of the field, and the polynomials that are 1 in one of them and 0 in all
//! others.

use ark_ff::{batch_inversion, Field, MontFp, Zero};

use crate::Scalar;

/// A root of unity of order `2^28`.
pub(crate) const OMEGA_28: Scalar =
    MontFp!("0x03ddb9f5166d18b798865ea93dd31f743215cf6dd39329c8d34f1ed960c37c9c");
/// `7^(2^28)`, whose powers tell copied columns apart.
pub(crate) const DELTA: Scalar =
    MontFp!("0x09226b6e22c6f0ca64ec26aad4c86e715b5f898e5e963f25870e56bbe533e9a2");

/// `first`, `first·base`, `first·base²` and so on.
pub(crate) fn powers(first: Scalar, base: Scalar) -> impl Iterator<Item = Scalar> {
    std::iter::successors(Some(first), move |power| Some(power * &base))
}

/// The `2^k` rows.
#[derive(Clone, Copy)]
pub(crate) struct Domain {
    k: u32,
    omega: Scalar,
    /// One by the number of rows.
    inverse: Scalar,
}

impl Domain {
    /// The rows of a protocol, whose `k` is at most 26.
    pub(crate) fn new(k: u32) -> Self {
        let mut omega = OMEGA_28;
        for _ in k..28 {
            omega.square_in_place();
        }
        let inverse = Scalar::from(1_u64 << k).inverse().unwrap_or_default();
        Self { k, omega, inverse }
    }

    /// `ω^rotation`.
    pub(crate) fn power(&self, rotation: i32) -> Scalar {
        let exponent = i64::from(rotation).rem_euclid(1 << self.k);
        self.omega.pow([exponent.unsigned_abs()])
    }

    /// `x^n`.
    pub(crate) fn raise(&self, mut x: Scalar) -> Scalar {
        for _ in 0..self.k {
            x.square_in_place();
        }
        x
    }

    /// `L_i(x)` of `count` rows from row `first` on; after the last row comes row 0. `x` is not a
    /// row.
    pub(crate) fn lagrange(&self, x: Scalar, first: usize, count: usize) -> Vec<Scalar> {
        let scale = (self.raise(x) - Scalar::ONE) * self.inverse;
        let first = self.omega.pow([first as u64]);
        let rows: Vec<Scalar> = powers(first, self.omega).take(count).collect();
        let mut lagrange: Vec<Scalar> = rows.iter().map(|row| x - row).collect();
        debug_assert!(lagrange.iter().all(|denominator| !denominator.is_zero()));
        batch_inversion(&mut lagrange);
        for (value, row) in lagrange.iter_mut().zip(rows) {
            *value *= row * scale;
        }
        lagrange
    }
}
