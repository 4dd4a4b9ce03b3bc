//! Multi-scalar multiplication on G1 of BN254, for halo2's prover only: Muster's own has that of `muster-engine`.
//!
//! Pippenger's method with signed digits, on precomputed multiples of bases that are used often.
//! The points of all buckets of a window are summed in pairs, in rounds of affine additions that
//! share one inversion: six multiplications an addition, where the library's mix of small batches
//! and projective additions takes about twice that, and more below 2^13 points.

use std::{mem::size_of_val, ops::Range};

use halo2_base::halo2_proofs::halo2curves::{
    bn256::{Fq, Fr, G1Affine, G1},
    ff::{Field, PrimeField},
    group::Group,
};
use rayon::prelude::*;

/// Most memory for the multiples of all bases, in bytes. Beyond the processor's caches they bring
/// little, and making them takes longer than a proof saves.
const MOST_BYTES: usize = 8 << 20;

/// Windows of at most so many bits are summed by running sums.
const SPLIT_BITS: usize = 7;

/// Bases, and where they are used often their multiples `2^(bits·window)·base`.
///
/// With the multiples at hand the digits of all windows fall into one set of buckets, and nothing
/// is doubled.
#[derive(Clone, Debug)]
pub(super) struct Bases {
    /// Window-major: `windows` times the bases.
    points: Vec<G1Affine>,
    count: usize,
    bits: usize,
}

impl Bases {
    /// Bases without multiples, for few products.
    pub(super) fn plain(bases: &[G1Affine]) -> Self {
        let bits = (bases.len().max(16).ilog2() as usize - 3).clamp(2, 15);
        Self { points: bases.to_vec(), count: bases.len(), bits }
    }

    /// Bases with their multiples, for many products; without them if they would take too much
    /// memory.
    pub(super) fn with_multiples(bases: &[G1Affine]) -> Self {
        let bits = (bases.len().max(16).ilog2() as usize - 1).clamp(2, 15);
        let windows = windows(bits);
        if windows * size_of_val(bases) > MOST_BYTES {
            return Self::plain(bases);
        }
        let mut points = bases.to_vec();
        for _ in 1..windows {
            let last = points[points.len() - bases.len()..].to_vec();
            points.par_extend(last.par_chunks(1024).flat_map_iter(|chunk| {
                let mut chunk = chunk.to_vec();
                (0..bits).for_each(|_| double_all(&mut chunk));
                chunk
            }));
        }
        Self { points, count: bases.len(), bits }
    }

    /// `Σ scalarᵢ·baseᵢ`.
    ///
    /// # Panics
    /// If there are more scalars than bases.
    pub(super) fn multiply(&self, scalars: &[Fr]) -> G1 {
        assert!(scalars.len() <= self.count, "each scalar has a base");
        let scalars: Vec<Limbs> = scalars.par_iter().map(limbs).collect();
        let windows = windows(self.bits);
        if self.points.len() == self.count {
            return match runs(&scalars) {
                Some(counts) => {
                    let (scalars, points) = merge(&scalars, &self.points, counts);
                    self.by_windows(&scalars, &points)
                }
                None => self.by_windows(&scalars, &self.points),
            };
        }
        let batches = rayon::current_num_threads().min(windows);
        (0..batches)
            .into_par_iter()
            .map(|i| self.sum(&scalars, i * windows / batches..(i + 1) * windows / batches))
            .reduce(G1::identity, |left, right| left + right)
    }

    /// Window by window, each on the points themselves.
    fn by_windows(&self, scalars: &[Limbs], points: &[G1Affine]) -> G1 {
        let sum = |window| {
            let digits: Vec<_> =
                scalars.iter().map(|scalar| digit(scalar, window, self.bits)).collect();
            bucket_sum(&digits, |i| &points[i], self.bits)
        };
        let sums: Vec<G1> = (0..windows(self.bits)).into_par_iter().map(sum).collect();
        let shift = |sum: G1| (0..self.bits).fold(sum, |sum, _| sum.double());
        sums.into_iter().rev().fold(G1::identity(), |sum, next| shift(sum) + next)
    }

    /// The sum of some windows, each of whose multiples counts as often as its digit says.
    fn sum(&self, scalars: &[Limbs], windows: Range<usize>) -> G1 {
        let digits: Vec<i32> = windows
            .clone()
            .flat_map(|window| scalars.iter().map(move |scalar| digit(scalar, window, self.bits)))
            .collect();
        let point = |i: usize| {
            &self.points[(windows.start + i / scalars.len()) * self.count + i % scalars.len()]
        };
        bucket_sum(&digits, point, self.bits)
    }
}

fn windows(bits: usize) -> usize {
    Fr::NUM_BITS as usize / bits + 1
}

/// A canonical integer below 2^256, little-endian, and a limb of zeros to read beyond its end.
type Limbs = [u64; 5];

fn limbs(scalar: &Fr) -> Limbs {
    let bytes = scalar.to_repr();
    let mut limbs = [0; 5];
    for (limb, bytes) in limbs.iter_mut().zip(bytes.as_ref().chunks_exact(8)) {
        *limb = u64::from_le_bytes(bytes.try_into().expect("chunks of eight bytes"));
    }
    limbs
}

/// The lengths of the runs of equal scalars, if merging them saves more than it costs.
///
/// A lookup commits to its inputs in order, a run for each entry of the table that is met: few
/// scalars, but full-size ones where entries have several parts.
fn runs(scalars: &[Limbs]) -> Option<Vec<usize>> {
    let counts: Vec<_> = scalars.chunk_by(PartialEq::eq).map(<[Limbs]>::len).collect();
    (2 * counts.len() < scalars.len()).then_some(counts)
}

/// Each scalar of a run once, with the sum of the run's points. Zeros go.
fn merge(
    scalars: &[Limbs],
    points: &[G1Affine],
    mut counts: Vec<usize>,
) -> (Vec<Limbs>, Vec<G1Affine>) {
    let is_zero = |scalar: &Limbs| *scalar == Limbs::default();
    let merged = scalars.chunk_by(PartialEq::eq).map(|run| run[0]);
    let merged = merged.filter(|scalar| !is_zero(scalar)).collect();
    let kept = scalars.iter().zip(points).filter(|(scalar, _)| !is_zero(scalar));
    let mut points = kept.map(|(_, point)| *point).collect();
    let mut first = 0;
    counts.retain(|count| {
        first += count;
        !is_zero(&scalars[first - count])
    });
    sum_buckets(&mut points, &mut counts);
    (merged, points)
}

/// Signed digit of a window, between `-2^(bits-1)` and `2^(bits-1)` (Booth's recoding).
fn digit(limbs: &Limbs, window: usize, bits: usize) -> i32 {
    // One bit below the window decides whether it takes over a carry.
    let chunk = match (window * bits).checked_sub(1) {
        None => limbs[0] << 1,
        Some(start) => {
            let (limb, shift) = (start / 64, start % 64);
            let pair = u128::from(limbs[limb]) | u128::from(limbs[limb + 1]) << 64;
            (pair >> shift) as u64
        }
    };
    let chunk = (chunk & ((1 << (bits + 1)) - 1)) as i32;
    ((chunk + 1) >> 1) - ((chunk >> bits) << bits)
}

/// `Σ digit·point`.
fn bucket_sum<'a>(digits: &[i32], point: impl Fn(usize) -> &'a G1Affine, bits: usize) -> G1 {
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
    sum_buckets(&mut points, counts);
    let digits = (1..).zip(counts.iter()).filter(|(_, count)| **count > 0).map(|(digit, _)| digit);
    weigh(&points, &digits.collect::<Vec<_>>(), bits)
}

/// `Σ digit·point` for increasing digits up to `2^(bits-1)`.
///
/// Many digits are split in halves, `digit = 2^half·high + low`, and each half is summed in buckets
/// again: twice an affine addition a point, where running sums take two projective ones.
fn weigh(points: &[G1Affine], digits: &[i32], bits: usize) -> G1 {
    if bits > SPLIT_BITS {
        let half = (bits - 1) / 2;
        let part = |digit: &dyn Fn(i32) -> i32, bits| {
            let digits: Vec<_> = digits.iter().map(|value| digit(*value)).collect();
            bucket_sum(&digits, |i| &points[i], bits)
        };
        let high = part(&|value| value >> half, bits - half);
        let low = part(&|value| value & ((1 << half) - 1), half + 1);
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
fn sum_buckets(points: &mut Vec<G1Affine>, counts: &mut [usize]) {
    let (mut denominators, mut products) = (vec![], vec![]);
    while counts.iter().any(|count| *count > 1) {
        denominators.clear();
        for pair in pairs(counts) {
            denominators.push(denominator(&points[pair], &points[pair + 1]));
        }
        invert(&mut denominators, &mut products);
        let mut inverses = denominators.iter();
        let (mut read, mut write) = (0, 0);
        for count in counts.iter_mut() {
            for _ in 0..*count / 2 {
                let inverse = inverses.next().expect("one a pair");
                points[write] = add(&points[read], &points[read + 1], inverse);
                (read, write) = (read + 2, write + 1);
            }
            if *count % 2 == 1 {
                points[write] = points[read];
                (read, write) = (read + 1, write + 1);
            }
            *count = count.div_ceil(2);
        }
        points.truncate(write);
    }
}

/// Doubles points of odd order, none of them the identity.
fn double_all(points: &mut [G1Affine]) {
    let mut inverses: Vec<Fq> = points.iter().map(|point| point.y.double()).collect();
    invert(&mut inverses, &mut vec![]);
    for (point, inverse) in points.iter_mut().zip(&inverses) {
        *point = add(point, point, inverse);
    }
}

/// Indices of the first points of the pairs that a round adds.
fn pairs(counts: &[usize]) -> impl Iterator<Item = usize> + '_ {
    counts
        .iter()
        .scan(0, |start, count| {
            let first = *start;
            *start += count;
            Some((0..count / 2).map(move |pair| first + 2 * pair))
        })
        .flatten()
}

/// What the slope of the line through two points is divided by; 0 where there is no such line.
fn denominator(left: &G1Affine, right: &G1Affine) -> Fq {
    let difference = right.x - left.x;
    if !difference.is_zero_vartime() || left.y != right.y {
        difference
    } else {
        left.y.double()
    }
}

/// Affine addition, complete: the identity is `(0, 0)`.
fn add(left: &G1Affine, right: &G1Affine, inverse: &Fq) -> G1Affine {
    if is_identity(left) {
        return *right;
    }
    if is_identity(right) {
        return *left;
    }
    let slope = if !(right.x - left.x).is_zero_vartime() {
        (right.y - left.y) * inverse
    } else if left.y == right.y {
        let square = left.x.square();
        (square.double() + square) * inverse
    } else {
        return G1Affine::default();
    };
    let x = slope.square() - left.x - right.x;
    G1Affine { x, y: slope * (left.x - x) - left.y }
}

fn is_identity(point: &G1Affine) -> bool {
    point.x.is_zero_vartime() && point.y.is_zero_vartime()
}

/// Inverts every element but zeros with one inversion in all, in variable time: what is committed to is blinded,
/// and the library's products take variable time too. `products` is scratch space.
fn invert(elements: &mut [Fq], products: &mut Vec<Fq>) {
    products.clear();
    let mut product = Fq::ONE;
    for element in elements.iter() {
        products.push(product);
        if !element.is_zero_vartime() {
            product *= element;
        }
    }
    let mut inverse = product.invert().expect("a product of units is a unit");
    for (element, before) in elements.iter_mut().zip(products.iter()).rev() {
        if !element.is_zero_vartime() {
            let inverted = inverse * before;
            inverse *= *element;
            *element = inverted;
        }
    }
}
