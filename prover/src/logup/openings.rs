//! Openings of all polynomials at all their points, as two points of the curve (section 7 of the specification).

use std::collections::BTreeMap;

use halo2_base::halo2_proofs::halo2curves::{bn256::Fr, ff::Field};
use rayon::prelude::*;

use super::{blinded::BLINDERS, prover::Prover};
use crate::{
    cosets::Coefficients,
    polynomial::{combine, divide, powers, Joined, Numbers},
};

/// A polynomial, and its values at its rotations.
pub(super) struct Part<'a> {
    pub(super) of: Coefficients<'a>,
    pub(super) rotations: &'a [i32],
    pub(super) values: Numbers,
}

/// The polynomials of each set of rotations, joined by powers of `α`.
pub(super) struct Openings {
    sets: Vec<Joined>,
    /// How many coefficients the joined polynomials have.
    length: usize,
}

impl Openings {
    /// `Σ xⁱⁿ·pieceᵢ`: one coefficient more than there are rows.
    pub(super) fn quotient(prover: &Prover, weights: &[Fr], pieces: &[Numbers]) -> Numbers {
        let rows = prover.protocol().rows();
        let columns: Vec<&[Fr]> = pieces.iter().map(|piece| &piece[..rows]).collect();
        let mut quotient = combine(prover.backend, weights, &columns);
        let highest = pieces.iter().zip(weights);
        quotient.push(highest.filter_map(|(piece, weight)| Some(*weight * piece.get(rows)?)).sum());
        quotient
    }

    /// `parts` are all polynomials but the quotient, which is opened at `x` alone.
    pub(super) fn new(
        prover: &Prover,
        parts: Vec<Part<'_>>,
        quotient: &[Fr],
        (x, alpha): (Fr, Fr),
    ) -> Self {
        let (rows, length) = (prover.protocol().rows(), prover.protocol().rows() + BLINDERS);
        let (low, high) = quotient.split_at(rows);
        let value = prover.backend.value_at(quotient, x);
        // As `f + b·(Xⁿ − 1)`, like the others.
        let mut whole = low.to_vec();
        whole[0] += high[0];
        let quotient = Coefficients { numbers: &whole, blinders: high };
        let quotient = Part { of: quotient, rotations: &[0], values: vec![value] };
        let mut sets: BTreeMap<&[i32], Vec<(Fr, &Part<'_>)>> = BTreeMap::new();
        for (weight, part) in powers(alpha).zip(parts.iter().chain([&quotient])) {
            sets.entry(part.rotations).or_default().push((weight, part));
        }
        let joined = |(rotations, parts): (&[i32], Vec<(Fr, &Part<'_>)>)| {
            let weights: Vec<Fr> = parts.iter().map(|(weight, _)| *weight).collect();
            let columns: Vec<&[Fr]> = parts.iter().map(|(_, part)| part.of.numbers).collect();
            let mut sum = combine(prover.backend, &weights, &columns);
            sum.resize(length, Fr::ZERO);
            for (weight, part) in &parts {
                for (place, blinder) in part.of.blinders.iter().enumerate() {
                    let blinder = *weight * blinder;
                    sum[place] -= blinder;
                    sum[rows + place] += blinder;
                }
            }
            let value = |place: usize| {
                parts.iter().map(|(weight, part)| *weight * part.values[place]).sum::<Fr>()
            };
            Joined {
                sum,
                values: (0..rotations.len()).map(value).collect(),
                points: rotations.iter().map(|rotation| prover.point(x, *rotation)).collect(),
            }
        };
        Self { sets: sets.into_iter().map(joined).collect(), length }
    }

    /// `W`: each set less its values, divided by the polynomial that is zero at its points.
    pub(super) fn first(&self) -> Numbers {
        let quotients: Vec<Numbers> = self.sets.par_iter().map(Joined::quotient).collect();
        let mut sum = vec![Fr::ZERO; self.length];
        for quotient in quotients {
            sum.par_iter_mut().zip(quotient).for_each(|(sum, more)| *sum += more);
        }
        sum
    }

    /// `W′`: what is zero at `u`, divided by `X − u`. Nothing if `u` is one of the points.
    pub(super) fn second(&self, first: &[Fr], u: Fr) -> Option<Numbers> {
        let vanishing = |set: &Joined| set.points.iter().map(|point| u - point).product::<Fr>();
        let mut sum: Numbers = first.par_iter().map(|coefficient| -coefficient).collect();
        for set in &self.sets {
            let weight = vanishing(set).invert().into_option()?;
            let columns = sum.par_iter_mut().zip(&set.sum);
            columns.for_each(|(sum, coefficient)| *sum += weight * coefficient);
            sum[0] -= weight * set.value_at(u);
        }
        Some(divide(&sum, u))
    }
}
