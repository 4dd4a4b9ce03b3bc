//! Many products of few points: s·P for several scalars s and each point P of a list.
//!
//! A scalar is split in half by the endomorphism, and each half is written with the digits ±1, ±3,
//! …, ±15 in 32 windows of four bits: from a table of eight odd multiples per window, every product
//! takes 63 additions, whatever the scalar. All products go in lanes.

use ark_bls12_381::Fq;
use ff::{Field, PrimeField};
use zeroize::Zeroizing;

use super::{
    endomorphism::{halves, image, lambda, HALF_BITS},
    lanes::{add_each, double_in_lanes, Lane},
    limbs::Plain,
    scalar_bytes, Fr, G1Affine,
};

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
