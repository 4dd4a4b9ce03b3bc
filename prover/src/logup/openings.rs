//! Openings of all packs at all their points, as two points of the curve (sections 7 and 9 of the specification).

use std::collections::BTreeMap;

use halo2_base::halo2_proofs::halo2curves::{bn256::Fr, ff::Field};
use rayon::prelude::*;

use super::{
    blinded::{value_of, Blinded, BLINDERS},
    commitments::interleaved,
    system::System,
};
use crate::polynomial::{combine, divide, interpolated, powers, quotient, times_root, Numbers};

/// What is behind a commitment, by place: polynomials, and the values of each at the pack's rotations.
pub(super) struct Part<'a> {
    pub(super) of: Vec<&'a Blinded>,
    pub(super) rotations: &'a [i32],
    pub(super) values: Vec<Numbers>,
}

/// All packs joined by powers of `α`, and the quotient.
///
/// A pack `F = Σ_i X^i·f_i(X^T)` less what interpolates its values, divided by `Z(X^T)`, is `Σ_i X^i·g_i(X^T)`, where `g_i` is `f_i` less
/// what interpolates *its* values, divided by `Z`. So places are opened apart.
pub(super) struct Openings<'a> {
    system: &'a System,
    /// For each set of rotations.
    divisors: Vec<Divisor>,
    /// By place, the polynomials of each set of rotations.
    places: Vec<Vec<Set>>,
    packs: Vec<Weighed>,
    /// The quotient times its weight, and its value at `x`.
    quotient: Numbers,
    value: Fr,
    x: Fr,
}

/// Polynomials that are opened at the same points, each times the weight of its pack, and the values of their sum.
struct Set {
    sum: Numbers,
    values: Numbers,
    /// The number of the points among all [`Divisor`]s.
    divisor: usize,
}

/// Points at which polynomials are opened.
struct Divisor {
    points: Numbers,
    /// Where there are many points: polynomials that are 1 at one of them each and 0 at the others, and by `Z` on a coset.
    many: Option<(Vec<Numbers>, Numbers)>,
}

impl Divisor {
    /// From so many points on, what is left of a division has as many coefficients as there are rows, so that its values on one coset tell
    /// it: that takes two transforms in place of a pass for each point. That a point is on that coset is as unlikely as guessing `x`, and
    /// costs a proof.
    const MANY: usize = BLINDERS;

    fn new(system: &System, points: Numbers) -> Self {
        let rows = system.protocol.rows();
        if !(Self::MANY..rows).contains(&points.len()) {
            return Self { points, many: None };
        }
        let whole = points.iter().fold(vec![Fr::ONE], |whole, point| times_root(&whole, *point));
        let basis = |point: &Fr| {
            let mut basis = divide(&whole, *point);
            let value = value_of(&basis, *point).invert().expect("the points are different");
            basis.iter_mut().for_each(|coefficient| *coefficient *= value);
            basis
        };
        let basis = points.iter().map(basis).collect();
        let (coset, _) = system.cosets.first();
        let mut inverse = whole;
        inverse.resize(rows, Fr::ZERO);
        coset.to_values(&mut inverse);
        system.backend.invert(&mut inverse);
        Self { points, many: Some((basis, inverse)) }
    }

    /// The sum less its values, divided by `Z`.
    fn divide(&self, system: &System, set: &Set) -> Numbers {
        let Some((basis, inverse)) = &self.many else {
            return quotient(&set.sum, &self.points);
        };
        let (coset, power) = system.cosets.first();
        let (low, high) = set.sum.split_at(system.protocol.rows());
        let mut numbers = low.to_vec();
        for (number, high) in numbers.iter_mut().zip(high) {
            *number += power * high;
        }
        for (basis, value) in basis.iter().zip(&set.values) {
            numbers.iter_mut().zip(basis).for_each(|(number, basis)| *number -= *value * basis);
        }
        coset.to_values(&mut numbers);
        system.backend.mul(&mut numbers, inverse);
        coset.to_coefficients(&mut numbers);
        numbers.resize(set.sum.len(), Fr::ZERO);
        numbers
    }
}

/// A pack's power of `α`, its points, and the values there, by place.
struct Weighed {
    power: Fr,
    points: Numbers,
    values: Vec<Numbers>,
}

impl Weighed {
    /// By `Z(U)`, if that is not 0.
    fn weight(&self, place: Fr) -> Option<Fr> {
        let vanishing = self.points.iter().map(|point| place - point).product::<Fr>();
        Some(self.power * vanishing.invert().into_option()?)
    }

    /// `r(u)`, where `place` is `U`.
    fn remainder(&self, u: Fr, place: Fr) -> Fr {
        let joined =
            |at| self.values.iter().rev().fold(Fr::ZERO, |sum, values| sum * u + values[at]);
        let values: Numbers = (0..self.points.len()).map(joined).collect();
        interpolated(&self.points, &values, place)
    }
}

/// `W′`, and what it leaves of the packs at `u`.
pub(super) struct Opened {
    pub(super) second: Numbers,
    /// `w_P` of each pack.
    pub(super) weights: Numbers,
    /// `R`.
    pub(super) remainder: Fr,
}

impl<'a> Openings<'a> {
    /// `Σ xⁱⁿ·pieceᵢ`: one coefficient more than there are rows.
    pub(super) fn quotient(system: &System, weights: &[Fr], pieces: &[Numbers]) -> Numbers {
        let rows = system.protocol.rows();
        let columns: Vec<&[Fr]> = pieces.iter().map(|piece| &piece[..rows]).collect();
        let mut quotient = combine(system.backend, weights, &columns);
        let highest = pieces.iter().zip(weights);
        quotient.push(highest.filter_map(|(piece, weight)| Some(*weight * piece.get(rows)?)).sum());
        quotient
    }

    /// `parts` are all packs, and the quotient is opened at `x` alone.
    pub(super) fn new(
        system: &'a System,
        parts: &[Part<'_>],
        mut quotient: Numbers,
        (x, alpha): (Fr, Fr),
    ) -> Self {
        let mut weights = powers(alpha);
        let mut packs = vec![];
        let mut numbers = BTreeMap::<&[i32], usize>::new();
        let mut divisors = vec![];
        let mut sets = vec![BTreeMap::<usize, Vec<(Fr, usize)>>::new(); system.bases.stride];
        for (pack, part) in parts.iter().enumerate() {
            let power = weights.next().expect("there is no last power");
            let points = part.rotations.iter().map(|rotation| system.point(x, *rotation));
            let points: Numbers = points.collect();
            let divisor = *numbers.entry(part.rotations).or_insert_with(|| {
                divisors.push(Divisor::new(system, points.clone()));
                divisors.len() - 1
            });
            packs.push(Weighed { power, points, values: part.values.clone() });
            for place in &mut sets[..part.of.len()] {
                place.entry(divisor).or_default().push((power, pack));
            }
        }
        let weight = weights.next().expect("there is no last power");
        quotient.par_iter_mut().for_each(|coefficient| *coefficient *= weight);
        let value = system.backend.value_at(&quotient, x);
        let places = sets.par_iter().enumerate().map(|(place, sets)| {
            let joined = |(divisor, packs): (&usize, &Vec<(Fr, usize)>)| {
                let packs = packs.iter().map(|(weight, pack)| (*weight, &parts[*pack]));
                joined(system, place, *divisor, &packs.collect::<Vec<_>>())
            };
            sets.iter().map(joined).collect()
        });
        let places = places.collect();
        Self { system, divisors, places, packs, quotient, value, x }
    }

    /// `W`: everything less its values, divided by the polynomials that are zero at its points.
    pub(super) fn first(&self) -> Numbers {
        let place = |sets: &Vec<Set>| {
            let quotients = sets.par_iter();
            let quotients =
                quotients.map(|set| self.divisors[set.divisor].divide(self.system, set));
            let quotients: Vec<Numbers> = quotients.collect();
            let mut sum = vec![];
            quotients.iter().for_each(|more| add(&mut sum, more, Fr::ONE));
            sum
        };
        let places: Vec<Numbers> = self.places.par_iter().map(place).collect();
        let mut sum = interleaved(places.len(), places.iter().map(Vec::as_slice));
        add(&mut sum, &divide(&self.quotient, self.x), Fr::ONE);
        sum
    }

    /// `W′`: what is zero at `u`, divided by `X − u`. Nothing if `u` or its power is one of the points.
    pub(super) fn second(&self, first: &[Fr], u: Fr) -> Option<Opened> {
        let place = u.pow_vartime([self.places.len() as u64]);
        let by_distance = (u - self.x).invert().into_option()?;
        let weights = self.packs.iter().map(|pack| pack.weight(place));
        let weights: Numbers = weights.collect::<Option<_>>()?;
        let whole = |sets: &Vec<Set>| {
            let mut sum = vec![];
            for set in sets {
                let points = self.divisors[set.divisor].points.iter();
                let vanishing = points.map(|point| place - point).product::<Fr>();
                let weight = vanishing.invert().expect("those of a pack, which has a weight");
                add(&mut sum, &set.sum, weight);
            }
            sum
        };
        let sums: Vec<Numbers> = self.places.par_iter().map(whole).collect();
        let mut sum = interleaved(sums.len(), sums.iter().map(Vec::as_slice));
        add(&mut sum, &self.quotient, by_distance);
        add(&mut sum, first, -Fr::ONE);
        let values = self.packs.iter().zip(&weights);
        let values: Fr = values.map(|(pack, weight)| *weight * pack.remainder(u, place)).sum();
        let remainder = values + self.value * by_distance;
        sum[0] -= remainder;
        Some(Opened { second: divide(&sum, u), weights, remainder })
    }
}

/// `sum + factor·more`, as long as the longer one.
fn add(sum: &mut Numbers, more: &[Fr], factor: Fr) {
    sum.resize(more.len().max(sum.len()), Fr::ZERO);
    sum.par_iter_mut().zip(more).for_each(|(sum, more)| *sum += factor * more);
}

/// The polynomials in one place of packs that have one set of rotations, each times the pack's weight.
fn joined(system: &System, place: usize, divisor: usize, packs: &[(Fr, &Part<'_>)]) -> Set {
    let rows = system.protocol.rows();
    let weights: Vec<Fr> = packs.iter().map(|(weight, _)| *weight).collect();
    let columns: Vec<&[Fr]> = packs.iter().map(|(_, part)| &part.of[place].numbers[..]).collect();
    let mut sum = combine(system.backend, &weights, &columns);
    sum.resize(rows + BLINDERS, Fr::ZERO);
    for (weight, part) in packs {
        for (at, blinder) in part.of[place].blinders.iter().enumerate() {
            let blinder = *weight * blinder;
            sum[at] -= blinder;
            sum[rows + at] += blinder;
        }
    }
    let value =
        |at: usize| packs.iter().map(|(weight, part)| *weight * part.values[place][at]).sum::<Fr>();
    let values = (0..packs[0].1.rotations.len()).map(value).collect();
    Set { sum, values, divisor }
}
