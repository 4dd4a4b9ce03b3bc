//! A halo2 circuit's constraint system, as the data that verifiers read.

use std::collections::{BTreeSet, HashMap};

use halo2_base::halo2_proofs::{
    halo2curves::{bn256::Fr, ff::Field},
    plonk::{Any, Column as HaloColumn, ConstraintSystem, Expression},
};
use muster_verifier::{Column, Node, Protocol, ProtocolError, ProtocolParts, Table};

use super::blinded::scalar;

/// What a circuit has that the format has no room for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unsupported {
    /// Challenges of its own.
    #[error("it has challenges")]
    Challenges,
    /// A second phase.
    #[error("it has more than one phase")]
    Phases,
    /// More than one instance column.
    #[error("it has {0} instance columns: more than one")]
    InstanceColumns(usize),
    /// Fewer random rows than a proof shows values of a column, and one more for its commitment.
    #[error(
        "advice column {column} is opened at {rotations} rows, and {random} rows are random: too few to hide it"
    )]
    RandomRows {
        /// The column, as the circuit numbers it.
        column: usize,
        /// At how many rows it is opened.
        rotations: usize,
        /// How many rows are random.
        random: usize,
    },
    /// What the verifier's rules refuse.
    #[error(transparent)]
    Protocol(#[from] ProtocolError),
}

/// A protocol, and which columns of the circuit its columns are: those that nothing queries are left out.
#[derive(Clone, Debug)]
pub(crate) struct Reading {
    pub(crate) protocol: Protocol,
    pub(crate) fixed: Vec<usize>,
    pub(crate) advice: Vec<usize>,
    /// How many advice columns the circuit has.
    pub(crate) all_advice: usize,
}

impl Reading {
    /// Reads a circuit of `2^k` rows with so many public inputs. Selectors are fixed columns by now. An error is what the format does not
    /// have, such as gates of a degree above 5.
    pub(crate) fn of(
        cs: &ConstraintSystem<Fr>,
        k: u32,
        inputs: usize,
    ) -> Result<Self, Unsupported> {
        if cs.num_challenges() > 0 {
            return Err(Unsupported::Challenges);
        }
        if cs.advice_column_phase().iter().any(|phase| *phase > 0) {
            return Err(Unsupported::Phases);
        }
        if cs.num_instance_columns() > 1 {
            return Err(Unsupported::InstanceColumns(cs.num_instance_columns()));
        }
        let (fixed, advice) = queried(cs);
        let numbers = HashMap::new();
        let mut nodes = Nodes { nodes: vec![], numbers, fixed: &fixed, advice: &advice };
        let gates = cs.gates().iter().flat_map(|gate| gate.polynomials());
        let constraints: Vec<usize> = gates.map(|gate| nodes.expression(gate)).collect();
        let mut tables: Vec<Table> = vec![];
        for lookup in cs.lookups() {
            let expressions = nodes.expressions(lookup.table_expressions());
            let input = nodes.expressions(lookup.input_expressions());
            match tables.iter_mut().find(|table| table.expressions == expressions) {
                // The same value in the same table is asked for once.
                Some(table) if table.inputs.contains(&input) => {}
                Some(table) => table.inputs.push(input),
                None => tables.push(Table { expressions, inputs: vec![input] }),
            }
        }
        let copied = cs.permutation().get_columns();
        let copied = copied.iter().map(|column| nodes.column(*column)).collect();
        let rows = 1 << k;
        let parts = ProtocolParts {
            k,
            usable: rows - (cs.blinding_factors() + 1),
            fixed: fixed.len(),
            advice: advice.len(),
            inputs,
            nodes: nodes.nodes,
            constraints,
            tables,
            copied,
        };
        let protocol = Protocol::new(without_unused(parts))?;
        check_hidden(&protocol, &advice)?;
        Ok(Self { protocol, fixed, advice, all_advice: cs.num_advice_columns() })
    }
}

/// Whether an advice column has a random row for each value that a proof shows of it, and one for its commitment. Fewer would tell
/// something about the witness.
pub(super) fn check_hidden(protocol: &Protocol, advice: &[usize]) -> Result<(), Unsupported> {
    let random = protocol.rows() - protocol.usable();
    for (place, column) in advice.iter().enumerate() {
        let rotations = protocol.rotations(Column::Advice(place)).len();
        if random < rotations + 1 {
            return Err(Unsupported::RandomRows { column: *column, rotations, random });
        }
    }
    Ok(())
}

/// The fixed and the advice columns that are in an expression or copied, in ascending order.
fn queried(cs: &ConstraintSystem<Fr>) -> (Vec<usize>, Vec<usize>) {
    let fixed = cs.fixed_queries().iter().map(|(column, _)| column.index());
    let advice = cs.advice_queries().iter().map(|(column, _)| column.index());
    let (mut fixed, mut advice): (BTreeSet<_>, BTreeSet<_>) = (fixed.collect(), advice.collect());
    for column in cs.permutation().get_columns() {
        match column.column_type() {
            Any::Fixed => fixed.insert(column.index()),
            Any::Advice(_) => advice.insert(column.index()),
            Any::Instance => false,
        };
    }
    (fixed.into_iter().collect(), advice.into_iter().collect())
}

/// Nodes that share what is the same.
struct Nodes<'a> {
    nodes: Vec<Node>,
    numbers: HashMap<Node, usize>,
    /// For each column of the protocol, that of the circuit, in ascending order.
    fixed: &'a [usize],
    advice: &'a [usize],
}

impl Nodes<'_> {
    fn column(&self, column: HaloColumn<Any>) -> Column {
        match column.column_type() {
            Any::Fixed => self.fixed(column.index()),
            Any::Advice(_) => self.advice(column.index()),
            Any::Instance => Column::Inputs,
        }
    }

    fn fixed(&self, index: usize) -> Column {
        Column::Fixed(self.fixed.binary_search(&index).expect("it is queried"))
    }

    fn advice(&self, index: usize) -> Column {
        Column::Advice(self.advice.binary_search(&index).expect("it is queried"))
    }

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

    fn cell(&mut self, column: Column, rotation: i32) -> usize {
        self.node(Node::Cell { column, rotation })
    }

    fn is(&self, node: usize, number: Fr) -> bool {
        self.nodes[node] == Node::Constant(scalar(&number))
    }

    fn sum(&mut self, left: usize, right: usize) -> usize {
        if self.is(left, Fr::ZERO) {
            return right;
        }
        if self.is(right, Fr::ZERO) {
            return left;
        }
        match (self.nodes[left], self.nodes[right]) {
            (Node::Constant(a), Node::Constant(b)) => self.node(Node::Constant(a + b)),
            _ => self.node(Node::Sum(left.min(right), left.max(right))),
        }
    }

    fn product(&mut self, left: usize, right: usize) -> usize {
        if self.is(left, Fr::ONE) || self.is(right, Fr::ZERO) {
            return right;
        }
        if self.is(right, Fr::ONE) || self.is(left, Fr::ZERO) {
            return left;
        }
        match (self.nodes[left], self.nodes[right]) {
            (Node::Constant(a), Node::Constant(b)) => self.node(Node::Constant(a * b)),
            _ => self.node(Node::Product(left.min(right), left.max(right))),
        }
    }

    fn expressions(&mut self, expressions: &[Expression<Fr>]) -> Vec<usize> {
        expressions.iter().map(|expression| self.expression(expression)).collect()
    }

    fn expression(&mut self, expression: &Expression<Fr>) -> usize {
        match expression {
            Expression::Constant(number) => self.constant(*number),
            Expression::Selector(_) => unreachable!("keys have fixed columns in their place"),
            Expression::Challenge(_) => unreachable!("circuits with challenges are refused"),
            Expression::Fixed(query) => {
                self.cell(self.fixed(query.column_index()), query.rotation().0)
            }
            Expression::Advice(query) => {
                self.cell(self.advice(query.column_index()), query.rotation().0)
            }
            Expression::Instance(query) => self.cell(Column::Inputs, query.rotation().0),
            Expression::Negated(part) => {
                let (minus, part) = (self.constant(-Fr::ONE), self.expression(part));
                self.product(minus, part)
            }
            Expression::Sum(left, right) => {
                let (left, right) = (self.expression(left), self.expression(right));
                self.sum(left, right)
            }
            Expression::Product(left, right) => {
                let (left, right) = (self.expression(left), self.expression(right));
                self.product(left, right)
            }
            Expression::Scaled(part, factor) => {
                let (factor, part) = (self.constant(*factor), self.expression(part));
                self.product(factor, part)
            }
        }
    }
}

/// Leaves out the nodes that folding made superfluous.
fn without_unused(parts: ProtocolParts) -> ProtocolParts {
    let ProtocolParts { nodes, constraints, tables, .. } = &parts;
    let mut used = vec![false; nodes.len()];
    let of_tables = tables.iter().flat_map(|table| table.inputs.iter().chain([&table.expressions]));
    for root in constraints.iter().chain(of_tables.flatten()) {
        used[*root] = true;
    }
    for (number, node) in nodes.iter().enumerate().rev() {
        if let (true, Node::Sum(left, right) | Node::Product(left, right)) = (used[number], node) {
            (used[*left], used[*right]) = (true, true);
        }
    }
    let mut next = 0;
    let places: Vec<usize> = used.iter().map(|used| (next, next += usize::from(*used)).0).collect();
    let all = |roots: &[usize]| roots.iter().map(|root| places[*root]).collect::<Vec<_>>();
    let kept = nodes.iter().zip(&used).filter(|(_, used)| **used).map(|(node, _)| match *node {
        Node::Sum(left, right) => Node::Sum(places[left], places[right]),
        Node::Product(left, right) => Node::Product(places[left], places[right]),
        node => node,
    });
    let table = |table: &Table| Table {
        expressions: all(&table.expressions),
        inputs: table.inputs.iter().map(|input| all(input)).collect(),
    };
    let (nodes, constraints) = (kept.collect(), all(constraints));
    let tables = tables.iter().map(table).collect();
    ProtocolParts { nodes, constraints, tables, ..parts }
}
