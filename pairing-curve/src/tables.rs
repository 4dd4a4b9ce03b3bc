//! Tables: multiples of a point that is known in advance, and many products of few points.
//!
//! [`FixedBase`] takes windows of eight bits. The table of window w has v 2^(8w) P + O_w for each
//! byte v. The O_w are multiples of a point K whose logarithm to base P nobody knows: 1, 2, 4, …
//! times K, and the last one makes their sum zero. So no entry is the identity and no entry meets
//! the sum before it: a product takes one addition for every byte, whatever the byte.
//!
//! [`Multiples`] makes s·P for several scalars s and each point P of a list. A scalar is split in
//! half by the endomorphism, and each half is written with the digits ±1, ±3, …, ±15 in 32 windows
//! of four bits: from a table of eight odd multiples per window, every product takes 63 additions,
//! whatever the scalar. All products go in lanes.

use ark_bls12_381::{Fq, Fq2};
use ff::{Field, PrimeField};
use group::{prime::PrimeCurveAffine, Group};
use zeroize::Zeroizing;

use super::{
    endomorphism::{halves, image, lambda, HALF_BITS},
    lanes::{add_each, double_in_lanes, Lane, LaneField, Plain},
    normalize_g1, normalize_g2, scalar_bytes, Fr, G1Affine, G1Projective, G2Affine, G2Projective,
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
        let bytes: Vec<u8> = scalars.iter().flat_map(scalar_bytes).collect();
        self.multiply_bytes(&Zeroizing::new(bytes))
    }
}

/// Bits of a window.
const BITS: usize = 4;
/// Windows of half a scalar.
const WINDOWS: usize = HALF_BITS / BITS;
/// Odd multiples in a window.
const ODD: usize = 1 << (BITS - 1);

/// Tables of points: P, 3P, …, 15P of each point's multiples by 1, 2^4, 2^8, ….
#[derive(Clone, Debug)]
pub struct Multiples {
    /// Indexed by point, window and odd multiple.
    entries: Vec<Lane<Fq>>,
}

/// The digits of a scalar: for each half 32 values v of four bits that stand for 2v − 15.
pub struct Digits(Zeroizing<[[u8; WINDOWS]; 2]>);

impl Digits {
    /// The digits of a scalar.
    pub fn new(scalar: &Fr) -> Self {
        // Σ (2vᵢ − 15) 16ⁱ = 2v − (2^128 − 1) in each half.
        let ones = Fr::from_u128(u128::MAX) * (Fr::ONE + lambda());
        let shifted = (*scalar + ones) * Fr::TWO_INV;
        let bytes = Zeroizing::new(scalar_bytes(&shifted));
        let (low, high) = halves(&bytes);
        let digits =
            |half: u128| std::array::from_fn(|window| (half >> (BITS * window)) as u8 & 15);
        Self(Zeroizing::new([digits(low), digits(high)]))
    }
}

impl Multiples {
    /// The tables of some points.
    pub fn new(points: &[G1Affine]) -> Self {
        let count = points.len();
        let mut current: Vec<Lane<Fq>> = points.iter().map(Lane::from).collect();
        let mut row = vec![Lane::default(); count * WINDOWS];
        let mut twice = row.clone();
        for window in 0..WINDOWS {
            for (point, value) in current.iter().enumerate() {
                row[point * WINDOWS + window] = *value;
            }
            double_in_lanes(&mut current);
            for (point, value) in current.iter().enumerate() {
                twice[point * WINDOWS + window] = *value;
            }
            if window + 1 < WINDOWS {
                (1..BITS).for_each(|_| double_in_lanes(&mut current));
            }
        }
        let mut entries = vec![Lane::default(); count * WINDOWS * ODD];
        let mut products = vec![Fq::from(0); row.len()];
        for odd in 0..ODD {
            for (place, value) in row.iter().enumerate() {
                entries[place * ODD + odd] = *value;
            }
            if odd + 1 < ODD {
                add_each(&mut row, |place| twice[place], &mut products);
            }
        }
        Self { entries }
    }

    #[inline(always)]
    fn entry(&self, point: usize, window: usize, digit: u8) -> Lane<Fq> {
        // 2v − 15 is negative for v < 8, and −(2v − 15) = 2(15 − v) − 15.
        let negative = digit >> 3 ^ 1;
        let odd = usize::from(digit ^ (negative * 15)) - ODD;
        let entry = &self.entries[(point * WINDOWS + window) * ODD + odd];
        Lane { x: entry.x, y: entry.y.negated_if(negative == 1) }
    }

    /// The product of each (point, scalar), given by their places, with one schedule for all.
    pub fn multiply(
        &self,
        products: &[(usize, usize)],
        digits: &[Digits],
    ) -> Zeroizing<Vec<Lane<Fq>>> {
        let count = products.len();
        // The first halves of all products, and then the second ones.
        let entry = |lane: usize, window: usize| {
            let (half, place) = (usize::from(lane >= count), lane % count);
            let (point, scalar) = products[place];
            self.entry(point, window, digits[scalar].0[half][window])
        };
        let first: Vec<Lane<Fq>> = (0..2 * count).map(|lane| entry(lane, 0)).collect();
        let mut sums = Zeroizing::new(first);
        let mut room = Zeroizing::new(vec![Fq::from(0); 2 * count]);
        for window in 1..WINDOWS {
            add_each(&mut sums, |lane| entry(lane, window), &mut room);
        }
        let (low, high) = sums.split_at_mut(count);
        add_each(low, |lane| image(&high[lane]), &mut room[..count]);
        sums.truncate(count);
        sums
    }
}
