//! Lagrange coefficients at zero: what a share of a secret counts for in a set of signers.
//!
//! For signers S at points x_i, λ_i = Π_{j ∈ S, j ≠ i} x_j / (x_j − x_i). All methods have the same
//! result; [`Domain::coefficients`] uses the one that is expected to be the fastest
//! ([`Method::fastest`]).

mod any_points;
mod consecutive;
mod domain;
mod method;
mod ntt;
mod roots;
#[cfg(test)]
mod tests;

use std::ops::{Deref, DerefMut};

use ff::PrimeField;

pub use domain::Domain;
pub use method::Method;

/// Elements that are wiped when dropped. Their number is fixed: a growing vector would leave a copy
/// behind.
pub(crate) struct Secrets<F: PrimeField>(Box<[F]>);

impl<F: PrimeField> Secrets<F> {
    /// `count` zeros.
    fn zeros(count: usize) -> Self {
        Self(vec![F::ZERO; count].into_boxed_slice())
    }
}

impl<F: PrimeField> Deref for Secrets<F> {
    type Target = [F];

    fn deref(&self) -> &[F] {
        &self.0
    }
}

impl<F: PrimeField> DerefMut for Secrets<F> {
    fn deref_mut(&mut self) -> &mut [F] {
        &mut self.0
    }
}

impl<F: PrimeField> Drop for Secrets<F> {
    fn drop(&mut self) {
        self.0.fill(F::ZERO);
        // The optimizer could otherwise drop writes that nobody reads.
        std::hint::black_box(&mut self.0);
    }
}
