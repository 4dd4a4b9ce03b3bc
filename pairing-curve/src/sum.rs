//! Σ sᵢPᵢ of public scalars and points, on all threads.

use ark_bls12_381::{Fq, Fq2};
use blst::{blst_p1_affine, blst_p2_affine, MultiPoint};
use group::Group;
use rayon::prelude::*;

use super::{
    buckets::{signed_digits, weighted_sum, windows, Entries},
    endomorphism::{halves, image, images, quarters, HALF_BITS, QUARTER_BITS},
    lanes::{double_in_lanes, Lane, LaneField},
    scalar_bytes, Fr, G1Affine, G1Projective, G2Affine, G2Projective,
};

/// Bits of a scalar.
const BITS: usize = 255;
/// The least number of points for which affine buckets are faster than blst's: measured.
const AFFINE: usize = 256;
/// The same in G2.
const AFFINE_G2: usize = 48;
/// Points whose buckets are filled together.
const PART: usize = 1 << 14;
/// Least number of points for a thread.
const CHUNK: usize = 128;

/// blst's sum of points with scalars of `bits` bits, in as many parts as there are threads.
fn sum_by_blst<A, P, Q>(points: &[A], scalars: &[u8], bits: usize) -> Q
where
    A: Sync,
    P: Send,
    Q: Group + AsMut<P>,
    [A]: MultiPoint<Output = P>,
{
    let chunk = points.len().div_ceil(rayon::current_num_threads()).max(CHUNK);
    let scalars = scalars.par_chunks(chunk * bits.div_ceil(8));
    let parts = points.par_chunks(chunk).zip(scalars).map(|(points, s)| points.mult(s, bits));
    parts.collect::<Vec<P>>().into_iter().fold(Q::identity(), |sum, part| {
        let mut point = Q::identity();
        *point.as_mut() = part;
        sum + point
    })
}

/// Σ sᵢPᵢ in G1. As many scalars as points; not in constant time.
///
/// Scalars are split in half by the endomorphism; few points are left to blst; many go into affine
/// buckets.
pub fn sum_g1(points: &[G1Affine], scalars: &[Fr]) -> G1Projective {
    assert_eq!(points.len(), scalars.len(), "a scalar a point");
    let halves: Vec<[u128; 2]> =
        scalars.par_iter().map(|scalar| halves(&scalar_bytes(scalar)).into()).collect();
    let lanes = points.par_iter().map(Lane::from);
    let lanes: Vec<Lane<Fq>> = lanes.flat_map_iter(|point| [point, image(&point)]).collect();
    if points.len() >= AFFINE {
        return bucket_sum(&lanes, &halves.concat(), HALF_BITS);
    }
    sum_g1_short(&lanes.iter().map(G1Affine::from).collect::<Vec<_>>(), &halves.concat())
}

/// Σ sᵢPᵢ for scalars of `length` bits, window by window.
fn bucket_sum<F: LaneField>(points: &[Lane<F>], scalars: &[u128], length: usize) -> F::Point {
    // In each window, one addition per point and two per bucket.
    let additions = |bits: &usize| windows(*bits, length) * (points.len() + (2 << (bits - 1)));
    let bits = (4..=12).min_by_key(additions).unwrap_or(4);
    let count = windows(bits, length);
    let mut digits: Vec<Vec<i32>> = vec![Vec::with_capacity(points.len()); count];
    for scalar in scalars {
        let bytes = scalar.to_le_bytes();
        let all = signed_digits(&bytes, bits, length);
        digits.iter_mut().zip(all).for_each(|(own, digit)| own.push(digit));
    }
    let window = |digits: &Vec<i32>| {
        // In parts that stay in the cache; the buckets' sums are carried over to the next part.
        let mut sums: Vec<Lane<F>> = vec![];
        for (digits, points) in digits.chunks(PART).zip(points.chunks(PART)) {
            let mut entries = Entries::with_capacity(points.len() + sums.len());
            sums.iter().enumerate().for_each(|(bucket, sum)| entries.push(bucket as u32, *sum));
            digits.iter().zip(points).for_each(|(digit, point)| entries.push_signed(*digit, point));
            sums = entries.sums(1 << (bits - 1));
        }
        weighted_sum(&sums)
    };
    let sums: Vec<F::Point> = digits.par_iter().map(window).collect();
    sums.iter().rev().fold(F::Point::identity(), |sum, window| {
        (0..bits).fold(sum, |sum, _| sum.double()) + window
    })
}

/// Σ sᵢPᵢ in G1 for scalars of 128 bits.
pub fn sum_g1_short(points: &[G1Affine], scalars: &[u128]) -> G1Projective {
    assert_eq!(points.len(), scalars.len(), "a scalar a point");
    let raw: Vec<blst_p1_affine> = points.iter().map(|point| *point.as_ref()).collect();
    let bytes: Vec<u8> = scalars.iter().flat_map(|scalar| scalar.to_le_bytes()).collect();
    sum_by_blst(&raw, &bytes, HALF_BITS)
}

/// Σ sᵢQᵢ in G2. As many scalars as points; not in constant time.
///
/// Scalars are split in quarters by the endomorphism; few points are left to blst.
pub fn sum_g2(points: &[G2Affine], scalars: &[Fr]) -> G2Projective {
    assert_eq!(points.len(), scalars.len(), "a scalar a point");
    if points.len() >= AFFINE_G2 {
        let lanes: Vec<Lane<Fq2>> =
            points.iter().flat_map(|point| images(&Lane::from(point))).collect();
        let quarters = scalars.iter().map(|scalar| quarters(&scalar_bytes(scalar)));
        let quarters: Vec<u128> = quarters.flatten().map(u128::from).collect();
        return bucket_sum(&lanes, &quarters, QUARTER_BITS);
    }
    let raw: Vec<blst_p2_affine> = points.iter().map(|point| *point.as_ref()).collect();
    let bytes: Vec<u8> = scalars.iter().flat_map(scalar_bytes).collect();
    sum_by_blst(&raw, &bytes, BITS)
}

/// Points that are known in advance, with their multiples by 2^(wi): all windows share one set of
/// buckets, and nothing is doubled.
#[derive(Clone, Debug)]
pub struct StoredBases {
    bits: usize,
    /// Indexed by window and point.
    multiples: Vec<Vec<Lane<Fq>>>,
}

impl StoredBases {
    /// The multiples of some points.
    pub fn new(points: &[G1Affine]) -> Self {
        // One addition per point and window, and two per bucket at the end.
        let bits = (points.len().max(16).ilog2() as usize + 1).clamp(5, 13);
        let mut current: Vec<Lane<Fq>> = points.iter().map(Lane::from).collect();
        let mut multiples = vec![];
        for window in 0..windows(bits, BITS) {
            if window > 0 {
                current.par_chunks_mut(512).for_each(|part| {
                    (0..bits).for_each(|_| double_in_lanes(part));
                });
            }
            multiples.push(current.clone());
        }
        Self { bits, multiples }
    }

    /// Σ sᵢPᵢ from the point `first` on. Not in constant time: buckets are filled by digits.
    pub fn sum(&self, first: usize, scalars: &[Fr]) -> G1Projective {
        let part = scalars.len().div_ceil(rayon::current_num_threads()).max(64);
        let buckets = 1 << (self.bits - 1);
        let parts: Vec<G1Projective> = scalars
            .par_chunks(part)
            .enumerate()
            .map(|(place, scalars)| {
                let mut entries = Entries::with_capacity(scalars.len() * self.multiples.len());
                for (point, scalar) in (first + place * part..).zip(scalars) {
                    let bytes = scalar_bytes(scalar);
                    let digits = signed_digits(&bytes, self.bits, BITS);
                    for (window, digit) in self.multiples.iter().zip(digits) {
                        entries.push_signed(digit, &window[point]);
                    }
                }
                weighted_sum(&entries.sums(buckets))
            })
            .collect();
        parts.iter().fold(G1Projective::identity(), |sum, part| sum + part)
    }
}
