//! All constraints at the challenge `x`, and the value that the quotient must have there. Section 6
//! of the specification.

use std::collections::BTreeMap;

use ark_ff::{AdditiveGroup, Field, Zero};

use crate::{
    arrangement::{Polynomial, Term, CHUNK},
    domain::{Domain, DELTA},
    parts::{Column, Node},
    proof::Challenges,
    protocol::Protocol,
    Scalar,
};

/// A node whose cell is found: among the proof's values, or the column of inputs at its rotations, which follow them.
#[derive(Clone, Copy)]
enum Step {
    Constant(Scalar),
    Cell(usize),
    Sum(usize, usize),
    Product(usize, usize),
}

/// The place of the first value of each kind. Those of a kind follow each other.
#[derive(Clone, Copy)]
struct Places {
    multiplicities: usize,
    helpers: usize,
    sum: usize,
    product: usize,
    differences: usize,
    sigma: usize,
}

/// How a protocol is evaluated: made once for a key.
#[derive(Clone)]
pub(crate) struct Equation {
    domain: Domain,
    /// The rotations of the column of inputs, each with `ω^ρ`.
    input_rotations: Vec<(i32, Scalar)>,
    steps: Vec<Step>,
    copied: Vec<usize>,
    places: Places,
}

impl Equation {
    /// The equation of a protocol.
    pub(crate) fn new(protocol: &Protocol) -> Self {
        let domain = Domain::new(protocol.k());
        let rotations = protocol.rotations(Column::Inputs);
        let input_rotations = rotations.iter().map(|&rotation| (rotation, domain.power(rotation)));
        let (cells, places) = places(protocol);
        // A protocol opens every cell that is in a node or copied, so all of them are found.
        let place =
            |column, rotation| cells.get(&(column, rotation)).copied().unwrap_or(usize::MAX);
        let steps = protocol.nodes().iter().map(|node| match *node {
            Node::Constant(constant) => Step::Constant(constant),
            Node::Cell { column, rotation } => Step::Cell(place(column, rotation)),
            Node::Sum(left, right) => Step::Sum(left, right),
            Node::Product(left, right) => Step::Product(left, right),
        });
        Self {
            domain,
            input_rotations: input_rotations.collect(),
            steps: steps.collect(),
            copied: protocol.copied().iter().map(|&column| place(column, 0)).collect(),
            places,
        }
    }

    /// `x^n`.
    pub(crate) fn raise(&self, x: Scalar) -> Scalar {
        self.domain.raise(x)
    }

    /// The value of the quotient, unless `x` is degenerate. There are as many inputs and values as
    /// the protocol says.
    pub(crate) fn quotient(
        &self,
        protocol: &Protocol,
        inputs: &[Scalar],
        values: &[Scalar],
        challenges: &Challenges,
    ) -> Option<Scalar> {
        let x = challenges.x;
        let vanishing = self.raise(x) - Scalar::ONE;
        if x.is_zero() {
            return None;
        }
        let inverse = vanishing.inverse()?;
        let rows = self.rows(protocol, inputs, x);
        let values = [values, &rows.inputs].concat();
        let mut point = Point {
            equation: self,
            protocol,
            challenges,
            values,
            nodes: Vec::with_capacity(self.steps.len()),
            rows,
            folded: Scalar::ZERO,
            power: Scalar::ONE,
        };
        point.compute_nodes();
        point.fold_constraints();
        let helpers = point.fold_helpers();
        point.fold_sum(helpers);
        point.fold_copies();
        Some(point.folded * inverse)
    }

    /// The polynomials of rows at `x`, which is not a row.
    fn rows(&self, protocol: &Protocol, inputs: &[Scalar], x: Scalar) -> Rows {
        // After the random rows come row 0 and those of the inputs: all share one inversion.
        let random = protocol.rows() - protocol.usable();
        let lagrange = self.domain.lagrange(x, protocol.usable(), random + inputs.len().max(1));
        let (random, first) = lagrange.split_at(random);
        let column = self.input_rotations.iter().map(|&(rotation, power)| {
            if rotation == 0 {
                product(inputs, first)
            } else {
                product(inputs, &self.domain.lagrange(x * power, 0, inputs.len()))
            }
        });
        Rows {
            first: first.first().copied().unwrap_or_default(),
            active: Scalar::ONE - random.iter().sum::<Scalar>(),
            inputs: column.collect(),
        }
    }
}

/// The sum of the products, place by place.
fn product(inputs: &[Scalar], lagrange: &[Scalar]) -> Scalar {
    inputs.iter().zip(lagrange).map(|(input, value)| *input * value).sum()
}

/// Where the values of cells, and of the polynomials that no node reads, stand in a proof; the column of inputs follows.
fn places(protocol: &Protocol) -> (BTreeMap<(Column, i32), usize>, Places) {
    let mut cells = BTreeMap::new();
    let mut first = BTreeMap::new();
    let mut next = 0;
    for opened in protocol.arrangement().polynomials() {
        first.insert(opened.polynomial, next);
        let column = match opened.polynomial {
            Polynomial::Advice(number) => Some(Column::Advice(number)),
            Polynomial::Fixed(number) => Some(Column::Fixed(number)),
            _ => None,
        };
        for (place, &rotation) in (next..).zip(&opened.rotations) {
            if let Some(column) = column {
                cells.insert((column, rotation), place);
            }
        }
        next += opened.rotations.len();
    }
    let inputs = (protocol.arrangement().values()..).zip(protocol.rotations(Column::Inputs));
    cells.extend(inputs.map(|(place, &rotation)| ((Column::Inputs, rotation), place)));
    // What a protocol does not have is not asked for.
    let place = |polynomial| first.get(&polynomial).copied().unwrap_or(usize::MAX);
    let places = Places {
        multiplicities: place(Polynomial::Multiplicity(0)),
        helpers: place(Polynomial::Helper(0)),
        sum: place(Polynomial::Sum),
        product: place(Polynomial::Product),
        differences: place(Polynomial::Difference(1)),
        sigma: place(Polynomial::Sigma(0)),
    };
    (cells, places)
}

/// What follows from `x` and the inputs alone.
struct Rows {
    /// `ℓ₀`.
    first: Scalar,
    /// `ℓ_act`.
    active: Scalar,
    /// The column of inputs at each of its rotations.
    inputs: Vec<Scalar>,
}

/// A term of the lookups at `x`.
struct Fraction {
    numerator: Scalar,
    denominator: Scalar,
}

/// The protocol at `x`, while its constraints are folded.
struct Point<'a> {
    equation: &'a Equation,
    protocol: &'a Protocol,
    challenges: &'a Challenges,
    /// Those of the proof, then the column of inputs at each of its rotations.
    values: Vec<Scalar>,
    nodes: Vec<Scalar>,
    rows: Rows,
    /// `Σ_i y^i·c_i` so far.
    folded: Scalar,
    /// The `y^i` of the next constraint.
    power: Scalar,
}

impl Point<'_> {
    /// Takes in the next constraint.
    fn fold(&mut self, constraint: Scalar) {
        self.folded += self.power * constraint;
        self.power *= self.challenges.y;
    }

    fn compute_nodes(&mut self) {
        for step in &self.equation.steps {
            let value = match *step {
                Step::Constant(constant) => constant,
                Step::Cell(place) => self.values[place],
                Step::Sum(left, right) => self.nodes[left] + self.nodes[right],
                Step::Product(left, right) => self.nodes[left] * self.nodes[right],
            };
            self.nodes.push(value);
        }
    }

    fn fold_constraints(&mut self) {
        for &node in self.protocol.constraints() {
            self.fold(self.nodes[node]);
        }
    }

    /// `β_L + f` for a tuple of nodes of a table.
    fn denominator(&self, table: usize, tuple: &[usize]) -> Scalar {
        // Horner: the last node first, and the number of the table at θ^0.
        let theta = self.challenges.theta;
        let joined = tuple
            .iter()
            .rev()
            .fold(Scalar::ZERO, |joined, &node| (joined + self.nodes[node]) * theta);
        self.challenges.beta_lookup + Scalar::from(table as u64) + joined
    }

    fn term(&self, term: Term) -> Fraction {
        let tables = self.protocol.tables();
        match term {
            Term::Input { table, input } => Fraction {
                numerator: Scalar::ONE,
                denominator: self.denominator(table, &tables[table].inputs[input]),
            },
            Term::Table(table) => Fraction {
                numerator: -self.values[self.equation.places.multiplicities + table],
                denominator: self.denominator(table, &tables[table].expressions),
            },
        }
    }

    /// The constraints of the helpers. Returns the sum of the helpers.
    fn fold_helpers(&mut self) -> Scalar {
        let mut total = Scalar::ZERO;
        for (number, terms) in self.protocol.arrangement().helpers().iter().enumerate() {
            let helper = self.values[self.equation.places.helpers + number];
            let empty = Fraction { numerator: Scalar::ZERO, denominator: Scalar::ONE };
            let sum = terms.iter().fold(empty, |sum, &term| {
                let Fraction { numerator, denominator } = self.term(term);
                Fraction {
                    numerator: sum.numerator * denominator + numerator * sum.denominator,
                    denominator: sum.denominator * denominator,
                }
            });
            self.fold(helper * sum.denominator - sum.numerator);
            total += helper;
        }
        total
    }

    /// The constraint of the lookups' sum, if there are tables.
    fn fold_sum(&mut self, helpers: Scalar) {
        let Some(input) = self.protocol.arrangement().sum() else { return };
        let input = self.term(input).denominator;
        let table = self.term(Term::Table(0));
        let place = self.equation.places.sum;
        let step = self.values[place + 1] - self.values[place] - self.rows.active * helpers;
        // The table's numerator is −m₀.
        let both = table.denominator + table.numerator * input;
        self.fold(step * input * table.denominator - self.rows.active * both);
    }

    /// The constraints of the copies, if there are copied columns.
    fn fold_copies(&mut self) {
        let Places { product, differences, sigma, .. } = self.equation.places;
        let chunks = self.protocol.arrangement().chunks();
        if chunks == 0 {
            return;
        }
        let start = self.values[product];
        self.fold(self.rows.first * (start - Scalar::ONE));
        let &Challenges { beta, gamma, x, .. } = self.challenges;
        let mut name = beta * x;
        let mut before = start;
        let mut column = sigma;
        for (chunk, copied) in self.equation.copied.chunks(CHUNK).enumerate() {
            let mut after = if chunk + 1 == chunks {
                self.values[product + 1]
            } else {
                start + self.values[differences + chunk]
            };
            let next = after;
            for &place in copied {
                let shifted = self.values[place] + gamma;
                after *= shifted + beta * self.values[column];
                before *= shifted + name;
                name *= DELTA;
                column += 1;
            }
            self.fold(after - before);
            before = next;
        }
    }
}
