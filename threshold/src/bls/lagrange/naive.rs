//! Coefficients at any points, in a number of steps quadratic in theirs.

use ff::{BatchInvert, PrimeField};

/// λ_i = Π_{j≠i} x_j / (x_j − x_i), each computed by itself, with its own inversion: the baseline.
pub(super) fn naive<F: PrimeField>(points: &[F]) -> Vec<F> {
    let coefficient = |(i, own): (usize, &F)| {
        let (mut above, mut below) = (F::ONE, F::ONE);
        for (j, other) in points.iter().enumerate() {
            if i != j {
                above *= other;
                below *= *other - own;
            }
        }
        // Points are distinct, so no factor is zero.
        above * below.invert().unwrap_or(F::ZERO)
    };
    points.iter().enumerate().map(coefficient).collect()
}

/// The same, with the product of all points computed once and a single inversion.
pub(super) fn quadratic<F: PrimeField>(points: &[F]) -> Vec<F> {
    let all: F = points.iter().fold(F::ONE, |product, point| product * point);
    let mut below: Vec<F> = Vec::with_capacity(points.len());
    for (i, own) in points.iter().enumerate() {
        // Two chains, so that a multiplication need not wait for the one before.
        let (before, after) = (&points[..i], &points[i + 1..]);
        let product = |points: &[F]| {
            let (mut even, mut odd) = (F::ONE, F::ONE);
            for pair in points.chunks(2) {
                even *= pair[0] - own;
                if let Some(other) = pair.get(1) {
                    odd *= *other - own;
                }
            }
            even * odd
        };
        below.push(*own * product(before) * product(after));
    }
    below.iter_mut().batch_invert();
    below.iter_mut().for_each(|value| *value *= all);
    below
}
