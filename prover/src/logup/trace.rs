//! The columns of a proof in the making, and their quotient.

use halo2_base::halo2_proofs::halo2curves::{bn256::Fr, ff::Field};
use muster_engine::{Domain, Inputs};
use muster_verifier::Pack;
use rand::RngCore;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::{
    blinded::{value_of, Blinded, BLINDERS},
    openings::Part,
    system::{KeyColumns, System},
};
use crate::{
    polynomial::{running_product, Numbers},
    profile::{Phase, Stopwatch},
};

/// What makes the columns of a proof. Methods take all that were made before, in their order: advice, inputs, multiplicities, helpers, the
/// sum, the product, differences.
pub(super) struct Trace<'a, R> {
    pub(super) system: &'a System,
    pub(super) key: &'a KeyColumns,
    pub(super) rng: &'a mut R,
    pub(super) watch: &'a mut Stopwatch,
}

impl<R: RngCore> Trace<'_, R> {
    pub(super) fn random(&mut self, count: usize) -> Numbers {
        (0..count).map(|_| Fr::random(&mut *self.rng)).collect()
    }

    /// Fills the random rows.
    pub(super) fn advice(&mut self, advice: Vec<Numbers>) -> Vec<Blinded> {
        let (rows, usable) = (self.system.protocol.rows(), self.system.protocol.usable());
        let hide = |mut column: Numbers| {
            assert_eq!(column.len(), rows, "columns of 2^k rows");
            column.truncate(usable);
            column.extend(self.random(rows - usable));
            Blinded::plain(column)
        };
        let columns = advice.into_iter().map(hide).collect();
        self.watch.lap(Phase::Witness, 0);
        columns
    }

    /// The values of a program, which names all columns so far.
    pub(super) fn evaluate(
        &self,
        program: &muster_engine::Program,
        columns: &[Blinded],
        challenges: &[Fr],
    ) -> Vec<Numbers> {
        let columns = self.key.values.iter().chain(columns.iter().map(|column| &column.numbers));
        let columns: Vec<&[Fr]> = columns.map(Vec::as_slice).collect();
        let rows = self.system.protocol.rows();
        let inputs = Inputs { rows, columns: &columns, parameters: challenges };
        program.evaluate(self.system.backend, inputs)
    }

    /// How often each row of each table is asked for. Tuples are joined by a number that nobody else learns: that two
    /// different ones are taken for the same is as unlikely as guessing it.
    pub(super) fn multiplicities(&mut self, columns: &[Blinded]) -> Vec<Blinded> {
        let theta = self.random(1);
        let tuples = self.evaluate(&self.system.programs.tuples, columns, &theta);
        let (rows, usable) = (self.system.protocol.rows(), self.system.protocol.usable());
        let mut rest = tuples.as_slice();
        let mut asked = vec![];
        for table in self.system.protocol.tables() {
            let (own, others) = rest.split_at(1 + table.inputs.len());
            asked.push((&own[0][..usable], &own[1..]));
            rest = others;
        }
        let counts: Vec<Vec<u64>> =
            asked.par_iter().map(|(table, inputs)| multiplicities(table, inputs)).collect();
        let column = |counts: Vec<u64>| {
            let mut column: Numbers = counts.into_iter().map(Fr::from).collect();
            column.extend(self.random(rows - usable));
            Blinded::plain(column)
        };
        counts.into_iter().map(column).collect()
    }

    fn blinded(&mut self, numbers: Numbers) -> Blinded {
        Blinded { numbers, blinders: self.random(BLINDERS) }
    }

    /// Numerators over denominators, which come in pairs. Nothing if a denominator is 0.
    fn fractions(&self, mut parts: Vec<Numbers>) -> Option<Vec<Numbers>> {
        let backend = self.system.backend;
        let all_are = parts.par_chunks_mut(2).all(|pair| {
            let [denominator, numerator] = pair else { unreachable!("they come in pairs") };
            // Zeros stay as they are.
            backend.invert(denominator);
            let is_fraction = !denominator.contains(&Fr::ZERO);
            backend.mul(denominator, numerator);
            is_fraction
        });
        all_are.then(|| parts.into_iter().step_by(2).collect())
    }

    /// What the second round commits to, by the challenges of the first. Nothing if they are of the few for which there is no such sum or
    /// product.
    pub(super) fn arguments(
        &mut self,
        columns: &[Blinded],
        challenges: &[Fr],
    ) -> Option<Vec<Blinded>> {
        let mut arguments = self.lookups(columns, challenges)?;
        arguments.extend(self.copies(columns, challenges)?);
        Some(arguments)
    }

    /// The helpers and the sum.
    fn lookups(&mut self, columns: &[Blinded], challenges: &[Fr]) -> Option<Vec<Blinded>> {
        let system = self.system;
        let parts = self.evaluate(&system.programs.lookups, columns, challenges);
        let mut fractions = self.fractions(parts)?;
        let Some(mut steps) = fractions.pop() else { return Some(vec![]) };
        fractions.iter().for_each(|helper| system.backend.add(&mut steps, helper));
        // It stands still in random rows.
        let mut sum = Fr::ZERO;
        let usable = system.protocol.usable();
        for (row, step) in steps.iter_mut().enumerate() {
            let before = sum;
            if row < usable {
                sum += *step;
            }
            *step = before;
        }
        fractions.push(steps);
        Some(fractions.into_iter().map(|column| self.blinded(column)).collect())
    }

    /// The product and the differences.
    fn copies(&mut self, columns: &[Blinded], challenges: &[Fr]) -> Option<Vec<Blinded>> {
        let system = self.system;
        let parts = self.evaluate(&system.programs.copies, columns, challenges);
        // Each chunk's factor, times those before it.
        let mut factors = self.fractions(parts)?;
        for chunk in 1..factors.len() {
            let (before, own) = factors.split_at_mut(chunk);
            system.backend.mul(&mut own[0], &before[chunk - 1]);
        }
        let Some(last) = factors.pop() else { return Some(vec![]) };
        let product = running_product(&last);
        let difference = |mut factor: Numbers| {
            // Where nothing was copied the factor is 1, and the difference 0.
            factor.par_iter_mut().for_each(|factor| *factor -= Fr::ONE);
            system.backend.mul(&mut factor, &product);
            factor
        };
        let mut made: Vec<Numbers> = factors.into_iter().map(difference).collect();
        made.insert(0, product);
        Some(made.into_iter().map(|column| self.blinded(column)).collect())
    }

    /// The pieces of the quotient, which hide nothing yet.
    pub(super) fn quotient(&mut self, columns: &[Blinded], challenges: &[Fr]) -> Vec<Numbers> {
        let polynomials = polynomials(self.system, self.key, columns);
        debug_assert_eq!(polynomials.len(), self.system.columns.count);
        let System { backend, cosets, programs, .. } = self.system;
        cosets.quotient(*backend, &programs.constraints, &polynomials, challenges, self.watch)
    }
}

/// For each row of a table, how often its tuple is asked for. Of equal rows the first counts all. Tuples of the table and of its inputs
/// are numbers, in usable rows.
///
/// A tuple that the table lacks is not counted: no multiplicities would make up for it.
fn multiplicities(table: &[Fr], inputs: &[Numbers]) -> Vec<u64> {
    let mut rows = FxHashMap::with_capacity_and_hasher(table.len(), Default::default());
    for (row, tuple) in table.iter().enumerate() {
        rows.entry(*tuple).or_insert(row);
    }
    let none = || vec![0; table.len()];
    let count = |mut counts: Vec<u64>, input: &Numbers| {
        // Runs of equal tuples are frequent: rows that ask for nothing are all alike.
        for run in input[..table.len()].chunk_by(PartialEq::eq) {
            if let Some(row) = rows.get(&run[0]) {
                counts[*row] += run.len() as u64;
            }
        }
        counts
    };
    let add = |mut left: Vec<u64>, right: Vec<u64>| {
        left.iter_mut().zip(right).for_each(|(left, right)| *left += right);
        left
    };
    inputs.par_iter().fold(none, count).reduce(none, add)
}

/// All columns by their coefficients: those of the key, then those of a proof.
pub(super) fn polynomials<'c>(
    system: &System,
    key: &'c KeyColumns,
    columns: &'c [Blinded],
) -> Vec<&'c Blinded> {
    key.coefficients(&system.domain).iter().chain(columns).collect()
}

/// The packs of a system opened at `x`, which is not 0. Its columns are given as for [`polynomials`].
pub(super) fn parts<'c>(
    system: &'c System,
    key: &'c KeyColumns,
    columns: &'c [Blinded],
    x: Fr,
) -> Vec<Part<'c>> {
    let polynomials = polynomials(system, key, columns);
    let coset = system.domain.coset(x).expect("x is not 0");
    let part = |pack: &'c Pack| {
        let of: Vec<&Blinded> = system.places(pack).map(|place| polynomials[place]).collect();
        let rotations = &pack.rotations;
        let values = of.par_iter().map(|of| values(system, (&coset, x), of, rotations));
        let values = values.collect();
        Part { of, rotations, values }
    };
    system.packs.par_iter().map(part).collect()
}

/// From so many values on, those at all points of a coset take less time.
const MANY: usize = 12;

/// The values of a polynomial at `x·ω^λ`; `coset` is that of `x`.
fn values(system: &System, (coset, x): (&Domain, Fr), of: &Blinded, rotations: &[i32]) -> Numbers {
    let rows = system.protocol.rows();
    let vanishing = x.pow_vartime([rows as u64]) - Fr::ONE;
    if rotations.len() < MANY {
        let value = |rotation: &i32| {
            let point = system.point(x, *rotation);
            let own = system.backend.value_at(&of.numbers, point);
            own + vanishing * value_of(&of.blinders, point)
        };
        return rotations.iter().map(value).collect();
    }
    let mut all = of.numbers.clone();
    for (number, blinder) in all.iter_mut().zip(&of.blinders) {
        *number += vanishing * blinder;
    }
    coset.to_values(&mut all);
    rotations.iter().map(|rotation| all[rotation.rem_euclid(rows as i32) as usize]).collect()
}
