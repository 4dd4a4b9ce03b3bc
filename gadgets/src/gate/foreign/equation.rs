//! The equations that a block can hold.

use num_bigint::{BigInt, BigUint};

use super::{
    form::{Form, Ratio},
    source::{
        Source::{self, Above, Back, Operand, Result, Turned},
        HISTORY, OPERANDS,
    },
};
use crate::field::foreign::{relation::Operands, Range, Relation};

/// The five sums of an equation, `X·Y + Z·W + L`, and what each may be made of.
pub(super) const SUMS: [&[Source]; 5] = [
    &[Result, Back(1), Back(2), Operand(0)],
    &[Result, Back(1), Back(2), Back(3), Back(4), Operand(0), Operand(1)],
    &[Back(2), Back(4)],
    &[Back(1), Back(2), Back(3), Back(4), Operand(0)],
    &[Result, Back(1), Back(2), Back(3), Operand(0), Operand(1), Turned, Above],
];
pub(super) const X: usize = 0;
pub(super) const Y: usize = 1;
pub(super) const Z: usize = 2;
pub(super) const W: usize = 3;
pub(super) const L: usize = 4;

/// `X·Y + Z·W + L + c ≡ 0` modulo a foreign prime, or over the integers for the modulus 0.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Equation {
    modulus: BigUint,
    /// Factors, in the order of [`SUMS`].
    factors: [Vec<i64>; 5],
    constant: BigInt,
    signed: [bool; OPERANDS],
}

impl Equation {
    /// Nothing but a range check of the result.
    pub fn free() -> Self {
        Self::zero(&BigUint::ZERO, Form::default())
    }

    /// The form is a multiple of the modulus.
    ///
    /// Its first product is `X·Y` and its second `Z·W`, with the factors where they stand.
    ///
    /// # Panics
    /// If it has more products, or a sum cannot be made of a source.
    pub fn zero(modulus: &BigUint, form: Form) -> Self {
        let Form { products, linear, constant } = form;
        let mut factors = SUMS.map(|sources| vec![0; sources.len()]);
        let mut set = |sum: usize, terms: &[(i64, Source)]| {
            for (factor, source) in terms {
                let place = SUMS[sum].iter().position(|allowed| allowed == source);
                let place = place.unwrap_or_else(|| panic!("sum {sum} is not made of {source:?}"));
                factors[sum][place] += factor;
            }
        };
        assert!(products.len() <= 2, "an equation has two products");
        for (sums, product) in [[X, Y], [Z, W]].into_iter().zip(&products) {
            sums.into_iter().zip(product).for_each(|(sum, terms)| set(sum, terms));
        }
        set(L, &linear);
        Self { modulus: modulus.clone(), factors, constant, signed: [false; OPERANDS] }
    }

    /// The result is the value, modulo the modulus. Of a [`Ratio`] `n/d` it is said that `R·d = n`.
    ///
    /// # Panics
    /// As [`Self::zero`].
    pub fn result(modulus: &BigUint, value: impl Into<Ratio>) -> Self {
        let Ratio { numerator, denominator } = value.into();
        let form = match denominator {
            Some(denominator) => Result * denominator - numerator,
            None => numerator - Result,
        };
        Self::zero(modulus, form)
    }

    /// `A₀·A₁`.
    pub fn multiply(modulus: &BigUint) -> Self {
        Self::result(modulus, Operand(0) * Operand(1))
    }

    /// With an operand whose limbs have signs.
    #[must_use]
    pub fn signed(mut self, operand: usize) -> Self {
        self.signed[operand] = true;
        self
    }

    /// With the sum `Y` alone, of a product whose other factor is 0.
    #[cfg(test)]
    pub(crate) fn differing(mut self, first: Source, second: Source) -> Self {
        for (factor, source) in [(1, first), (-1, second)] {
            let place = SUMS[Y].iter().position(|allowed| *allowed == source);
            self.factors[Y][place.expect("Y may be made of it")] = factor;
        }
        self
    }

    pub(super) fn modulus(&self) -> &BigUint {
        &self.modulus
    }

    pub(super) fn factors(&self) -> &[Vec<i64>; 5] {
        &self.factors
    }

    pub(super) fn is_signed(&self, operand: usize) -> bool {
        self.signed[operand]
    }

    /// The blocks above that it reaches.
    pub(super) fn reach(&self) -> usize {
        let back = |(sum, factors): (usize, &Vec<i64>)| {
            let used = SUMS[sum].iter().zip(factors).filter(|(_, factor)| **factor != 0);
            used.map(|(source, _)| match source {
                Back(blocks) => *blocks,
                Above => 1,
                Result | Operand(_) | Turned => 0,
            })
            .max()
        };
        self.factors.iter().enumerate().filter_map(back).max().unwrap_or_default()
    }

    pub(super) fn uses_operand(&self, operand: usize) -> bool {
        self.uses(Operand(operand))
    }

    pub(super) fn uses_above(&self) -> bool {
        self.uses(Above)
    }

    /// Whether `Y` is the difference of two elements: between `-2p` and `2p`.
    pub(super) fn is_difference(&self) -> bool {
        let mut factors: Vec<_> = self.factors[Y].iter().filter(|f| **f != 0).collect();
        factors.sort_unstable();
        factors == [&-1, &1]
    }

    /// Whether it is about the entry of a table.
    pub(super) fn uses_turned(&self) -> bool {
        self.uses(Turned)
    }

    fn uses(&self, source: Source) -> bool {
        let in_sum = |(sources, factors): (&&[Source], &Vec<i64>)| {
            sources.iter().zip(factors).any(|(one, factor)| *one == source && *factor != 0)
        };
        SUMS.iter().zip(&self.factors).any(in_sum)
    }

    /// The relation over all sources, numbered by [`number`].
    pub(super) fn relation(&self) -> Relation {
        let terms_of = |sum: usize| -> Vec<(i64, usize)> {
            let terms = SUMS[sum].iter().zip(&self.factors[sum]);
            terms.filter(|(_, f)| **f != 0).map(|(source, f)| (*f, number(*source))).collect()
        };
        let mut terms = vec![];
        for (a, b) in [(X, Y), (Z, W)] {
            for (f, u) in terms_of(a) {
                for (g, v) in terms_of(b) {
                    terms.push((f * g, Operands::Product(u, v)));
                }
            }
        }
        terms.extend(terms_of(L).into_iter().map(|(f, x)| (f, Operands::Linear(x))));
        Relation { terms, constant: self.constant.clone() }
    }

    /// What is known of each source.
    pub(super) fn ranges(&self) -> Vec<Range> {
        let mut ranges = vec![Range::Element; SOURCES];
        ranges[number(Turned)] = Range::Signed;
        for operand in (0..OPERANDS).filter(|operand| self.signed[*operand]) {
            ranges[number(Operand(operand))] = Range::Signed;
        }
        ranges
    }
}

/// Sources in all.
pub(super) const SOURCES: usize = 1 + HISTORY + OPERANDS + 2;

/// The number of a source.
pub(super) fn number(source: Source) -> usize {
    match source {
        Result => 0,
        Back(blocks) => blocks,
        Operand(operand) => 1 + HISTORY + operand,
        Turned => 1 + HISTORY + OPERANDS,
        Above => 2 + HISTORY + OPERANDS,
    }
}
