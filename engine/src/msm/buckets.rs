use halo2curves::{
    bn256::{G1Affine, G1},
    group::{prime::PrimeCurveAffine, Group},
};

use super::round::{Pair, Point, Round};
use crate::lanes::Points;

/// Digits of at most this many bits are weighted by running sums.
const SPLIT_BITS: usize = 7;

/// Points that are added up together: they stay in the L2 cache until one is left of each bucket.
const TOGETHER: usize = 1 << 13;

/// Pairs that share an inversion: their points are read twice.
const SHARING: usize = 1 << 12;

/// `Σ digit·point`, for digits of at most `bits` bits with their sign.
pub(super) fn bucket_sum<L: Points>(lanes: L, digits: &[i32], points: &[Point], bits: usize) -> G1 {
    let mut counts = vec![0; (1 << (bits - 1)) + 1];
    for digit in digits {
        counts[digit.unsigned_abs() as usize] += 1;
    }
    counts[0] = 0;
    let sorted = sort(digits, &counts);
    let counts = &counts[1..];
    let (mut sorted, mut taken, mut sums) = (sorted.as_slice(), vec![], vec![]);
    for counts in runs(counts) {
        let run = sorted.split_off(..counts.iter().sum()).expect("as many as the buckets have");
        taken.clear();
        // In a loop of its own, so that many points are fetched at a time.
        taken.extend(run.iter().map(|i| points[i.unsigned_abs() as usize - 1]));
        for (point, i) in taken.iter_mut().zip(run) {
            // Signs are random: a branch would be mispredicted half the time.
            point.0.y = [point.0.y, -point.0.y][usize::from(*i < 0)];
        }
        add_up(lanes, &mut taken, counts);
        sums.extend(firsts(counts).map(|first| taken[first]));
    }
    let digits = (1..).zip(counts).filter(|(_, count)| **count > 0).map(|(digit, _)| digit);
    weigh(lanes, &sums, &digits.collect::<Vec<_>>(), bits)
}

/// Which points fall into each bucket, bucket by bucket: counted from 1, and negative if they are subtracted. Nothing
/// is in the bucket of zeros.
fn sort(digits: &[i32], counts: &[usize]) -> Vec<i32> {
    let ends = counts.iter().scan(0, |end, count| {
        *end += count;
        Some(*end)
    });
    let mut ends: Vec<usize> = ends.collect();
    let mut sorted = vec![0; ends[ends.len() - 1]];
    for (i, digit) in (1..).zip(digits).filter(|(_, digit)| **digit != 0) {
        let end = &mut ends[digit.unsigned_abs() as usize];
        *end -= 1;
        sorted[*end] = i * digit.signum();
    }
    sorted
}

/// `Σ digit·point` for increasing digits from 1 to `2^(bits−1)`.
///
/// Many digits are split in halves, `digit = 2^half·high + low`, and each half is summed in buckets
/// again: two affine additions per point, where running sums take two projective ones.
fn weigh<L: Points>(lanes: L, points: &[Point], digits: &[i32], bits: usize) -> G1 {
    if bits > SPLIT_BITS {
        let half = (bits - 1) / 2;
        let high: Vec<_> = digits.iter().map(|digit| digit >> half).collect();
        let low: Vec<_> = digits.iter().map(|digit| digit & ((1 << half) - 1)).collect();
        let high = bucket_sum(lanes, &high, points, bits - half);
        let low = bucket_sum(lanes, &low, points, half + 1);
        return (0..half).fold(high, |sum, _| sum.double()) + low;
    }
    let mut sums = digits.iter().zip(points).rev().peekable();
    let (mut running, mut total) = (G1::identity(), G1::identity());
    for digit in (1..=1 << (bits - 1)).rev() {
        if let Some((_, point)) = sums.next_if(|(of, _)| **of == digit) {
            running += point.0;
        }
        total += running;
    }
    total
}

/// Replaces the points of each bucket by their sum: afterwards a bucket has one point or none.
/// `counts` are the sizes of the buckets, whose points lie side by side.
pub(super) fn sum_buckets<L: Points>(lanes: L, points: &mut Vec<Point>, counts: &mut [usize]) {
    let (mut start, mut kept) = (0, 0);
    for counts in runs(counts) {
        let end = start + counts.iter().sum::<usize>();
        add_up(lanes, &mut points[start..end], counts);
        for first in firsts(counts) {
            points[kept] = points[start + first];
            kept += 1;
        }
        start = end;
    }
    points.truncate(kept);
    counts.iter_mut().for_each(|count| *count = (*count).min(1));
}

/// Buckets that are added up together.
fn runs(mut counts: &[usize]) -> impl Iterator<Item = &[usize]> {
    std::iter::from_fn(move || {
        let mut total = 0;
        let exceeds = |count: &usize| {
            total += count;
            total > TOGETHER
        };
        let end = counts.iter().position(exceeds).unwrap_or(counts.len());
        let run = counts.split_off(..end.max(1).min(counts.len()))?;
        (!run.is_empty()).then_some(run)
    })
}

/// Where the first point of each non-empty bucket is.
fn firsts(counts: &[usize]) -> impl Iterator<Item = usize> + '_ {
    let starts = counts.iter().scan(0, |start, count| {
        *start += count;
        Some(*start - count)
    });
    starts.zip(counts).filter(|(_, count)| **count > 0).map(|(start, _)| start)
}

/// Makes the first point of each bucket the sum of all: in rounds, each of which adds the second half of a bucket to
/// the first.
fn add_up<L: Points>(lanes: L, points: &mut [Point], counts: &[usize]) {
    let (mut left, mut pairs) = (counts.to_vec(), vec![]);
    loop {
        pairs.clear();
        let mut first = 0;
        for (left, count) in left.iter_mut().zip(counts) {
            let half = left.div_ceil(2);
            pairs.extend((first..first + *left / 2).map(|i| Pair { left: i, right: i + half }));
            *left = half;
            first += count;
        }
        if pairs.is_empty() {
            return;
        }
        for pairs in pairs.chunks(SHARING) {
            Round::new(lanes, points, pairs).add();
        }
    }
}

/// Sums of two points each.
pub(super) fn sum_pairs<L: Points>(
    lanes: L,
    left: &[Point],
    right: impl Iterator<Item = Point>,
) -> Vec<Point> {
    let mut points: Vec<_> = left.iter().copied().chain(right).collect();
    let pair = |i| Pair { left: i, right: left.len() + i };
    let pairs: Vec<_> = (0..left.len()).map(pair).collect();
    for pairs in pairs.chunks(SHARING) {
        Round::new(lanes, &mut points, pairs).add();
    }
    points.truncate(left.len());
    points
}

/// Doubles points.
pub(super) fn double<L: Points>(lanes: L, points: &mut [Point]) {
    let pairs: Vec<_> = (0..points.len()).map(|i| Pair { left: i, right: i }).collect();
    for pairs in pairs.chunks(SHARING) {
        Round::doubling(lanes, points, pairs).add();
    }
}

/// A point for each count: the next one, or the identity for a bucket that has none.
pub(super) fn spread(points: Vec<Point>, counts: &[usize]) -> Vec<G1Affine> {
    let mut points = points.into_iter();
    let mut point = |count: &usize| match count {
        0 => G1Affine::identity(),
        _ => points.next().expect("a point of each bucket that is not empty").0,
    };
    counts.iter().map(&mut point).collect()
}
