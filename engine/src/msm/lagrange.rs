use halo2curves::{
    bn256::{Fr, G1Affine},
    ff::{Field, PrimeField},
};
use rayon::prelude::*;

use super::{buckets::sum_pairs, round::Point};
use crate::{
    backend::{Backend, PointWork},
    field::powers,
    lanes::Points,
    transform::Roots,
};

/// Pairs that a thread takes at once.
const CHUNK: usize = 1 << 11;

impl Backend {
    /// The Lagrange bases for a monomial basis: they commit to polynomials by their values at the powers of the
    /// library's root of unity. `pointᵢ = 2^-k·Σⱼ ω^(−i·j)·monomialⱼ`.
    ///
    /// # Panics
    ///
    /// If there are not `2^k` of them, for a `k` of at most 28.
    pub fn lagrange(self, monomial: &[G1Affine]) -> Vec<G1Affine> {
        assert!(monomial.len().is_power_of_two(), "a domain has 2^k points");
        let k = monomial.len().ilog2();
        assert!(k <= Fr::S, "there is no domain of 2^{k} points");
        let (roots, half) = (Roots::new(k), monomial.len() / 2);
        let roots_inverse: Vec<Fr> = powers(Fr::ONE, roots.inverse).take(half).collect();
        let mut points = monomial.to_vec();
        // The first step is the one that has a factor for each difference, so 2^-k costs least there.
        let mut factor = roots.size_inverse();
        for level in 0..k {
            let block = 1 << level;
            let (left, right) = points.split_at(half);
            let [mut sums, differences] = self.butterflies(left, right);
            if level == 0 {
                sums = self.products(&sums, &vec![factor; half]);
            }
            let factors = (0..half).map(|i| factor * roots_inverse[i - i % block]);
            let differences = self.products(&differences, &factors.collect::<Vec<_>>());
            factor = Fr::ONE;
            // Stockham's order: a transform of half the length for the sums, and one for the differences.
            let blocks = sums.chunks(block).zip(differences.chunks(block));
            points = blocks
                .flat_map(|(sums, differences)| [sums, differences])
                .flatten()
                .copied()
                .collect();
        }
        points
    }

    /// `leftᵢ + rightᵢ` for all `i`, and `leftᵢ − rightᵢ`.
    fn butterflies(self, left: &[G1Affine], right: &[G1Affine]) -> [Vec<G1Affine>; 2] {
        let chunks = left.par_chunks(CHUNK).zip(right.par_chunks(CHUNK));
        let chunks = chunks.map(|(left, right)| self.run_points(Butterflies { left, right }));
        let (sums, differences): (Vec<_>, Vec<_>) = chunks.unzip();
        [sums.concat(), differences.concat()]
    }
}

struct Butterflies<'a> {
    left: &'a [G1Affine],
    right: &'a [G1Affine],
}

impl PointWork for Butterflies<'_> {
    type Output = (Vec<G1Affine>, Vec<G1Affine>);

    fn run<L: Points>(self, lanes: L) -> Self::Output {
        let left = Point::all(self.left);
        let sums = |right: &mut dyn Iterator<Item = G1Affine>| -> Vec<G1Affine> {
            let sums = sum_pairs(lanes, &left, right.map(Point));
            sums.into_iter().map(|point| point.0).collect()
        };
        let right = self.right.iter();
        (sums(&mut right.clone().copied()), sums(&mut right.map(|point| -point)))
    }
}
