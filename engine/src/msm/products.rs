use halo2curves::bn256::{Fr, G1Affine};
use rayon::prelude::*;

use super::{
    buckets::{double, spread, sum_buckets, sum_pairs},
    halves::{halves, rotated},
    round::Point,
    scalars::{windows, Scalar},
};
use crate::{
    backend::{Backend, PointWork},
    lanes::Points,
};

/// Bits of a window's digit, with its sign.
const BITS: usize = 4;
/// Multiples of a point: one for each digit, up to sign.
const DIGITS: usize = 1 << (BITS - 1);
/// Most points that a thread takes at a time: enough to share an inversion, while their multiples stay in the caches.
const CHUNK: usize = 1 << 11;

impl Backend {
    /// `scalarᵢ·pointᵢ`.
    pub(super) fn products(self, points: &[G1Affine], scalars: &[Fr]) -> Vec<G1Affine> {
        let chunk = points.len().div_ceil(rayon::current_num_threads()).clamp(1, CHUNK);
        let chunks = points.par_chunks(chunk).zip(scalars.par_chunks(chunk));
        let products =
            chunks.map(|(points, scalars)| self.run_points(Products { points, scalars }));
        products.collect::<Vec<_>>().concat()
    }
}

struct Products<'a> {
    points: &'a [G1Affine],
    scalars: &'a [Fr],
}

/// Window by window, from the highest, for all points at the same time.
impl PointWork for Products<'_> {
    type Output = Vec<G1Affine>;

    fn run<L: Points>(self, lanes: L) -> Vec<G1Affine> {
        let Self { points, scalars } = self;
        let scalars: Vec<[Scalar; 2]> = scalars.iter().map(halves).collect();
        let multiples = multiples(lanes, points);
        let (mut sums, mut counts) = (vec![], vec![0; points.len()]);
        for window in (0..windows(scalars.as_flattened(), BITS)).rev() {
            (0..BITS).for_each(|_| double(lanes, &mut sums));
            let mut before = sums.into_iter();
            sums = Vec::with_capacity(3 * points.len());
            for (i, (count, halves)) in counts.iter_mut().zip(&scalars).enumerate() {
                let start = sums.len();
                if *count > 0 {
                    sums.extend(before.next());
                }
                for (multiples, half) in multiples.iter().zip(halves) {
                    let digit = half.digit(window, BITS);
                    if digit != 0 {
                        let point = multiples[digit.unsigned_abs() as usize - 1][i].0;
                        sums.push(Point(if digit < 0 { -point } else { point }));
                    }
                }
                *count = sums.len() - start;
            }
            sum_buckets(lanes, &mut sums, &mut counts);
        }
        spread(sums, &counts)
    }
}

/// All points times 1, 2 and so on, then the same times `ζ`.
fn multiples<L: Points>(lanes: L, points: &[G1Affine]) -> [Vec<Vec<Point>>; 2] {
    let mut multiples = vec![Point::all(points)];
    for times in 2..=DIGITS {
        let next = if times % 2 == 0 {
            let mut half = multiples[times / 2 - 1].clone();
            double(lanes, &mut half);
            half
        } else {
            sum_pairs(lanes, &multiples[times - 2], points.iter().copied().map(Point))
        };
        multiples.push(next);
    }
    let turned = multiples
        .iter()
        .map(|points| points.iter().map(|point| Point(rotated(&point.0))).collect());
    let turned = turned.collect();
    [multiples, turned]
}
