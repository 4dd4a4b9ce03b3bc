use halo2curves::{
    bn256::{G1Affine, G1},
    group::{prime::PrimeCurveAffine, Group},
};

use super::round::{Pair, Round};
use crate::lanes::Points;

/// Digits of at most so many bits are weighed by running sums.
const SPLIT_BITS: usize = 7;

/// Pairs that share an inversion: their points, read twice, stay in the second cache.
const SHARING: usize = 1 << 12;

/// `Σ digit·point`, for digits of at most `bits` bits with their sign.
pub(super) fn bucket_sum<'a, L: Points>(
    lanes: L,
    digits: &[i32],
    point: impl Fn(usize) -> &'a G1Affine,
    bits: usize,
) -> G1 {
    // Counting sort: the points of a bucket end up side by side.
    let mut counts = vec![0usize; (1 << (bits - 1)) + 1];
    for digit in digits {
        counts[digit.unsigned_abs() as usize] += 1;
    }
    counts[0] = 0;
    let ends = counts.iter().scan(0, |end, count| {
        *end += count;
        Some(*end)
    });
    let mut ends: Vec<usize> = ends.collect();
    let mut points = vec![G1Affine::default(); ends[ends.len() - 1]];
    for (i, digit) in digits.iter().enumerate().filter(|(_, digit)| **digit != 0) {
        let base = point(i);
        let end = &mut ends[digit.unsigned_abs() as usize];
        *end -= 1;
        points[*end] = if *digit < 0 { -base } else { *base };
    }
    let counts = &mut counts[1..];
    sum_buckets(lanes, &mut points, counts);
    let digits = (1..).zip(counts.iter()).filter(|(_, count)| **count > 0).map(|(digit, _)| digit);
    weigh(lanes, &points, &digits.collect::<Vec<_>>(), bits)
}

/// `Σ digit·point` for increasing digits from 1 to `2^(bits−1)`.
///
/// Many digits are split in halves, `digit = 2^half·high + low`, and each half is summed in buckets
/// again: two affine additions a point, where running sums take two projective ones.
fn weigh<L: Points>(lanes: L, points: &[G1Affine], digits: &[i32], bits: usize) -> G1 {
    if bits > SPLIT_BITS {
        let half = (bits - 1) / 2;
        let high: Vec<_> = digits.iter().map(|digit| digit >> half).collect();
        let low: Vec<_> = digits.iter().map(|digit| digit & ((1 << half) - 1)).collect();
        let high = bucket_sum(lanes, &high, |i| &points[i], bits - half);
        let low = bucket_sum(lanes, &low, |i| &points[i], half + 1);
        return (0..half).fold(high, |sum, _| sum.double()) + low;
    }
    let mut sums = digits.iter().zip(points).rev().peekable();
    let (mut running, mut total) = (G1::identity(), G1::identity());
    for digit in (1..=1 << (bits - 1)).rev() {
        if let Some((_, point)) = sums.next_if(|(of, _)| **of == digit) {
            running += point;
        }
        total += running;
    }
    total
}

/// Replaces the points of each bucket by their sum: afterwards a bucket has one point or none.
/// `counts` are the sizes of the buckets, whose points lie side by side.
pub(super) fn sum_buckets<L: Points>(lanes: L, points: &mut Vec<G1Affine>, counts: &mut [usize]) {
    let (mut sums, mut pairs) = (vec![], vec![]);
    while counts.iter().any(|count| *count > 1) {
        sums.clear();
        sums.resize(counts.iter().map(|count| count.div_ceil(2)).sum(), G1Affine::default());
        pairs.clear();
        let (mut read, mut write) = (0, 0);
        for count in counts.iter_mut() {
            for _ in 0..*count / 2 {
                pairs.push(Pair { read, write });
                (read, write) = (read + 2, write + 1);
            }
            if *count % 2 == 1 {
                sums[write] = points[read];
                (read, write) = (read + 1, write + 1);
            }
            *count = count.div_ceil(2);
        }
        for pairs in pairs.chunks(SHARING) {
            Round::new(lanes, points, pairs).add(&mut sums);
        }
        std::mem::swap(points, &mut sums);
    }
}

/// Sums of two points each.
pub(super) fn sum_pairs<L: Points>(
    lanes: L,
    left: &[G1Affine],
    right: impl Iterator<Item = G1Affine>,
) -> Vec<G1Affine> {
    let mut points: Vec<_> =
        left.iter().zip(right).flat_map(|(left, right)| [*left, right]).collect();
    sum_buckets(lanes, &mut points, &mut vec![2; left.len()]);
    points
}

/// Doubles points.
pub(super) fn double<L: Points>(lanes: L, points: &mut Vec<G1Affine>) {
    let pairs: Vec<_> = (0..points.len()).map(|i| Pair { read: i, write: i }).collect();
    let mut doubled = vec![G1Affine::default(); points.len()];
    for pairs in pairs.chunks(SHARING) {
        Round::doubling(lanes, points, pairs).add(&mut doubled);
    }
    *points = doubled;
}

/// A point for each count: the next one, or the identity for a bucket that has none.
pub(super) fn spread(points: Vec<G1Affine>, counts: &[usize]) -> Vec<G1Affine> {
    let mut points = points.into_iter();
    let mut point = |count: &usize| match count {
        0 => G1Affine::identity(),
        _ => points.next().expect("a point of each bucket that is not empty"),
    };
    counts.iter().map(&mut point).collect()
}
