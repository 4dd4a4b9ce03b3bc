//! Multiples of a point that is known in advance, by windows of eight bits.
//!
//! The table of window w has v 2^(8w) P + O_w for each byte v. The O_w are multiples of a point K
//! whose logarithm to base P nobody knows: 1, 2, 4, … times K, and the last one makes their sum
//! zero. So no entry is the identity and no entry meets the sum before it: a product takes one
//! addition for every byte, whatever the byte.

use ark_bls12_381::{Fq, Fq2};
use group::{prime::PrimeCurveAffine, Group};
use zeroize::Zeroizing;

use super::{
    lanes::{add_each, Lane, LaneField},
    normalize_g1, normalize_g2, Fr, G1Affine, G1Projective, G2Affine, G2Projective,
};

/// Values of a window.
const VALUES: usize = 256;

/// Where a table gets its offsets and its multiples by powers of two.
pub trait Offsets<F> {
    /// 2^(8w) P for w below `windows`.
    fn powers(&self, windows: usize) -> Vec<Lane<F>>;
    /// `windows` points: K, 2K, 4K, … and the one that makes their sum zero.
    fn offsets(&self, windows: usize) -> Vec<Lane<F>>;
}

/// P, aP, a²P, … for the a that `step` multiplies by.
fn chain<P: Copy>(first: P, count: usize, step: impl Fn(P) -> P) -> Vec<P> {
    std::iter::successors(Some(first), |point| Some(step(*point))).take(count).collect()
}

/// K, 2K, 4K, … and minus their sum.
fn balanced<P: Group>(point: P, windows: usize) -> Vec<P> {
    let mut all = chain(point, windows - 1, |point| point.double());
    let sum: P = all.iter().sum();
    all.push(-sum);
    all
}

const TAG: &[u8] = b"MUSTER-PVSS-V1-OFFSETS";

impl Offsets<Fq> for G1Affine {
    fn powers(&self, windows: usize) -> Vec<Lane<Fq>> {
        let step = |point: G1Projective| (0..8).fold(point, |point, _| point.double());
        normalize_g1(&chain(self.to_curve(), windows, step)).iter().map(Lane::from).collect()
    }

    fn offsets(&self, windows: usize) -> Vec<Lane<Fq>> {
        let offset = G1Projective::hash_to_curve(b"offset", TAG, &[]);
        normalize_g1(&balanced(offset, windows)).iter().map(Lane::from).collect()
    }
}

impl Offsets<Fq2> for G2Affine {
    fn powers(&self, windows: usize) -> Vec<Lane<Fq2>> {
        let step = |point: G2Projective| (0..8).fold(point, |point, _| point.double());
        normalize_g2(&chain(self.to_curve(), windows, step)).iter().map(Lane::from).collect()
    }

    fn offsets(&self, windows: usize) -> Vec<Lane<Fq2>> {
        let offset = G2Projective::hash_to_curve(b"offset", TAG, &[]);
        normalize_g2(&balanced(offset, windows)).iter().map(Lane::from).collect()
    }
}

/// A table of multiples.
#[derive(Clone, Debug)]
pub struct FixedBase<F> {
    windows: Vec<Lane<F>>,
}

impl<F: LaneField> FixedBase<F> {
    /// The table of a point for scalars of up to `bytes` bytes, at least two.
    pub fn new(point: &impl Offsets<F>, bytes: usize) -> Self {
        assert!(bytes >= 2, "a single window would have the identity");
        let powers = point.powers(bytes);
        let mut row = point.offsets(bytes);
        let mut products = vec![F::ZERO; bytes];
        let mut windows = vec![Lane::default(); bytes * VALUES];
        for value in 0..VALUES {
            for (window, entry) in row.iter().enumerate() {
                windows[window * VALUES + value] = *entry;
            }
            add_each(&mut row, |window| powers[window], &mut products);
        }
        Self { windows }
    }

    /// Bytes of a scalar.
    pub fn bytes(&self) -> usize {
        self.windows.len() / VALUES
    }

    fn entry(&self, scalars: &[u8], scalar: usize, window: usize) -> Lane<F> {
        self.windows[window * VALUES + usize::from(scalars[scalar * self.bytes() + window])]
    }

    /// Adds s·P to each of the points, for scalars as in [`Self::multiply_bytes`].
    pub fn add_multiples(&self, sums: &mut [Lane<F>], scalars: &[u8]) {
        assert_eq!(scalars.len(), sums.len() * self.bytes(), "a scalar a point");
        let mut products = Zeroizing::new(vec![F::ZERO; sums.len()]);
        for window in 0..self.bytes() {
            add_each(sums, |scalar| self.entry(scalars, scalar, window), &mut products);
        }
    }

    /// s·P for each scalar, given as [`Self::bytes`] little-endian bytes each. One schedule for
    /// all.
    pub fn multiply_bytes(&self, scalars: &[u8]) -> Zeroizing<Vec<Lane<F>>> {
        let bytes = self.bytes();
        assert_eq!(scalars.len() % bytes, 0, "whole scalars");
        let first = (0..scalars.len() / bytes).map(|scalar| self.entry(scalars, scalar, 0));
        let mut sums: Zeroizing<Vec<Lane<F>>> = Zeroizing::new(first.collect());
        let mut products = Zeroizing::new(vec![F::ZERO; sums.len()]);
        for window in 1..bytes {
            add_each(&mut sums, |scalar| self.entry(scalars, scalar, window), &mut products);
        }
        sums
    }

    /// s·P for scalars of the field, from a table for 32 bytes.
    pub fn multiply(&self, scalars: &[Fr]) -> Zeroizing<Vec<Lane<F>>> {
        assert_eq!(self.bytes(), 32, "a table for whole scalars");
        let bytes: Vec<u8> = scalars.iter().flat_map(super::scalar_bytes).collect();
        self.multiply_bytes(&Zeroizing::new(bytes))
    }
}
