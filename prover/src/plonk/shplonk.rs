//! Openings of many polynomials at many points, as two points of the curve (SHPLONK, ePrint 2020/081, as halo2
//! has it).

use std::collections::{BTreeSet, HashMap};

use halo2_base::halo2_proofs::halo2curves::{bn256::Fr, ff::Field};
use muster_engine::Backend;

use super::openings::{Opening, Set};
use crate::polynomial::{combine, divide, powers, Joined, Numbers};

/// Polynomials by their columns' numbers, and their values at all their points.
pub(super) struct Opened<'a> {
    pub(super) backend: Backend,
    pub(super) polynomials: &'a [&'a [Fr]],
    pub(super) values: &'a HashMap<Opening, Fr>,
    /// The point of a rotation.
    pub(super) point: &'a dyn Fn(i32) -> Fr,
}

/// The first of the two: each set less its values, divided by the vanishing polynomial of its points, joined by powers
/// of `v`.
pub(super) struct Quotients {
    joined: Vec<Joined>,
    v: Fr,
    pub(super) quotient: Numbers,
}

impl Quotients {
    pub(super) fn new(opened: &Opened<'_>, sets: &[Set], y: Fr, v: Fr) -> Self {
        let joined: Vec<_> = sets.iter().map(|set| opened.join(set, y)).collect();
        let quotients: Vec<_> = joined.iter().map(Joined::quotient).collect();
        let quotients: Vec<_> = quotients.iter().map(Vec::as_slice).collect();
        let weights: Vec<_> = powers(v).take(sets.len()).collect();
        let quotient = combine(opened.backend, &weights, &quotients);
        Self { joined, v, quotient }
    }

    /// The second: the whole is zero at `u`, so `X − u` divides it.
    pub(super) fn linear(&self, backend: Backend, u: Fr) -> Numbers {
        let all: BTreeSet<Fr> = self.joined.iter().flat_map(|set| set.points.clone()).collect();
        let vanishing = |points: &mut dyn Iterator<Item = &Fr>| {
            points.fold(Fr::ONE, |product, point| product * (u - point))
        };
        // For each set, the vanishing polynomial of the points that it lacks, at u.
        let others: Vec<Fr> = self
            .joined
            .iter()
            .map(|set| vanishing(&mut all.iter().filter(|point| !set.points.contains(point))))
            .collect();
        let mut weights: Numbers =
            powers(self.v).zip(&others).map(|(power, others)| power * others).collect();
        let values = self.joined.iter().zip(&weights);
        let constant: Fr = values.map(|(set, weight)| set.value_at(u) * weight).sum();
        weights.push(-vanishing(&mut all.iter()));
        let columns = self.joined.iter().map(|set| set.sum.as_slice());
        let columns: Vec<_> = columns.chain([self.quotient.as_slice()]).collect();
        // The verifier divides by the first set's factor.
        let scale = others[0].invert().expect("u is none of the points");
        weights.iter_mut().for_each(|weight| *weight *= scale);
        let mut linear = combine(backend, &weights, &columns);
        linear[0] -= constant * scale;
        divide(&linear, u)
    }
}

impl Opened<'_> {
    fn join(&self, set: &Set, y: Fr) -> Joined {
        let weights: Vec<_> = powers(y).take(set.polynomials.len()).collect();
        let columns: Vec<_> =
            set.polynomials.iter().map(|index| self.polynomials[*index]).collect();
        let value = |rotation: &i32| -> Fr {
            let of = |polynomial: &usize| {
                self.values[&Opening { polynomial: *polynomial, rotation: *rotation }]
            };
            set.polynomials.iter().map(of).zip(&weights).map(|(value, weight)| value * weight).sum()
        };
        Joined {
            sum: combine(self.backend, &weights, &columns),
            values: set.rotations.iter().map(value).collect(),
            points: set.rotations.iter().map(|rotation| (self.point)(*rotation)).collect(),
        }
    }
}
