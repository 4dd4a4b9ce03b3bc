//! Columns that meet the sample, and all that a prover makes of them, row by row from the
//! definitions.

use std::collections::BTreeMap;

use ark_ff::{AdditiveGroup, Field};

use super::sample::numbers;
use crate::{
    domain::{Domain, DELTA},
    proof::Challenges,
    Column, Node, Polynomial, Protocol, Scalar, Term,
};

/// The columns of the sample in all rows.
#[derive(Clone)]
pub(crate) struct Witness {
    pub(crate) columns: BTreeMap<Column, Vec<Scalar>>,
    pub(crate) inputs: Vec<Scalar>,
    /// For each copied column and row, the copied column and the row that follow in the cycle.
    pub(crate) next: Vec<Vec<(usize, usize)>>,
}

const ROWS: usize = 16;
const USABLE: usize = 10;

impl Witness {
    /// Columns that meet everything. Random rows are random.
    pub(crate) fn honest(protocol: &Protocol) -> Self {
        let mut random = numbers("trace");
        let number = |number: usize| Scalar::from(number as u64);
        let mut advice: Vec<Vec<Scalar>> =
            (0..5).map(|_| (0..ROWS).map(|_| random()).collect()).collect();
        let inputs = vec![number(3), number(12_345)];
        let small = (0..USABLE).map(|row| number(1 + row * 7 % 9));
        advice[1].splice(..USABLE, small);
        advice[2].splice(..USABLE, (0..USABLE).map(|row| number(row * 3 % USABLE)));
        advice[1][1] = inputs[0];
        for row in 0..5 {
            advice[0][row + 1] = advice[0][row] * advice[1][row];
        }
        let read: Vec<Scalar> = (0..USABLE).map(|row| advice[1][row * 3 % USABLE]).collect();
        advice[3].splice(..USABLE, read);
        (advice[4][0], advice[4][1]) = (advice[0][3], inputs[1]);
        (advice[4][2], advice[4][3]) = (number(4), number(4));

        let marks = |rows: std::ops::Range<usize>| {
            (0..ROWS).map(|row| number(usize::from(rows.contains(&row)))).collect()
        };
        let counted = (0..ROWS).map(|row| number(if row < USABLE { row } else { 0 })).collect();
        let mut columns = BTreeMap::from([
            (Column::Fixed(0), marks(0..5)),
            (Column::Fixed(1), counted),
            (Column::Fixed(2), marks(1..2)),
        ]);
        columns.extend((0..).map(Column::Advice).zip(advice));

        // By place among the copied: 0 is a, 1 is b, 2 the inputs, 3 the numbers, 5 is e.
        let copied = 0..protocol.copied().len();
        let mut next: Vec<Vec<_>> =
            copied.map(|column| (0..ROWS).map(|row| (column, row)).collect()).collect();
        for ((left, row), (right, other)) in [
            ((1, 1), (2, 0)),
            ((5, 0), (0, 3)),
            ((5, 1), (2, 1)),
            ((5, 2), (3, 4)),
            ((5, 3), (3, 4)),
        ] {
            let follower = next[left][row];
            next[left][row] = next[right][other];
            next[right][other] = follower;
        }
        Self { columns, inputs, next }
    }

    pub(crate) fn change(&mut self, column: Column, row: usize) {
        let column = self.columns.get_mut(&column).expect("the sample has it");
        column[row] += Scalar::ONE;
    }

    fn cell(&self, column: Column, row: usize) -> Scalar {
        match column {
            Column::Inputs => self.inputs.get(row).copied().unwrap_or_default(),
            column => self.columns[&column][row],
        }
    }

    /// The nodes in a row.
    fn nodes(&self, protocol: &Protocol, row: usize) -> Vec<Scalar> {
        let mut nodes: Vec<Scalar> = Vec::new();
        for node in protocol.nodes() {
            nodes.push(match *node {
                Node::Constant(constant) => constant,
                Node::Cell { column, rotation } => {
                    let row = (row as i32 + rotation).rem_euclid(ROWS as i32);
                    self.cell(column, row as usize)
                }
                Node::Sum(left, right) => nodes[left] + nodes[right],
                Node::Product(left, right) => nodes[left] * nodes[right],
            });
        }
        nodes
    }
}

/// All polynomials of a proof but the quotient, by their values in the rows.
pub(crate) struct Trace(pub(crate) BTreeMap<Polynomial, Vec<Scalar>>);

impl Trace {
    pub(crate) fn new(protocol: &Protocol, witness: &Witness, challenges: &Challenges) -> Self {
        let mut trace = Self(BTreeMap::new());
        for (&column, values) in &witness.columns {
            let polynomial = match column {
                Column::Fixed(number) => Polynomial::Fixed(number),
                Column::Advice(number) => Polynomial::Advice(number),
                Column::Inputs => continue,
            };
            trace.0.insert(polynomial, values.clone());
        }
        let nodes: Vec<_> = (0..ROWS).map(|row| witness.nodes(protocol, row)).collect();
        trace.count(protocol, &nodes);
        trace.look_up(protocol, &nodes, challenges);
        trace.copy(protocol, witness, challenges);
        trace
    }

    /// The multiplicities. What is in no row of its table is not counted.
    fn count(&mut self, protocol: &Protocol, nodes: &[Vec<Scalar>]) {
        let mut random = numbers("multiplicities");
        for (number, table) in protocol.tables().iter().enumerate() {
            let tuple = |list: &[usize], row: usize| -> Vec<Scalar> {
                list.iter().map(|&node| nodes[row][node]).collect()
            };
            let mut counts = vec![Scalar::ZERO; USABLE];
            for input in &table.inputs {
                for row in 0..USABLE {
                    let sought = tuple(input, row);
                    let found = (0..USABLE).find(|&row| tuple(&table.expressions, row) == sought);
                    if let Some(found) = found {
                        counts[found] += Scalar::ONE;
                    }
                }
            }
            counts.resize_with(ROWS, &mut random);
            self.0.insert(Polynomial::Multiplicity(number), counts);
        }
    }

    /// `N / D` of a term in a row.
    fn term(
        &self,
        protocol: &Protocol,
        term: Term,
        row: &[Scalar],
        place: usize,
        challenges: &Challenges,
    ) -> Scalar {
        let (table, tuple, numerator) = match term {
            Term::Input { table, input } => {
                (table, &protocol.tables()[table].inputs[input], Scalar::ONE)
            }
            Term::Table(table) => {
                let count = self.0[&Polynomial::Multiplicity(table)][place];
                (table, &protocol.tables()[table].expressions, -count)
            }
        };
        let powers = (1..).map(|power| challenges.theta.pow([power]));
        let joined: Scalar = tuple.iter().zip(powers).map(|(&node, power)| row[node] * power).sum();
        numerator / (challenges.beta_lookup + Scalar::from(table as u64) + joined)
    }

    /// The helpers and the sum.
    fn look_up(&mut self, protocol: &Protocol, nodes: &[Vec<Scalar>], challenges: &Challenges) {
        let arrangement = protocol.arrangement();
        let mut steps = vec![Scalar::ZERO; ROWS];
        let sum = arrangement.sum().expect("the sample has tables");
        let ends = vec![sum, Term::Table(0)];
        for (number, terms) in arrangement.helpers().iter().chain([&ends]).enumerate() {
            let values: Vec<Scalar> = (0..ROWS)
                .map(|row| {
                    let terms = terms.iter();
                    terms.map(|&term| self.term(protocol, term, &nodes[row], row, challenges)).sum()
                })
                .collect();
            for (step, value) in steps.iter_mut().zip(&values) {
                *step += value;
            }
            if number < arrangement.helpers().len() {
                self.0.insert(Polynomial::Helper(number), values);
            }
        }
        let mut sum = vec![Scalar::from(99)];
        for row in 0..ROWS - 1 {
            let step = if row < USABLE { steps[row] } else { Scalar::ZERO };
            sum.push(sum[row] + step);
        }
        self.0.insert(Polynomial::Sum, sum);
    }

    /// σ, the product and its differences.
    fn copy(&mut self, protocol: &Protocol, witness: &Witness, challenges: &Challenges) {
        let domain = Domain::new(protocol.k());
        let name =
            |(column, row): (usize, usize)| DELTA.pow([column as u64]) * domain.power(row as i32);
        let chunks = protocol.arrangement().chunks();
        let mut product = vec![Scalar::ONE];
        let mut differences = vec![vec![]; chunks];
        for row in 0..ROWS {
            let mut reached = product[row];
            for (column, &kind) in protocol.copied().iter().enumerate() {
                if column > 0 && column % 4 == 0 {
                    differences[column / 4].push(reached - product[row]);
                }
                let value = witness.cell(kind, row) + challenges.gamma;
                let next = name(witness.next[column][row]);
                reached *= value + challenges.beta * name((column, row));
                reached /= value + challenges.beta * next;
                self.0.entry(Polynomial::Sigma(column)).or_default().push(next);
            }
            product.push(reached);
        }
        product.truncate(ROWS);
        self.0.insert(Polynomial::Product, product);
        let differences = differences.into_iter().enumerate().skip(1);
        self.0.extend(differences.map(|(number, row)| (Polynomial::Difference(number), row)));
    }

    /// The values of a proof whose challenge is `x`.
    pub(crate) fn values(&self, protocol: &Protocol, x: Scalar) -> Vec<Scalar> {
        let domain = Domain::new(protocol.k());
        let mut values = Vec::new();
        for opened in protocol.arrangement().polynomials() {
            let Some(rows) = self.0.get(&opened.polynomial) else { continue };
            for &rotation in &opened.rotations {
                let lagrange = domain.lagrange(x * domain.power(rotation), 0, ROWS);
                values.push(rows.iter().zip(lagrange).map(|(row, value)| *row * value).sum());
            }
        }
        values
    }
}
