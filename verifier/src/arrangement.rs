//! What follows from a protocol: how lookups share polynomials, and what a proof opens where.
//! Section 3 of the specification.

use std::{collections::BTreeMap, fmt};

use crate::{
    encoding::{COMPRESSED, SCALAR},
    parts::{Column, ProtocolParts},
};

/// The greatest weight that a helper holds.
const HELPER: usize = 4;
/// How many copied columns a chunk holds.
pub(crate) const CHUNK: usize = 4;
/// How many pieces the quotient has.
pub(crate) const PIECES: usize = 4;

/// A term of the lookups.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Term {
    /// What is looked up.
    Input {
        /// In which table.
        table: usize,
        /// Which of the table's inputs.
        input: usize,
    },
    /// A table, with its multiplicity.
    Table(usize),
}

/// A polynomial that a proof opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Polynomial {
    /// An advice column.
    Advice(usize),
    /// How often each row of a table is looked up.
    Multiplicity(usize),
    /// The sum of some terms of the lookups.
    Helper(usize),
    /// The running sum of all terms of the lookups.
    Sum,
    /// The running product of the copies.
    Product,
    /// What the product is after some chunks of a row, less what it is before them. The first is 1.
    Difference(usize),
    /// A fixed column.
    Fixed(usize),
    /// Of a copied column, counted among the copied: which cell follows each.
    Sigma(usize),
    /// The quotient of all constraints.
    Quotient,
}

impl fmt::Display for Polynomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Advice(number) => write!(f, "advice column {number}"),
            Self::Multiplicity(number) => write!(f, "the multiplicities of table {number}"),
            Self::Helper(number) => write!(f, "helper {number}"),
            Self::Sum => write!(f, "the sum"),
            Self::Product => write!(f, "the product"),
            Self::Difference(number) => write!(f, "difference {number}"),
            Self::Fixed(number) => write!(f, "fixed column {number}"),
            Self::Sigma(number) => write!(f, "sigma of copied column {number}"),
            Self::Quotient => write!(f, "the quotient"),
        }
    }
}

/// A polynomial with the rotations at which it is opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opened {
    /// The polynomial.
    pub polynomial: Polynomial,
    /// The rotations, ascending.
    pub rotations: Vec<i32>,
}

/// How the lookups, the copies and the openings of a protocol are arranged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrangement {
    sum: Option<Term>,
    helpers: Vec<Vec<Term>>,
    chunks: usize,
    polynomials: Vec<Opened>,
    /// Commitments of the first round: advice and multiplicities.
    first: usize,
    /// Commitments of the second: helpers, sum, product and differences.
    second: usize,
    values: usize,
}

/// The rotations at which each column is opened.
pub(crate) type Rotations = BTreeMap<Column, Vec<i32>>;

impl Arrangement {
    /// The arrangement of parts that obey the rules, with the degrees of their nodes.
    pub(crate) fn new(parts: &ProtocolParts, degrees: &[usize], rotations: &Rotations) -> Self {
        let inputs = weighted_inputs(parts, degrees);
        let greatest = inputs.iter().map(|&(_, weight)| weight).max();
        let sum =
            inputs.iter().find(|&&(_, weight)| Some(weight) == greatest).map(|&(term, _)| term);
        let helpers = helpers(&inputs, sum, parts.tables.len());
        let chunks = parts.copied.len().div_ceil(CHUNK);
        let first = parts.advice.saturating_add(parts.tables.len());
        let ends = usize::from(sum.is_some()) + usize::from(chunks > 0);
        let second = helpers.len() + ends + chunks.saturating_sub(1);
        let polynomials = polynomials(parts, rotations, helpers.len(), chunks);
        let opened = polynomials.iter().filter(|opened| opened.polynomial != Polynomial::Quotient);
        let values = opened.map(|opened| opened.rotations.len()).sum();
        Self { sum, helpers, chunks, polynomials, first, second, values }
    }

    /// The input that the sum takes along, if there are tables. The other term is that of table 0.
    pub fn sum(&self) -> Option<Term> {
        self.sum
    }

    /// The terms of each helper, in order.
    pub fn helpers(&self) -> &[Vec<Term>] {
        &self.helpers
    }

    /// How many chunks the copied columns are taken in.
    pub fn chunks(&self) -> usize {
        self.chunks
    }

    /// The polynomials that a proof opens, in the order of the specification. The last is the
    /// quotient.
    pub fn polynomials(&self) -> &[Opened] {
        &self.polynomials
    }

    /// How many bytes a proof has.
    pub fn proof_bytes(&self) -> usize {
        let points = self.committed().saturating_add(PIECES + 2).saturating_mul(COMPRESSED);
        points.saturating_add(self.values.saturating_mul(SCALAR))
    }

    /// How many points the first round commits with.
    pub(crate) fn first(&self) -> usize {
        self.first
    }

    /// How many points the second round commits with.
    pub(crate) fn second(&self) -> usize {
        self.second
    }

    /// How many polynomials the proof commits to. They are the first ones.
    pub(crate) fn committed(&self) -> usize {
        self.first.saturating_add(self.second)
    }

    /// How many values a proof has.
    pub(crate) fn values(&self) -> usize {
        self.values
    }
}

/// All inputs in order, each with its weight.
fn weighted_inputs(parts: &ProtocolParts, degrees: &[usize]) -> Vec<(Term, usize)> {
    let mut inputs = Vec::new();
    for (table, lookups) in parts.tables.iter().enumerate() {
        for (input, nodes) in lookups.inputs.iter().enumerate() {
            let degrees = nodes.iter().filter_map(|&node| degrees.get(node));
            let weight = degrees.copied().max().unwrap_or(0).max(1);
            inputs.push((Term::Input { table, input }, weight));
        }
    }
    inputs
}

/// The terms that the sum does not take along, packed: inputs of weight 2, those of weight 1,
/// tables.
fn helpers(inputs: &[(Term, usize)], sum: Option<Term>, tables: usize) -> Vec<Vec<Term>> {
    let others = inputs.iter().copied().filter(|&(term, _)| Some(term) != sum);
    let heavy = others.clone().filter(|&(_, weight)| weight == 2);
    let light = others.filter(|&(_, weight)| weight == 1);
    let tables = (1..tables).map(|table| (Term::Table(table), 1));
    let mut helpers: Vec<Vec<Term>> = Vec::new();
    let mut held = 0;
    for (term, weight) in heavy.chain(light).chain(tables) {
        match helpers.last_mut() {
            Some(last) if held + weight <= HELPER => {
                last.push(term);
                held += weight;
            }
            _ => {
                helpers.push(vec![term]);
                held = weight;
            }
        }
    }
    helpers
}

/// The polynomials in order, with their rotations.
fn polynomials(
    parts: &ProtocolParts,
    rotations: &Rotations,
    helpers: usize,
    chunks: usize,
) -> Vec<Opened> {
    let mut all = Vec::new();
    let mut open = |polynomial, rotations: &[i32]| {
        all.push(Opened { polynomial, rotations: rotations.to_vec() });
    };
    let of = |column| rotations.get(&column).map(Vec::as_slice).unwrap_or_default();
    for column in 0..parts.advice {
        open(Polynomial::Advice(column), of(Column::Advice(column)));
    }
    for table in 0..parts.tables.len() {
        open(Polynomial::Multiplicity(table), &[0]);
    }
    for helper in 0..helpers {
        open(Polynomial::Helper(helper), &[0]);
    }
    if !parts.tables.is_empty() {
        open(Polynomial::Sum, &[0, 1]);
    }
    if chunks > 0 {
        open(Polynomial::Product, &[0, 1]);
    }
    for difference in 1..chunks {
        open(Polynomial::Difference(difference), &[0]);
    }
    for column in 0..parts.fixed {
        open(Polynomial::Fixed(column), of(Column::Fixed(column)));
    }
    for column in 0..parts.copied.len() {
        open(Polynomial::Sigma(column), &[0]);
    }
    open(Polynomial::Quotient, &[0]);
    all
}
