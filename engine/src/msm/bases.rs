use std::{iter::repeat_n, mem::size_of_val, ops::Range};

use halo2curves::{
    bn256::{Fr, G1Affine, G1},
    group::Group,
};
use rayon::prelude::*;

use super::{
    buckets::{bucket_sum, double, sum_buckets},
    scalars::{windows, Scalar, SCALAR_BITS},
};
use crate::{
    backend::{Backend, PointWork},
    lanes::Points,
};

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
    points: Vec<G1Affine>,
    count: usize,
    bits: usize,
}

impl Bases {
    /// Bases without multiples, for few products.
    pub fn plain(backend: Backend, bases: &[G1Affine]) -> Self {
        let bits = (bases.len().max(16).ilog2() as usize - 3).clamp(2, 15);
        Self { backend, points: bases.to_vec(), count: bases.len(), bits }
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
        let chunks: Vec<Vec<Vec<G1Affine>>> = chunks.collect();
        let mut points = Vec::with_capacity(windows * bases.len());
        points.extend_from_slice(bases);
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
                by_windows(lanes, &scalars, &points, bases.bits)
            }
            None => by_windows(lanes, &scalars, &bases.points, bases.bits),
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
fn by_windows<L: Points>(lanes: L, scalars: &[Scalar], points: &[G1Affine], bits: usize) -> G1 {
    let sum = |window| {
        let digits: Vec<_> = scalars.iter().map(|scalar| scalar.digit(window, bits)).collect();
        bucket_sum(lanes, &digits, points, bits)
    };
    let sums: Vec<G1> = (0..windows(scalars, bits)).into_par_iter().map(sum).collect();
    let shift = |sum: G1| (0..bits).fold(sum, |sum, _| sum.double());
    sums.into_iter().rev().fold(G1::identity(), |sum, next| shift(sum) + next)
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
    points: &[G1Affine],
    mut counts: Vec<usize>,
) -> (Vec<Scalar>, Vec<G1Affine>) {
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
    type Output = Vec<Vec<G1Affine>>;

    fn run<L: Points>(self, lanes: L) -> Vec<Vec<G1Affine>> {
        let mut points = self.bases.to_vec();
        let next = |_| {
            (0..self.bits).for_each(|_| double(lanes, &mut points));
            points.clone()
        };
        (1..self.windows).map(next).collect()
    }
}
