//! Σ sᵢPᵢ of public scalars and points, on all threads.
//!
//! Many points go into Pippenger's buckets, with affine points: those of a bucket are added in pairs,
//! all buckets at once, until each has one left. Every round takes one inversion.

use ark_bls12_381::{Fq, Fq2};
use blst::{blst_p1_affine, blst_p2_affine, MultiPoint};
use group::Group;
use rayon::prelude::*;

use super::{
    endomorphism::{halves, image, images, quarters, HALF_BITS, QUARTER_BITS},
    lanes::{add_pairs, double_in_lanes, Lane, LaneField},
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

/// Points with the numbers of their buckets.
pub(super) struct Entries<F> {
    buckets: Vec<u32>,
    points: Vec<Lane<F>>,
}

impl<F: LaneField> Entries<F> {
    pub(super) fn with_capacity(count: usize) -> Self {
        Self { buckets: Vec::with_capacity(count), points: Vec::with_capacity(count) }
    }

    /// Adds `digit` times a point: to the bucket of |digit| − 1, negated if it is negative.
    fn push_signed(&mut self, digit: i32, point: &Lane<F>) {
        if digit != 0 {
            let y = point.y.negated_if(digit < 0);
            self.push(digit.unsigned_abs() - 1, Lane { x: point.x, y });
        }
    }

    /// Adds a point to a bucket.
    pub(super) fn push(&mut self, bucket: u32, point: Lane<F>) {
        self.buckets.push(bucket);
        self.points.push(point);
    }

    /// The points in the order of their buckets, and the length of each bucket.
    fn sorted(self, count: usize) -> (Vec<Lane<F>>, Vec<u32>) {
        let mut lengths = vec![0u32; count];
        self.buckets.iter().for_each(|bucket| lengths[*bucket as usize] += 1);
        let mut next = vec![0u32; count];
        for bucket in 1..count {
            next[bucket] = next[bucket - 1] + lengths[bucket - 1];
        }
        let mut sorted = vec![Lane::default(); self.points.len()];
        for (bucket, point) in self.buckets.iter().zip(&self.points) {
            let place = &mut next[*bucket as usize];
            sorted[*place as usize] = *point;
            *place += 1;
        }
        (sorted, lengths)
    }

    /// The sum of each of `count` buckets.
    pub(super) fn sums(self, count: usize) -> Vec<Lane<F>> {
        let (mut points, mut lengths) = self.sorted(count);
        let (mut pairs, mut products) = (vec![], vec![]);
        loop {
            pairs.clear();
            let mut start = 0;
            for length in &lengths {
                pairs.extend((0..length / 2).map(|pair| (start + 2 * pair, start + 2 * pair + 1)));
                start += length;
            }
            if pairs.is_empty() {
                break;
            }
            add_pairs(&mut points, &pairs, &mut products);
            // Sums, and the last point of an odd number, move together.
            let (mut from, mut to) = (0, 0);
            for length in &mut lengths {
                let left = length.div_ceil(2);
                (0..left).for_each(|i| points[to + i as usize] = points[from + 2 * i as usize]);
                (from, to) = (from + *length as usize, to + left as usize);
                *length = left;
            }
        }
        let mut next = points.iter();
        let sum = |length: &u32| match length {
            0 => Lane::default(),
            _ => next.next().copied().unwrap_or_default(),
        };
        lengths.iter().map(sum).collect()
    }
}

/// Σ (b + 1) B_b over a power of two of sums.
///
/// With b = hK + l that is K Σ h (Σ_l B) + Σ (l + 1) (Σ_h B): sums of rows and columns are again
/// affine and in pairs, and only two short rows need running sums.
fn weighted_sum<F: LaneField>(sums: &[Lane<F>]) -> F::Point {
    let count = sums.len();
    let columns = 1 << (count.ilog2() / 2);
    let (mut by_row, mut by_column) =
        (Entries::with_capacity(count), Entries::with_capacity(count));
    for (bucket, sum) in sums.iter().enumerate() {
        by_row.push((bucket / columns) as u32, *sum);
        by_column.push((bucket % columns) as u32, *sum);
    }
    let rows = running_sum(&by_row.sums(count / columns)[1..]);
    let rows = (0..columns.ilog2()).fold(rows, |sum, _| sum.double());
    rows + running_sum(&by_column.sums(columns))
}

/// Σ (i + 1) Pᵢ.
fn running_sum<F: LaneField>(points: &[Lane<F>]) -> F::Point {
    let (mut sum, mut all) = (F::Point::identity(), F::Point::identity());
    for point in points.iter().rev() {
        sum += F::to_point(point);
        all += sum;
    }
    all
}

/// Digits from −2^(bits−1) + 1 to 2^(bits−1) of a little-endian integer of `length` bits, lowest first, with
/// room for a carry.
fn signed_digits(bytes: &[u8], bits: usize, length: usize) -> impl Iterator<Item = i32> + '_ {
    let mut carry = 0;
    (0..windows(bits, length)).map(move |window| {
        let first = window * bits;
        // A digit of 16 bits or fewer lies in three bytes.
        let byte = |place: usize| bytes.get(place).map_or(0, |byte| u32::from(*byte));
        let place = first / 8;
        let word = byte(place) | byte(place + 1) << 8 | byte(place + 2) << 16;
        let digit = (word >> (first % 8) & ((1 << bits) - 1)) as i32 + carry;
        carry = i32::from(digit > 1 << (bits - 1));
        digit - (carry << bits)
    })
}

/// How many windows of `bits` bits an integer of `length` bits takes, with room for a carry.
fn windows(bits: usize, length: usize) -> usize {
    (length + 1).div_ceil(bits)
}
