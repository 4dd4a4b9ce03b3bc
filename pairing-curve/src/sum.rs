//! Σ sᵢPᵢ of public scalars and points, on all threads.

use ark_bls12_381::{Fq, Fq2};
use blst::{blst_p1, blst_p1_affine, blst_p2, blst_p2_affine, MultiPoint};
use group::Group;
use rayon::prelude::*;

use super::{
    buckets::{signed_digits, weighted_sum, windows, Entries},
    endomorphism::{beta, halves, image, HALF_BITS},
    frobenius,
    lanes::{Lane, LaneField},
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
fn sums<A, P>(points: &[A], scalars: &[u8], bits: usize) -> Vec<P>
where
    A: Sync,
    P: Send,
    [A]: MultiPoint<Output = P>,
{
    let chunk = points.len().div_ceil(rayon::current_num_threads()).max(CHUNK);
    let scalars = scalars.par_chunks(chunk * bits.div_ceil(8));
    points.par_chunks(chunk).zip(scalars).map(|(points, s)| points.mult(s, bits)).collect()
}

fn add_g1(parts: &[blst_p1]) -> G1Projective {
    parts.iter().fold(G1Projective::identity(), |sum, part| {
        let mut point = G1Projective::identity();
        *point.as_mut() = *part;
        sum + point
    })
}

/// Σ sᵢPᵢ in G1. As many scalars as points; not in constant time.
///
/// Scalars are split in half by the endomorphism; few points are left to blst; many go into affine
/// buckets.
pub fn sum_g1(points: &[G1Affine], scalars: &[Fr]) -> G1Projective {
    assert_eq!(points.len(), scalars.len(), "a scalar a point");
    let beta = beta();
    let halves: Vec<[u128; 2]> =
        scalars.par_iter().map(|scalar| halves(&scalar_bytes(scalar)).into()).collect();
    let lanes = points.par_iter().map(Lane::from);
    let lanes: Vec<Lane<Fq>> = lanes.flat_map_iter(|point| [point, image(&point, &beta)]).collect();
    if points.len() >= AFFINE {
        return bucket_sum(&lanes, &halves.concat(), HALF_BITS);
    }
    let raw: Vec<blst_p1_affine> =
        lanes.iter().map(|point| *G1Affine::from(point).as_ref()).collect();
    let bytes: Vec<u8> = halves.concat().iter().flat_map(|half| half.to_le_bytes()).collect();
    add_g1(&sums(&raw, &bytes, HALF_BITS))
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
    add_g1(&sums(&raw, &bytes, 128))
}

/// Σ sᵢQᵢ in G2. As many scalars as points; not in constant time.
///
/// Scalars are split in quarters by the endomorphism; few points are left to blst.
pub fn sum_g2(points: &[G2Affine], scalars: &[Fr]) -> G2Projective {
    assert_eq!(points.len(), scalars.len(), "a scalar a point");
    if points.len() >= AFFINE_G2 {
        let lanes: Vec<Lane<Fq2>> =
            points.iter().flat_map(|point| frobenius::images(&Lane::from(point))).collect();
        let quarters = scalars.iter().map(|scalar| frobenius::quarters(&scalar_bytes(scalar)));
        let quarters: Vec<u128> = quarters.flatten().map(u128::from).collect();
        return bucket_sum(&lanes, &quarters, frobenius::BITS);
    }
    let raw: Vec<blst_p2_affine> = points.iter().map(|point| *point.as_ref()).collect();
    let bytes: Vec<u8> = scalars.iter().flat_map(scalar_bytes).collect();
    let parts: Vec<blst_p2> = sums(&raw, &bytes, BITS);
    parts.iter().fold(G2Projective::identity(), |sum, part| {
        let mut point = G2Projective::identity();
        *point.as_mut() = *part;
        sum + point
    })
}
