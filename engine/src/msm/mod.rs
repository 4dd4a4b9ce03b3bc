//! Multi-scalar multiplication on G1 of BN254.
//!
//! Pippenger's method with signed digits, on precomputed multiples of bases that are used often.
//! The points of all buckets of a window are summed in pairs, in rounds of affine additions that
//! share one inversion: six multiplications per addition, eight additions side by side.

mod buckets;
mod lagrange;
mod multiples;
mod products;
mod round;
mod scalars;
#[cfg(test)]
mod tests;

use std::{iter::repeat_n, mem::size_of_val, ops::Range};

use halo2curves::{
    bn256::{Fr, G1Affine, G1},
    group::Group,
};
use rayon::prelude::*;

use crate::{
    backend::{Backend, PointWork},
    lanes::Points,
};
use buckets::{bucket_sum, double, sum_buckets};
use round::Point;
use scalars::{cuts, windows, Scalar, Window, SCALAR_BITS};

/// Most memory for the multiples of all bases, in bytes. Beyond the processor's caches they gain
/// little, and making them takes longer than a proof saves.
const MOST_BYTES: usize = 8 << 20;

/// Bases that a thread doubles at a time.
const DOUBLED: usize = 256;

/// Bases of multi-scalar multiplications and, if they are used often, their multiples
/// `2^(bits·window)·base`.
///
/// With the multiples, the digits of all windows fall into one set of buckets, and nothing is
/// doubled.
#[derive(Clone, Debug)]
pub struct Bases {
    backend: Backend,
    /// Window-major: the bases, then their multiples.
    points: Vec<Point>,
    count: usize,
    /// Bits of the windows of multiples, if there are any.
    bits: usize,
}

impl Bases {
    /// Bases without multiples, for few products.
    pub fn plain(backend: Backend, bases: &[G1Affine]) -> Self {
        Self { backend, points: Point::all(bases), count: bases.len(), bits: 0 }
    }

    /// Bases with their multiples, for many products; without them if they would take more than 8 MiB.
    pub fn with_multiples(backend: Backend, bases: &[G1Affine]) -> Self {
        let bits = (bases.len().max(16).ilog2() as usize - 1).clamp(2, 15);
        let windows = SCALAR_BITS / bits + 1;
        if windows * size_of_val(bases) > MOST_BYTES {
            return Self::plain(backend, bases);
        }
        let chunks = bases.par_chunks(DOUBLED);
        let chunks = chunks.map(|bases| backend.run_points(Windows { bases, windows, bits }));
        let chunks: Vec<Vec<Vec<Point>>> = chunks.collect();
        let mut points = Vec::with_capacity(windows * bases.len());
        points.extend(bases.iter().copied().map(Point));
        for window in 0..windows - 1 {
            chunks.iter().for_each(|chunk| points.extend_from_slice(&chunk[window]));
        }
        Self { backend, points, count: bases.len(), bits }
    }

    /// `Σ scalarᵢ·baseᵢ`. Fewer scalars than bases are multiplied by the first ones.
    ///
    /// # Panics
    ///
    /// If there are more scalars than bases.
    pub fn multiply(&self, scalars: &[Fr]) -> G1 {
        assert!(scalars.len() <= self.count, "each scalar has a base");
        self.backend.run_points(Multiply { bases: self, scalars: Scalar::all(scalars) })
    }

    /// [`Self::multiply`] for many columns of scalars.
    ///
    /// # Panics
    ///
    /// If one of them has more scalars than there are bases.
    pub fn multiply_all<C: AsRef<[Fr]> + Sync>(&self, columns: &[C]) -> Vec<G1> {
        columns.par_iter().map(|column| self.multiply(column.as_ref())).collect()
    }

    fn has_multiples(&self) -> bool {
        self.points.len() > self.count
    }
}

struct Multiply<'a> {
    bases: &'a Bases,
    scalars: Vec<Scalar>,
}

impl PointWork for Multiply<'_> {
    type Output = G1;

    fn run<L: Points>(self, lanes: L) -> G1 {
        let Self { bases, scalars } = self;
        if bases.has_multiples() {
            return with_multiples(lanes, bases, &scalars);
        }
        match runs(&scalars) {
            Some(counts) => {
                let (scalars, points) = merge(lanes, &scalars, &bases.points, counts);
                by_windows(lanes, &scalars, &points)
            }
            None => by_windows(lanes, &scalars, &bases.points),
        }
    }
}

/// All windows on the multiples, split among the threads.
fn with_multiples<L: Points>(lanes: L, bases: &Bases, scalars: &[Scalar]) -> G1 {
    let windows = windows(scalars, bases.bits);
    let batches = rayon::current_num_threads().min(windows);
    let unused = bases.count - scalars.len();
    let sum = |windows: Range<usize>| {
        let digits: Vec<i32> = windows
            .clone()
            .flat_map(|window| {
                let digits = scalars.iter().map(move |scalar| scalar.digit(window, bases.bits));
                digits.chain(repeat_n(0, unused))
            })
            .collect();
        bucket_sum(lanes, &digits, &bases.points[windows.start * bases.count..], bases.bits)
    };
    (0..batches)
        .into_par_iter()
        .map(|i| sum(i * windows / batches..(i + 1) * windows / batches))
        .reduce(G1::identity, |left, right| left + right)
}

/// Window by window, each on the points themselves.
fn by_windows<L: Points>(lanes: L, scalars: &[Scalar], points: &[Point]) -> G1 {
    let windows = cuts(scalars);
    let sum = |Window { start, bits }: &Window| {
        let digits = scalars.iter().map(|scalar| scalar.digit_from(*start, *bits));
        bucket_sum(lanes, &digits.collect::<Vec<_>>(), points, *bits)
    };
    // Short scalars make the lowest window the longest: threads take windows one at a time.
    let sums: Vec<G1> = windows.par_iter().with_max_len(1).map(sum).collect();
    let shift = |sum: G1, bits| (0..bits).fold(sum, |sum, _| sum.double());
    let sums = windows.iter().zip(sums).rev();
    sums.fold(G1::identity(), |sum, (window, next)| shift(sum, window.bits) + next)
}

/// The lengths of the runs of equal scalars, if merging them saves more than it costs.
///
/// A lookup commits to its permuted inputs, a run for each table entry that occurs: few different
/// scalars, but full-size ones if entries have several parts.
fn runs(scalars: &[Scalar]) -> Option<Vec<usize>> {
    let counts: Vec<_> = scalars.chunk_by(PartialEq::eq).map(<[Scalar]>::len).collect();
    (2 * counts.len() < scalars.len()).then_some(counts)
}

/// Each scalar of a run once, with the sum of the run's points. Zeros are dropped.
fn merge<L: Points>(
    lanes: L,
    scalars: &[Scalar],
    points: &[Point],
    mut counts: Vec<usize>,
) -> (Vec<Scalar>, Vec<Point>) {
    let merged = scalars.chunk_by(PartialEq::eq).map(|run| run[0]);
    let merged = merged.filter(|scalar| !scalar.is_zero()).collect();
    let kept = scalars.iter().zip(points).filter(|(scalar, _)| !scalar.is_zero());
    let mut points = kept.map(|(_, point)| *point).collect();
    let mut first = 0;
    counts.retain(|count| {
        first += count;
        !scalars[first - count].is_zero()
    });
    sum_buckets(lanes, &mut points, &mut counts);
    (merged, points)
}

/// The multiples of some bases, window by window after the first.
struct Windows<'a> {
    bases: &'a [G1Affine],
    windows: usize,
    bits: usize,
}

impl PointWork for Windows<'_> {
    type Output = Vec<Vec<Point>>;

    fn run<L: Points>(self, lanes: L) -> Vec<Vec<Point>> {
        let mut points = Point::all(self.bases);
        let next = |_| {
            (0..self.bits).for_each(|_| double(lanes, &mut points));
            points.clone()
        };
        (1..self.windows).map(next).collect()
    }
}
