//! Memory for secret elements.

use std::ops::{Deref, DerefMut};

use ff::PrimeField;

/// Elements that are wiped when they are dropped. Their number is fixed: a vector that grows leaves a
/// copy behind.
pub(crate) struct Secrets<F: PrimeField>(Box<[F]>);

impl<F: PrimeField> Secrets<F> {
    /// So many zeros.
    pub(super) fn zeros(count: usize) -> Self {
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
        // The optimizer could leave out what nobody reads.
        std::hint::black_box(&mut self.0);
    }
}
