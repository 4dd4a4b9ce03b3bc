//! Σ sᵢPᵢ for points that are known in advance: their multiples by powers of two are stored, so all
//! windows share one set of buckets and nothing is doubled.

use ark_bls12_381::Fq;
use group::Group;
use rayon::prelude::*;

use super::{
    buckets::{signed_digits, windows, Entries},
    lanes::{double_in_lanes, Lane},
    scalar_bytes, Fr, G1Affine, G1Projective,
};

/// Bits of a scalar.
const BITS: usize = 255;

/// Points with their multiples by 2^(wi).
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
                entries.weighted_sum(buckets)
            })
            .collect();
        parts.iter().fold(G1Projective::identity(), |sum, part| sum + part)
    }
}
