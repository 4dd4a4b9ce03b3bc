//! A key's constraints as expressions of the engine.

use halo2_base::halo2_proofs::{
    halo2curves::{
        bn256::{Fr, G1Affine},
        ff::{Field, PrimeField},
    },
    plonk::{Expression, ProvingKey},
};
use muster_engine::{Graph, Term};

use super::columns::{Columns, Row};

/// The challenges, which are parameters of the expressions.
#[derive(Clone, Copy, Debug)]
pub(super) enum Challenge {
    /// Joins the expressions of a lookup.
    Theta,
    /// Joins a permutation's cells with their places, and hides a lookup's input.
    Beta,
    /// Hides a permutation's cells, and a lookup's table.
    Gamma,
    /// Joins all constraints.
    Y,
}

/// Writes down the expressions of a key.
pub(super) struct Writer<'a> {
    pub(super) graph: Graph,
    pk: &'a ProvingKey<G1Affine>,
    columns: Columns,
}

/// The factor by which a grand product changes from row to row.
pub(super) struct Fraction {
    pub(super) numerator: Term,
    pub(super) denominator: Term,
}

/// A lookup's expressions, joined.
#[derive(Clone, Copy)]
pub(super) struct Joined {
    pub(super) input: Term,
    pub(super) table: Term,
}

impl<'a> Writer<'a> {
    pub(super) fn new(pk: &'a ProvingKey<G1Affine>, columns: Columns) -> Self {
        Self { graph: Graph::new(), pk, columns }
    }

    pub(super) fn challenge(&mut self, challenge: Challenge) -> Term {
        self.graph.parameter(challenge as usize)
    }

    pub(super) fn cell(&mut self, column: usize) -> Term {
        self.graph.cell(column, 0)
    }

    pub(super) fn row(&mut self, row: Row) -> Term {
        self.cell(self.columns.row(row))
    }

    /// Every constraint of the gates, in the key's order.
    pub(super) fn gates(&mut self) -> Vec<Term> {
        let gates = self.pk.get_vk().cs().gates();
        let constraints = gates.iter().flat_map(|gate| gate.polynomials());
        constraints.map(|constraint| self.expression(constraint)).collect()
    }

    /// For each lookup, its expressions `e₁, e₂, …, eₘ` joined as `θ^(m−1)·e₁ + … + eₘ`.
    pub(super) fn lookups(&mut self) -> Vec<Joined> {
        let lookups = self.pk.get_vk().cs().lookups();
        let joined = lookups.iter().map(|lookup| Joined {
            input: self.joined(lookup.input_expressions()),
            table: self.joined(lookup.table_expressions()),
        });
        joined.collect()
    }

    fn joined(&mut self, expressions: &[Expression<Fr>]) -> Term {
        let theta = self.challenge(Challenge::Theta);
        let terms: Vec<_> = expressions.iter().map(|part| self.expression(part)).collect();
        self.powers_of(theta, terms)
    }

    /// `Σ base^(m−i)·termᵢ` over `m` terms: the last one has the factor 1.
    pub(super) fn powers_of(&mut self, base: Term, terms: Vec<Term>) -> Term {
        let mut power = self.graph.constant(Fr::ONE);
        let mut weighted = vec![];
        for term in terms.into_iter().rev() {
            weighted.push((power, term));
            power = self.graph.mul(power, base);
        }
        self.graph.combine(&weighted)
    }

    /// For each grand product of the permutation, its factor in a row, over its columns `j`:
    /// `∏ (cell + δʲ·β·point + γ)` and `∏ (cell + β·permuted + γ)`.
    pub(super) fn permutation(&mut self) -> Vec<Fraction> {
        let named = self.pk.get_vk().cs().permutation().get_columns();
        let [beta, gamma] = [Challenge::Beta, Challenge::Gamma].map(|name| self.challenge(name));
        let points = self.row(Row::Points);
        let mut shift = beta;
        let delta = self.graph.constant(Fr::DELTA);
        let mut fractions = vec![];
        for (set, named) in named.chunks(self.columns.in_product).enumerate() {
            let one = self.graph.constant(Fr::ONE);
            let mut fraction = Fraction { numerator: one, denominator: one };
            for (place, column) in named.iter().enumerate() {
                let cell = self.cell(self.columns.named(*column));
                let permuted = set * self.columns.in_product + place;
                let permuted = self.cell(self.columns.permuted(permuted));
                let hidden = self.graph.add(cell, gamma);
                let identity = self.graph.mul(shift, points);
                let permuted = self.graph.mul(beta, permuted);
                let [identity, permuted] =
                    [identity, permuted].map(|place| self.graph.add(hidden, place));
                fraction.numerator = self.graph.mul(fraction.numerator, identity);
                fraction.denominator = self.graph.mul(fraction.denominator, permuted);
                shift = self.graph.mul(shift, delta);
            }
            fractions.push(fraction);
        }
        fractions
    }

    /// A lookup's factor in a row: `(input + β)(table + γ)` of its expressions, over the same of its permuted
    /// columns.
    pub(super) fn lookup_fraction(&mut self, joined: Joined, permuted: Joined) -> Fraction {
        let [beta, gamma] = [Challenge::Beta, Challenge::Gamma].map(|name| self.challenge(name));
        let mut hidden = |Joined { input, table }: Joined| {
            let (input, table) = (self.graph.add(input, beta), self.graph.add(table, gamma));
            self.graph.mul(input, table)
        };
        Fraction { numerator: hidden(joined), denominator: hidden(permuted) }
    }

    fn expression(&mut self, expression: &Expression<Fr>) -> Term {
        let columns = self.columns;
        match expression {
            Expression::Constant(number) => self.graph.constant(*number),
            Expression::Selector(_) => unreachable!("keys have fixed columns in their place"),
            Expression::Fixed(query) => {
                self.graph.cell(columns.fixed(query.column_index()), query.rotation().0)
            }
            Expression::Advice(query) => {
                self.graph.cell(columns.advice(query.column_index()), query.rotation().0)
            }
            Expression::Instance(query) => {
                self.graph.cell(columns.instance(query.column_index()), query.rotation().0)
            }
            Expression::Challenge(_) => unreachable!("circuits have one phase"),
            Expression::Negated(part) => {
                let part = self.expression(part);
                self.graph.negate(part)
            }
            Expression::Sum(left, right) => {
                let (left, right) = (self.expression(left), self.expression(right));
                self.graph.add(left, right)
            }
            Expression::Product(left, right) => {
                let (left, right) = (self.expression(left), self.expression(right));
                self.graph.mul(left, right)
            }
            Expression::Scaled(part, factor) => {
                let (part, factor) = (self.expression(part), self.graph.constant(*factor));
                self.graph.mul(part, factor)
            }
        }
    }
}
