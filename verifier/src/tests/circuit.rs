//! Circuits of nobody that obey every rule.

use crate::{tests::sample::cell, Column, Node, ProtocolParts, Scalar, Table};

/// Numbers that look random, always the same for a seed: splitmix64.
pub(crate) struct Draws(pub(crate) u64);

impl Draws {
    /// A number below `end`, which is not 0.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((word ^ (word >> 31)) % end as u64) as usize
    }

    fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
}

/// Nodes with their degrees.
struct Nodes {
    nodes: Vec<Node>,
    degrees: Vec<usize>,
}

impl Nodes {
    fn push(&mut self, node: Node, degree: usize) {
        self.nodes.push(node);
        self.degrees.push(degree);
    }

    /// The numbers of those up to a degree.
    fn up_to(&self, degree: usize) -> Vec<usize> {
        (0..self.nodes.len()).filter(|&node| self.degrees[node] <= degree).collect()
    }

    fn extend(&mut self, draws: &mut Draws, count: usize) {
        for _ in 0..count {
            let (left, right) = (draws.below(self.nodes.len()), draws.below(self.nodes.len()));
            let (one, two) = (self.degrees[left], self.degrees[right]);
            if draws.below(2) == 0 && one + two <= 5 {
                self.push(Node::Product(left, right), one + two);
            } else {
                self.push(Node::Sum(left, right), one.max(two));
            }
        }
    }
}

/// A circuit of a few columns, with up to three tables and up to three chunks of copies.
pub(crate) fn circuit(draws: &mut Draws) -> ProtocolParts {
    let k = 3 + draws.below(3) as u32;
    let usable = 1 + draws.below((1 << k) - 2);
    let (fixed, advice) = (draws.below(4), 1 + draws.below(6));
    let inputs = draws.below(usable.min(4) + 1);
    let mut columns: Vec<Column> = (0..fixed).map(Column::Fixed).collect();
    columns.extend((0..advice).map(Column::Advice));
    columns.push(Column::Inputs);

    let nodes = nodes(draws, &columns);
    let tables = tables(draws, &nodes);
    let mut copied = vec![];
    for _ in 0..draws.below(columns.len() + 1) {
        copied.push(columns.swap_remove(draws.below(columns.len())));
    }
    if tables.is_empty() && copied.is_empty() {
        copied.push(columns[0]);
    }
    let constraints = constraints(draws, &nodes.nodes);
    let nodes = nodes.nodes;
    ProtocolParts { k, usable, fixed, advice, inputs, nodes, constraints, tables, copied }
}

/// Constants, cells of all columns, and what is computed of them.
fn nodes(draws: &mut Draws, columns: &[Column]) -> Nodes {
    let mut nodes = Nodes { nodes: vec![], degrees: vec![] };
    for number in [0, 1, 2] {
        nodes.push(Node::Constant(Scalar::from(number)), 0);
    }
    nodes.push(Node::Constant(-Scalar::from(1)), 0);
    for &column in columns {
        nodes.push(cell(column, 0), 1);
        for _ in 0..draws.below(3) {
            // Fewer than half the rows in either direction, so that no two are equal.
            nodes.push(cell(column, draws.below(7) as i32 - 3), 1);
        }
    }
    let count = draws.below(24);
    nodes.extend(draws, count);
    nodes
}

fn tables(draws: &mut Draws, nodes: &Nodes) -> Vec<Table> {
    let tables = (0..draws.below(4)).map(|_| {
        let width = 1 + draws.below(3);
        let mut tuple =
            |degree| -> Vec<usize> { (0..width).map(|_| draws.of(&nodes.up_to(degree))).collect() };
        let expressions = tuple(1);
        let mut inputs: Vec<_> = (0..5).map(|_| tuple(2)).collect();
        inputs.truncate(1 + draws.below(5));
        Table { expressions, inputs }
    });
    tables.collect()
}

/// All nodes that no other uses, some that others do, and some of them twice: one use more or less decides what becomes
/// a row.
fn constraints(draws: &mut Draws, nodes: &[Node]) -> Vec<usize> {
    let used = |node: usize| {
        nodes.iter().any(|it| match *it {
            Node::Sum(left, right) | Node::Product(left, right) => left == node || right == node,
            _ => false,
        })
    };
    let mut constraints: Vec<usize> = (0..nodes.len()).collect();
    constraints.retain(|&node| !used(node) || draws.below(3) == 0);
    for _ in 0..draws.below(4) {
        constraints.push(draws.below(nodes.len()));
    }
    constraints
}
