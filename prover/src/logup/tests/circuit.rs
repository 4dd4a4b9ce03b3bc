//! Random small circuits, with columns that meet them.

use std::collections::{BTreeMap, HashMap};

use halo2_base::halo2_proofs::halo2curves::{
    bn256::Fr,
    ff::{Field, PrimeField},
};
use muster_verifier::{Column, Node, Protocol, ProtocolParts, Table};
use rand::{seq::SliceRandom, Rng};
use rand_chacha::ChaCha20Rng;

use super::sample::{rng, Cell, Sample};
use crate::{
    logup::blinded::{number, scalar},
    polynomial::Numbers,
};

/// A circuit in the making. Columns are filled one after the other: what a gate or a lookup says of a column is a function of those before it.
struct Builder {
    rng: ChaCha20Rng,
    rows: usize,
    usable: usize,
    /// No two are the same row.
    rotations: Vec<i32>,
    nodes: Vec<Node>,
    numbers: HashMap<Node, usize>,
    constraints: Vec<usize>,
    tables: Vec<Table>,
    fixed: Vec<Numbers>,
    advice: Vec<Numbers>,
    inputs: Numbers,
}

/// The circuit of a seed. One in ten has a gate that is on in a row where it cannot hold.
pub(super) fn circuit(seed: u64) -> Sample {
    let mut rng = rng(seed);
    let k = rng.gen_range(3..=5);
    let rows = 1_usize << k;
    let usable = rows - rng.gen_range(2..=(rows / 2).min(7));
    let inputs = (0..rng.gen_range(0..=3.min(usable))).map(|_| small(&mut rng)).collect();
    let mut builder = Builder {
        rotations: rotations(&mut rng, rows, usable),
        rng,
        rows,
        usable,
        nodes: vec![],
        numbers: HashMap::new(),
        constraints: vec![],
        tables: vec![],
        fixed: vec![],
        advice: vec![],
        inputs,
    };
    builder.free();
    for _ in 0..builder.rng.gen_range(0..=5) {
        match builder.rng.gen_range(0..5) {
            0 => builder.free(),
            1 | 2 => builder.gate(),
            _ => builder.lookup(),
        }
    }
    if builder.rng.gen_ratio(1, 10) {
        builder.gate_that_is_not_off();
    }
    builder.finish(k)
}

/// A small number, or rarely a large one: many cells are equal.
fn small(rng: &mut ChaCha20Rng) -> Fr {
    if rng.gen_ratio(1, 8) {
        Fr::random(rng)
    } else {
        Fr::from(rng.gen_range(0..4))
    }
}

/// 0 and a few more, each by one of its two names.
fn rotations(rng: &mut ChaCha20Rng, rows: usize, usable: usize) -> Vec<i32> {
    let mut others = vec![1, 2, rows - 1, rows - 2, usable, rows - usable, rows / 2];
    others.sort_unstable();
    others.dedup();
    others.shuffle(rng);
    others.truncate(rng.gen_range(0..=3));
    let name = |rotation: usize| match rng.gen_ratio(1, 2) {
        true => rotation as i32,
        false => rotation as i32 - rows as i32,
    };
    [0].into_iter().chain(others.into_iter().map(name)).collect()
}

impl Builder {
    fn node(&mut self, node: Node) -> usize {
        let next = self.nodes.len();
        let number = *self.numbers.entry(node).or_insert(next);
        if number == next {
            self.nodes.push(node);
        }
        number
    }

    fn constant(&mut self, number: Fr) -> usize {
        self.node(Node::Constant(scalar(&number)))
    }

    fn sum(&mut self, left: usize, right: usize) -> usize {
        self.node(Node::Sum(left, right))
    }

    fn product(&mut self, left: usize, right: usize) -> usize {
        self.node(Node::Product(left, right))
    }

    fn difference(&mut self, left: usize, right: usize) -> usize {
        let minus = self.constant(-Fr::ONE);
        let right = self.product(minus, right);
        self.sum(left, right)
    }

    fn rotation(&mut self) -> i32 {
        *self.rotations.choose(&mut self.rng).unwrap()
    }

    /// The cell of a column that is there already.
    fn cell(&mut self) -> usize {
        let rotation = self.rotation();
        let column = match self.rng.gen_range(0..8) {
            0 => Column::Inputs,
            1 | 2 if !self.fixed.is_empty() => {
                Column::Fixed(self.rng.gen_range(0..self.fixed.len()))
            }
            _ => Column::Advice(self.rng.gen_range(0..self.advice.len())),
        };
        self.node(Node::Cell { column, rotation })
    }

    /// An expression of at most this degree.
    fn expression(&mut self, degree: usize, depth: usize) -> usize {
        match self.rng.gen_range(0..6) {
            _ if degree == 0 => {
                let number = small(&mut self.rng);
                self.constant(number)
            }
            0 => self.expression(0, 0),
            1 | 2 if depth > 0 => {
                let parts = [degree, degree].map(|degree| self.expression(degree, depth - 1));
                self.sum(parts[0], parts[1])
            }
            3 | 4 if depth > 0 => {
                let left = self.rng.gen_range(0..=degree);
                let parts = [left, degree - left].map(|degree| self.expression(degree, depth - 1));
                self.product(parts[0], parts[1])
            }
            _ => self.cell(),
        }
    }

    fn row(&self, row: usize, rotation: i32) -> usize {
        (row as i64 + i64::from(rotation)).rem_euclid(self.rows as i64) as usize
    }

    /// The value of a node, or nothing if it reads what is random.
    fn value(&self, node: usize, row: usize) -> Option<Fr> {
        Some(match self.nodes[node] {
            Node::Constant(constant) => number(&constant),
            Node::Sum(left, right) => self.value(left, row)? + self.value(right, row)?,
            Node::Product(left, right) => self.value(left, row)? * self.value(right, row)?,
            Node::Cell { column, rotation } => {
                let row = self.row(row, rotation);
                match column {
                    Column::Fixed(index) => self.fixed[index][row],
                    Column::Inputs => self.inputs.get(row).copied().unwrap_or(Fr::ZERO),
                    Column::Advice(_) if row >= self.usable => return None,
                    Column::Advice(index) => self.advice[index][row],
                }
            }
        })
    }

    fn column(&mut self) -> Numbers {
        (0..self.rows).map(|_| small(&mut self.rng)).collect()
    }

    fn free(&mut self) {
        let column = self.column();
        self.advice.push(column);
    }

    /// A fixed column of zeros.
    fn selector(&mut self) -> (usize, usize) {
        let index = self.fixed.len();
        self.fixed.push(vec![Fr::ZERO; self.rows]);
        (index, self.node(Node::Cell { column: Column::Fixed(index), rotation: 0 }))
    }

    /// A column that is one function of others, or one of two, where a selector says so.
    fn gate(&mut self) {
        let two = self.rng.gen_ratio(1, 3);
        let functions: Vec<usize> = (0..1 + usize::from(two))
            .map(|_| self.expression(if two { 2 } else { 4 }, 3))
            .collect();
        let (index, selector) = self.selector();
        let (column, rotation) = (self.advice.len(), self.rotation());
        let own = self.node(Node::Cell { column: Column::Advice(column), rotation });
        let constraint = functions.iter().fold(selector, |product, function| {
            let difference = self.difference(own, *function);
            self.product(product, difference)
        });
        self.constraints.push(constraint);
        let mut values = self.column();
        for row in 0..self.rows {
            let function = *functions.choose(&mut self.rng).unwrap();
            // What holds where either function says so needs both: their values are part of the constraint.
            let known = functions.iter().all(|function| self.value(*function, row).is_some());
            let target = self.row(row, rotation);
            if known && target < self.usable && self.rng.gen_ratio(3, 4) {
                self.fixed[index][row] = small(&mut self.rng) + Fr::ONE;
                values[target] = self.value(function, row).unwrap();
            }
        }
        self.advice.push(values);
    }

    /// A gate on a random row, in which the cell is as the prover draws it.
    fn gate_that_is_not_off(&mut self) {
        let (index, selector) = self.selector();
        let column = Column::Advice(self.rng.gen_range(0..self.advice.len()));
        let own = self.node(Node::Cell { column, rotation: 0 });
        let constraint = self.product(selector, own);
        self.constraints.push(constraint);
        let row = self.rng.gen_range(self.usable..self.rows);
        self.fixed[index][row] = Fr::ONE;
    }

    /// A table of one or two expressions.
    fn table(&mut self) -> usize {
        let width = self.rng.gen_range(1..=2);
        let mut expressions = vec![];
        for _ in 0..width {
            let rotation = self.rotation();
            let advice = self.rng.gen_ratio(1, 3);
            let column = if advice {
                Column::Advice(self.rng.gen_range(0..self.advice.len()))
            } else {
                let column = self.column();
                self.fixed.push(column);
                Column::Fixed(self.fixed.len() - 1)
            };
            let mut expression = self.node(Node::Cell { column, rotation });
            if self.rng.gen_ratio(1, 4) {
                let more = self.expression(1, 1);
                expression = self.sum(expression, more);
            }
            expressions.push(expression);
        }
        self.tables.push(Table { expressions, inputs: vec![] });
        self.tables.len() - 1
    }

    /// A tuple of new columns that is looked up in a table.
    fn lookup(&mut self) {
        let make = self.tables.is_empty() || (self.tables.len() < 3 && self.rng.gen_ratio(1, 2));
        let table = if make { self.table() } else { self.rng.gen_range(0..self.tables.len()) };
        let expressions = self.tables[table].expressions.clone();
        let tuples: Vec<Numbers> = (0..self.usable)
            .filter_map(|row| expressions.iter().map(|node| self.value(*node, row)).collect())
            .collect();
        // If all rows of the table read what is random, what is looked up is not in it.
        let none = vec![Fr::ZERO; expressions.len()];
        let default = tuples.choose(&mut self.rng).unwrap_or(&none).clone();
        let asked: Vec<Numbers> =
            (0..self.rows).map(|_| tuples.choose(&mut self.rng).unwrap_or(&none).clone()).collect();
        let input = match self.rng.gen_range(0..3) {
            0 => self.plain(&asked),
            1 => self.products(&asked),
            _ => self.selected(&asked, &default),
        };
        self.tables[table].inputs.push(input);
    }

    fn plain(&mut self, asked: &[Numbers]) -> Vec<usize> {
        let mut nodes = vec![];
        for place in 0..asked[0].len() {
            let column = Column::Advice(self.advice.len());
            self.advice.push(asked.iter().map(|tuple| tuple[place]).collect());
            nodes.push(self.node(Node::Cell { column, rotation: 0 }));
        }
        nodes
    }

    fn products(&mut self, asked: &[Numbers]) -> Vec<usize> {
        let factors: Numbers = (0..self.rows).map(|_| Fr::random(&mut self.rng)).collect();
        let column = Column::Advice(self.advice.len());
        let factor = self.node(Node::Cell { column, rotation: 0 });
        let shares = asked.iter().zip(&factors).map(|(tuple, factor)| {
            let inverse = factor.invert().unwrap();
            tuple.iter().map(|number| *number * inverse).collect()
        });
        let shares: Vec<Numbers> = shares.collect();
        self.advice.push(factors);
        let cells = self.plain(&shares);
        cells.into_iter().map(|cell| self.product(factor, cell)).collect()
    }

    /// Cells of another row where a selector says so, and else a tuple that the table has.
    fn selected(&mut self, asked: &[Numbers], default: &[Fr]) -> Vec<usize> {
        let rotation = self.rotation();
        let (index, selector) = self.selector();
        let mut columns = vec![self.column(); asked[0].len()];
        for (row, tuple) in asked.iter().enumerate() {
            let target = self.row(row, rotation);
            if target < self.usable && self.rng.gen_ratio(1, 2) {
                self.fixed[index][row] = Fr::ONE;
                columns.iter_mut().zip(tuple).for_each(|(column, number)| column[target] = *number);
            }
        }
        let mut nodes = vec![];
        for (values, default) in columns.into_iter().zip(default) {
            let column = Column::Advice(self.advice.len());
            self.advice.push(values);
            let own = self.node(Node::Cell { column, rotation });
            let default = self.constant(*default);
            let difference = self.difference(own, default);
            let product = self.product(selector, difference);
            nodes.push(self.sum(product, default));
        }
        nodes
    }

    /// Columns that nothing reads are copied, or multiplied by 0.
    fn finish(mut self, k: u32) -> Sample {
        let fixed = (0..self.fixed.len()).map(Column::Fixed);
        let mut columns: Vec<Column> =
            fixed.chain((0..self.advice.len()).map(Column::Advice)).collect();
        let all = columns.clone();
        columns.push(Column::Inputs);
        columns.shuffle(&mut self.rng);
        let least = usize::from(self.tables.is_empty());
        columns.truncate(self.rng.gen_range(least..=10));
        for column in all {
            let read = |node: &Node| matches!(node, Node::Cell { column: it, .. } if *it == column);
            if !columns.contains(&column) && !self.nodes.iter().any(read) {
                let cell = self.node(Node::Cell { column, rotation: 0 });
                let zero = self.constant(Fr::ZERO);
                let constraint = self.product(zero, cell);
                self.constraints.push(constraint);
            }
        }
        let parts = ProtocolParts {
            k,
            usable: self.usable,
            fixed: self.fixed.len(),
            advice: self.advice.len(),
            inputs: self.inputs.len(),
            nodes: self.nodes,
            constraints: self.constraints,
            tables: self.tables,
            copied: columns,
        };
        let protocol = Protocol::new(parts).unwrap();
        let (fixed, advice, inputs) = (self.fixed, self.advice, self.inputs);
        let next = Sample::no_copies(&protocol);
        let mut sample = Sample { protocol, fixed, next, advice, inputs };
        copies(&mut sample, &mut self.rng);
        sample
    }
}

/// Joins some of the cells that are equal.
fn copies(sample: &mut Sample, rng: &mut ChaCha20Rng) {
    let mut equal: BTreeMap<[u8; 32], Vec<Cell>> = BTreeMap::new();
    for (place, column) in sample.protocol.copied().iter().enumerate() {
        for row in 0..sample.protocol.usable() {
            let value = match *column {
                Column::Fixed(index) => sample.fixed[index][row],
                Column::Advice(index) => sample.advice[index][row],
                Column::Inputs => sample.inputs.get(row).copied().unwrap_or(Fr::ZERO),
            };
            equal.entry(value.to_repr()).or_default().push((place, row));
        }
    }
    for mut cells in equal.into_values() {
        cells.shuffle(rng);
        for pair in cells.windows(2) {
            // A cycle grows, or the next one begins.
            if rng.gen_ratio(2, 3) {
                sample.copy(pair[0], pair[1]);
            }
        }
    }
}
