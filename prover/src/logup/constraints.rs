//! The equations of the specification (section 6) as expressions of the engine, and compiled.

use halo2_base::halo2_proofs::halo2curves::{
    bn256::Fr,
    ff::{Field, PrimeField},
};
use muster_engine::{Graph, Program, Term};
use muster_verifier::{Node, Polynomial, Protocol, Term as Lookup};

use super::{
    blinded::number,
    columns::{Columns, Row},
};

/// Copied columns that one factor of the product covers.
const CHUNK: usize = 4;

/// The challenges, which are parameters of the expressions.
#[derive(Clone, Copy, Debug)]
pub(super) enum Challenge {
    /// Joins the values of a tuple.
    Theta,
    /// What the tuples' fractions are taken at.
    Lookup,
    /// Joins a copied cell and its place.
    Beta,
    /// Added to both.
    Gamma,
    /// Joins all constraints.
    Y,
}

/// A numerator over a denominator.
#[derive(Clone, Copy)]
pub(super) struct Fraction {
    pub(super) numerator: Term,
    pub(super) denominator: Term,
}

/// What tells the tuples of a table, by its number, from those of all others.
pub(super) type Tag = fn(usize) -> Fr;

/// Writes down a protocol's expressions.
pub(super) struct Writer<'a> {
    pub(super) graph: Graph,
    protocol: &'a Protocol,
    columns: Columns,
    tag: Tag,
    /// Those of the protocol's nodes.
    nodes: Vec<Term>,
}

impl<'a> Writer<'a> {
    pub(super) fn new(protocol: &'a Protocol, columns: Columns, tag: Tag) -> Self {
        let mut graph = Graph::new();
        let mut nodes = Vec::with_capacity(protocol.nodes().len());
        for node in protocol.nodes() {
            nodes.push(match *node {
                Node::Constant(scalar) => graph.constant(number(&scalar)),
                Node::Cell { column, rotation } => graph.cell(columns.column(column), rotation),
                Node::Sum(left, right) => graph.add(nodes[left], nodes[right]),
                Node::Product(left, right) => graph.mul(nodes[left], nodes[right]),
            });
        }
        Self { graph, protocol, columns, tag, nodes }
    }

    pub(super) fn challenge(&mut self, challenge: Challenge) -> Term {
        self.graph.parameter(challenge as usize)
    }

    fn cell(&mut self, column: usize) -> Term {
        self.graph.cell(column, 0)
    }

    fn row(&mut self, row: Row) -> Term {
        self.cell(self.columns.row(row))
    }

    /// The nodes of a table or of an input, as one number with the table's tag.
    pub(super) fn tuple(&mut self, table: usize, nodes: &[usize]) -> Term {
        let theta = self.challenge(Challenge::Theta);
        let mut sum = self.graph.constant((self.tag)(table));
        let mut power = theta;
        for node in nodes {
            let part = self.graph.mul(power, self.nodes[*node]);
            sum = self.graph.add(sum, part);
            power = self.graph.mul(power, theta);
        }
        sum
    }

    /// What a lookup's term adds to the sum: `1/(β_L + f)`, or `−m/(β_L + t)`.
    fn fraction(&mut self, lookup: Lookup) -> Fraction {
        let tables = self.protocol.tables();
        let (tuple, numerator) = match lookup {
            Lookup::Input { table, input } => {
                let one = self.graph.constant(Fr::ONE);
                (self.tuple(table, &tables[table].inputs[input]), one)
            }
            Lookup::Table(table) => {
                let count = self.cell(self.columns.place(Polynomial::Multiplicity(table)));
                (self.tuple(table, &tables[table].expressions), self.graph.negate(count))
            }
        };
        let at = self.challenge(Challenge::Lookup);
        Fraction { numerator, denominator: self.graph.add(at, tuple) }
    }

    /// The sum of some terms, as one fraction.
    fn joined(&mut self, lookups: &[Lookup]) -> Fraction {
        let fractions = lookups.iter().map(|lookup| self.fraction(*lookup)).collect::<Vec<_>>();
        let add = |left: Fraction, right: Fraction| {
            let [a, b] = [(left, right), (right, left)]
                .map(|(part, other)| self.graph.mul(part.numerator, other.denominator));
            Fraction {
                numerator: self.graph.add(a, b),
                denominator: self.graph.mul(left.denominator, right.denominator),
            }
        };
        fractions.into_iter().reduce(add).expect("no helper is empty")
    }

    /// That of each helper.
    pub(super) fn helpers(&mut self) -> Vec<Fraction> {
        let helpers = self.protocol.arrangement().helpers();
        helpers.iter().map(|terms| self.joined(terms)).collect()
    }

    /// What the sum takes along itself, if there are tables.
    pub(super) fn sum(&mut self) -> Option<Fraction> {
        let input = self.protocol.arrangement().sum()?;
        Some(self.joined(&[input, Lookup::Table(0)]))
    }

    /// For each chunk of copied columns, by what it changes the product in a row.
    pub(super) fn copies(&mut self) -> Vec<Fraction> {
        let [beta, gamma] = [Challenge::Beta, Challenge::Gamma].map(|name| self.challenge(name));
        let points = self.row(Row::Points);
        let (one, delta) = (self.graph.constant(Fr::ONE), self.graph.constant(Fr::DELTA));
        let mut shift = beta;
        let mut fractions = vec![];
        for (place, column) in self.protocol.copied().iter().enumerate() {
            if place % CHUNK == 0 {
                fractions.push(Fraction { numerator: one, denominator: one });
            }
            let cell = self.cell(self.columns.column(*column));
            let sigma = self.cell(self.columns.place(Polynomial::Sigma(place)));
            let cell = self.graph.add(cell, gamma);
            let [own, next] = [(shift, points), (beta, sigma)].map(|(factor, name)| {
                let name = self.graph.mul(factor, name);
                self.graph.add(cell, name)
            });
            let fraction = fractions.last_mut().expect("a chunk begins with its first column");
            fraction.numerator = self.graph.mul(fraction.numerator, own);
            fraction.denominator = self.graph.mul(fraction.denominator, next);
            shift = self.graph.mul(shift, delta);
        }
        fractions
    }

    /// All constraints, in the order of the specification.
    pub(super) fn constraints(&mut self) -> Vec<Term> {
        let mut constraints: Vec<Term> =
            self.protocol.constraints().iter().map(|node| self.nodes[*node]).collect();
        self.lookup_constraints(&mut constraints);
        self.copy_constraints(&mut constraints);
        constraints
    }

    fn lookup_constraints(&mut self, constraints: &mut Vec<Term>) {
        let mut helpers = self.graph.constant(Fr::ZERO);
        for (index, fraction) in self.helpers().into_iter().enumerate() {
            let helper = self.cell(self.columns.place(Polynomial::Helper(index)));
            helpers = self.graph.add(helpers, helper);
            let product = self.graph.mul(helper, fraction.denominator);
            constraints.push(self.graph.sub(product, fraction.numerator));
        }
        if let Some(fraction) = self.sum() {
            let sum = self.columns.place(Polynomial::Sum);
            let (sum, next) = (self.cell(sum), self.graph.cell(sum, 1));
            let active = self.row(Row::Active);
            let step = self.graph.sub(next, sum);
            let helpers = self.graph.mul(active, helpers);
            let step = self.graph.sub(step, helpers);
            let left = self.graph.mul(step, fraction.denominator);
            let right = self.graph.mul(active, fraction.numerator);
            constraints.push(self.graph.sub(left, right));
        }
    }

    fn copy_constraints(&mut self, constraints: &mut Vec<Term>) {
        let fractions = self.copies();
        if fractions.is_empty() {
            return;
        }
        let product = self.columns.place(Polynomial::Product);
        let (first, start, end) =
            (self.row(Row::First), self.cell(product), self.graph.cell(product, 1));
        let one = self.graph.constant(Fr::ONE);
        let difference = self.graph.sub(start, one);
        constraints.push(self.graph.mul(first, difference));
        let last = fractions.len() - 1;
        let mut before = start;
        for (chunk, fraction) in fractions.into_iter().enumerate() {
            let after = if chunk == last {
                end
            } else {
                let difference = self.columns.place(Polynomial::Difference(chunk + 1));
                let difference = self.cell(difference);
                self.graph.add(start, difference)
            };
            let left = self.graph.mul(after, fraction.denominator);
            let right = self.graph.mul(before, fraction.numerator);
            constraints.push(self.graph.sub(left, right));
            before = after;
        }
    }
}

/// The programs that run over all rows.
#[derive(Debug)]
pub(super) struct Programs {
    /// For each table, its tuples, then those of its inputs.
    pub(super) tuples: Program,
    /// For each helper, then for the sum, the denominator and the numerator.
    pub(super) lookups: Program,
    /// Likewise for each chunk of copied columns.
    pub(super) copies: Program,
    /// All constraints, joined: zero in every row of a satisfied circuit.
    pub(super) constraints: Program,
}

impl Programs {
    pub(super) fn new(protocol: &Protocol, columns: Columns, tag: Tag) -> Self {
        let mut writer = Writer::new(protocol, columns, tag);
        let mut tuples = vec![];
        for (index, table) in protocol.tables().iter().enumerate() {
            for nodes in [&table.expressions].into_iter().chain(&table.inputs) {
                tuples.push(writer.tuple(index, nodes));
            }
        }
        let tuples = writer.graph.compile(&tuples);

        let mut writer = Writer::new(protocol, columns, tag);
        let mut fractions = writer.helpers();
        fractions.extend(writer.sum());
        let lookups = writer.graph.compile(&parts(&fractions));

        let mut writer = Writer::new(protocol, columns, tag);
        let fractions = writer.copies();
        let copies = writer.graph.compile(&parts(&fractions));

        let mut writer = Writer::new(protocol, columns, tag);
        let constraints = writer.constraints();
        let y = writer.challenge(Challenge::Y);
        let mut power = writer.graph.constant(Fr::ONE);
        let mut weighted = vec![];
        for constraint in constraints {
            weighted.push((power, constraint));
            power = writer.graph.mul(power, y);
        }
        let joined = writer.graph.combine(&weighted);
        let constraints = writer.graph.compile(&[joined]);
        Self { tuples, lookups, copies, constraints }
    }
}

/// Denominators before numerators.
fn parts(fractions: &[Fraction]) -> Vec<Term> {
    fractions.iter().flat_map(|part| [part.denominator, part.numerator]).collect()
}
