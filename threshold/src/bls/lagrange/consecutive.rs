//! Signers at 1, …, n: coefficients by factorials and by values at consecutive integers.
//!
//! Coefficients are binomial coefficients times values of the polynomial over the absentees (see
//! [`crate::missing`]). If those are few, its values are computed as products
//! ([`Consecutive::by_missing`]); if they are many, by a tree over values at consecutive integers
//! ([`Consecutive::by_values`], see [`super::shift`]).

use ff::PrimeField;

use super::{shift::Shift, Secrets};
use crate::missing::{absent, Field};

/// Degree up to which the tree's factors are multiplied one by one: measured.
const LEAF: usize = 64;

/// Factorials and shifts of a committee of n at 1, …, n.
#[derive(Clone, Debug)]
pub(super) struct Consecutive<F> {
    signers: usize,
    /// i! (n−i)!, inverted, times n!: the binomial coefficients.
    binomials: Vec<F>,
    shift: Shift<F>,
}

impl<F: PrimeField> Consecutive<F> {
    pub(super) fn new(signers: usize) -> Self {
        // The tree covers 0, …, n and pads a degree to a power of two.
        let shift = Shift::new((signers + 1).next_power_of_two());
        let inverse = &shift.inverse_factorials;
        let top = shift.factorials[signers];
        let binomial = |i: usize| top * inverse[i] * inverse[signers - i];
        Self { signers, binomials: (0..=signers).map(binomial).collect(), shift }
    }

    /// Coefficients by products over the absentees, several small factors at once.
    pub(super) fn by_missing(&self, signers: &[u32]) -> Vec<F> {
        let absent = absent(signers, self.signers as u32);
        let roots = || absent.iter().map(|&root| i64::from(root));
        self.finish(signers, |index| field().value(index.into(), roots()))
    }

    /// Coefficients by the tree.
    pub(super) fn by_values(&self, signers: &[u32]) -> Vec<F> {
        let absent = absent(signers, self.signers as u32);
        let degree = absent.len().max(1).next_power_of_two();
        let padding = (degree - absent.len()) as u32;
        // The padding's roots are −1, −2, …: their factor at i is (i + padding)! / i!.
        let mut roots: Vec<i64> = absent.iter().map(|&root| i64::from(root)).collect();
        roots.extend((1..=i64::from(padding)).map(|root| -root));
        let leaf = LEAF.min(degree);
        let mut values = Vec::with_capacity(degree.max(self.signers + 1));
        for block in roots.chunks_exact(leaf) {
            let at = |point| field::<F>().value(point, block.iter().copied());
            values.extend((0..leaf as i64).map(at));
        }
        let mut length = leaf;
        while length < degree {
            self.double(&mut values, length);
            length *= 2;
        }
        if values.len() <= self.signers {
            values.resize(self.signers + 1, F::ZERO);
            self.shift.extend(&mut values, degree);
        }
        let (factorials, inverses) = (&self.shift.factorials, &self.shift.inverse_factorials);
        let padding = padding as usize;
        let padded = |point: usize| match padding {
            0 => F::ONE,
            _ => factorials[point] * inverses[point + padding],
        };
        self.finish(signers, |index| {
            let index = index as usize;
            values[index] * padded(index)
        })
    }

    /// Values of a random polynomial: those at 0, …, t − 1 are drawn, which is as good as drawing its
    /// coefficients, and the others follow from them.
    pub(super) fn deal(&self, threshold: usize, random: impl FnMut() -> F) -> Secrets<F> {
        let mut values = Secrets::zeros(self.signers + 1);
        values[..threshold].fill_with(random);
        self.shift.extend_lower(&mut values, threshold);
        values
    }

    /// Multiplies neighbours: d values of each at 0, …, d − 1 become 2d values of the product.
    fn double(&self, values: &mut [F], degree: usize) {
        let mut further = vec![F::ZERO; 2 * degree];
        for pair in values.chunks_exact_mut(2 * degree) {
            let (left, right) = pair.split_at_mut(degree);
            let (left_on, right_on) = further.split_at_mut(degree);
            self.shift.next(left, left_on);
            self.shift.next(right, right_on);
            for (i, (a, b)) in left.iter_mut().zip(right).enumerate() {
                *a *= *b;
                *b = left_on[i] * right_on[i];
            }
        }
    }

    /// The coefficients, from the values of Z_A at each signer and at zero.
    fn finish(&self, signers: &[u32], value: impl Fn(u32) -> F) -> Vec<F> {
        field().coefficients(signers, value, |at_zero| {
            // Never zero: 0 is no identity, and n is below the order of the field.
            let scale = at_zero.invert().unwrap_or(F::ZERO);
            signers.iter().map(|&index| self.binomials[index as usize] * scale).collect()
        })
    }
}

fn field<F: PrimeField>() -> Field<F> {
    let integer = |[first, last]: [u64; 2]| match first {
        1 => F::from(last),
        _ => F::from(first) * F::from(last),
    };
    Field { zero: F::ZERO, integer }
}
