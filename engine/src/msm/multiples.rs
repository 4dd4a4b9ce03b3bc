use halo2curves::{
    bn256::{Fr, G1Affine, G1},
    group::{prime::PrimeCurveAffine, Curve, Group},
};
use rayon::prelude::*;

use super::{
    buckets::{spread, sum_buckets},
    round::Point,
    scalars::{Scalar, SCALAR_BITS},
};
use crate::{
    backend::{Backend, PointWork},
    lanes::Points,
};

/// Bits of a window's digit, with its sign.
const BITS: usize = 8;
/// Points of a window: one for each digit, up to sign.
const DIGITS: usize = 1 << (BITS - 1);
/// Windows of a scalar, the last one with room for a carry.
const WINDOWS: usize = SCALAR_BITS / BITS + 1;
/// Scalars that a thread takes at a time: their points stay in the L2 cache.
const CHUNK: usize = 128;

impl Backend {
    /// `scalarᵢ·base`, for many scalars.
    ///
    /// A table has the multiples by all digits of each window, so that a scalar is a sum of up to 32 of its points.
    pub fn multiples(self, base: &G1Affine, scalars: &[Fr]) -> Vec<G1Affine> {
        let table = table(base);
        let scalars = Scalar::all(scalars);
        let chunks = scalars.par_chunks(CHUNK);
        let multiples = chunks.map(|scalars| self.run_points(Multiples { table: &table, scalars }));
        multiples.collect::<Vec<_>>().concat()
    }
}

/// `digit·2^(BITS·window)·base`, window by window.
fn table(base: &G1Affine) -> Vec<G1Affine> {
    let mut points = Vec::with_capacity(WINDOWS * DIGITS);
    let mut first = base.to_curve();
    for _ in 0..WINDOWS {
        let mut point = first;
        for _ in 0..DIGITS {
            points.push(point);
            point += first;
        }
        first = points[points.len() - 1].double();
    }
    let mut table = vec![G1Affine::identity(); points.len()];
    G1::batch_normalize(&points, &mut table);
    table
}

struct Multiples<'a> {
    table: &'a [G1Affine],
    scalars: &'a [Scalar],
}

impl PointWork for Multiples<'_> {
    type Output = Vec<G1Affine>;

    fn run<L: Points>(self, lanes: L) -> Vec<G1Affine> {
        let Self { table, scalars } = self;
        let (mut points, mut counts) = (Vec::with_capacity(WINDOWS * scalars.len()), vec![]);
        for scalar in scalars {
            let before = points.len();
            for window in 0..WINDOWS {
                let digit = scalar.digit(window, BITS);
                if digit != 0 {
                    let point = table[window * DIGITS + digit.unsigned_abs() as usize - 1];
                    points.push(Point(if digit < 0 { -point } else { point }));
                }
            }
            counts.push(points.len() - before);
        }
        sum_buckets(lanes, &mut points, &mut counts);
        spread(points, &counts)
    }
}
