//! Many inverses by one.

use ff::{BatchInvert, PrimeField};

/// Inverts all values with one inversion.
pub(super) fn invert<F: PrimeField>(values: &mut [F]) {
    values.iter_mut().batch_invert();
}
