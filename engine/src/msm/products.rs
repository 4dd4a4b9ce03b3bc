use halo2curves::{
    bn256::{Fq, Fr, G1Affine},
    ff::WithSmallOrderMulGroup,
};
use rayon::prelude::*;

use super::{
    buckets::{double, spread, sum_buckets, sum_pairs},
    round::Point,
    scalars::{limbs, windows, Scalar},
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

/// `b₁` and `b₂` of two short pairs with `aᵢ + ζ·bᵢ = 0` modulo the prime `r`. For the curve's parameter `x`, the pairs
/// are `(−6x² − 2x, 2x + 1)` and `(2x + 1, 6x² + 4x + 1)`.
const SHORT: [u128; 2] = [0x89d3256894d213e3, 0x6f4d8248eeb859fd0be4e1541221250b];

/// `⌊2^254·bᵢ/r⌋`.
const QUOTIENTS: [u128; 2] = [0xb64748cbb1f82cf5, 0x9333bc0529dcf4b494e63f40c03fd959];

/// The endomorphism of BN254, `ζ·(x, y) = (ζx, y)` with a root of unity of order 3 in either field, splits a scalar of 254
/// bits into two of half the length, so that a product takes half the doublings: `scalar = first + ζ·second`, two integers of at most 128 bits.
///
/// That holds for any `c₁` and `c₂` in `second = c₂·b₁ − c₁·b₂`, since `first = scalar + c₂·a₁ − c₁·a₂` makes up for it. With
/// `cᵢ = scalar·bᵢ/r` nothing would be left of either. What is left is what `cᵢ` falls short of that, less than 2, times the
/// short pairs: less than `2·b₂` of both, which is less than `2^128`.
pub(super) fn halves(scalar: &Fr) -> [Scalar; 2] {
    let [_, low, middle, high] = limbs(scalar);
    let top = u128::from(high) << 66 | u128::from(middle) << 2 | u128::from(low >> 62);
    let [c1, c2] = QUOTIENTS.map(|quotient| element(top.carrying_mul(quotient, 0).1));
    let [b1, b2] = SHORT.map(element);
    let second = c2 * b1 - c1 * b2;
    [Scalar::new(&(scalar - second * Fr::ZETA)), Scalar::new(&second)]
}

/// Takes one product, where `Fr::from_u128` takes one for each bit.
const fn element(integer: u128) -> Fr {
    Fr::from_raw([integer as u64, (integer >> 64) as u64, 0, 0])
}

/// `ζ·point`.
pub(super) fn rotated(point: &G1Affine) -> G1Affine {
    G1Affine { x: point.x * Fq::ZETA, y: point.y }
}
