use halo2curves::{bn256::Fr, ff::Field};
use proptest::{collection::vec, prelude::*};

use super::{Graph, Inputs, Term};
use crate::{
    tests::{backends, element},
    Backend,
};

const COLUMNS: usize = 4;
const PARAMETERS: usize = 3;

/// An expression as a proving system has it.
#[derive(Clone, Debug)]
enum Tree {
    Constant(Fr),
    Parameter(usize),
    Cell(usize, i32),
    Negated(Box<Tree>),
    Sum(Box<Tree>, Box<Tree>),
    Product(Box<Tree>, Box<Tree>),
    Scaled(Box<Tree>, Fr),
}

/// What expressions are evaluated on.
#[derive(Clone, Debug)]
struct Table {
    columns: Vec<Vec<Fr>>,
    parameters: Vec<Fr>,
}

impl Tree {
    /// The definition.
    fn plain(&self, table: &Table, row: usize) -> Fr {
        match self {
            Self::Constant(number) => *number,
            Self::Parameter(index) => table.parameters[*index],
            Self::Cell(column, rotation) => {
                let column = &table.columns[*column];
                let row = row as i64 + i64::from(*rotation);
                column[row.rem_euclid(column.len() as i64) as usize]
            }
            Self::Negated(tree) => -tree.plain(table, row),
            Self::Sum(left, right) => left.plain(table, row) + right.plain(table, row),
            Self::Product(left, right) => left.plain(table, row) * right.plain(table, row),
            Self::Scaled(tree, factor) => tree.plain(table, row) * factor,
        }
    }

    fn term(&self, graph: &mut Graph) -> Term {
        match self {
            Self::Constant(number) => graph.constant(*number),
            Self::Parameter(index) => graph.parameter(*index),
            Self::Cell(column, rotation) => graph.cell(*column, *rotation),
            Self::Negated(tree) => {
                let term = tree.term(graph);
                graph.negate(term)
            }
            Self::Sum(left, right) => {
                let (left, right) = (left.term(graph), right.term(graph));
                graph.add(left, right)
            }
            Self::Product(left, right) => {
                let (left, right) = (left.term(graph), right.term(graph));
                graph.mul(left, right)
            }
            Self::Scaled(tree, factor) => {
                let (term, factor) = (tree.term(graph), graph.constant(*factor));
                graph.mul(term, factor)
            }
        }
    }
}

fn sum(left: Tree, right: Tree) -> Tree {
    Tree::Sum(Box::new(left), Box::new(right))
}

fn product(left: Tree, right: Tree) -> Tree {
    Tree::Product(Box::new(left), Box::new(right))
}

fn negated(tree: Tree) -> Tree {
    Tree::Negated(Box::new(tree))
}

fn cell(column: usize) -> Tree {
    Tree::Cell(column, 0)
}

fn tree() -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![
        1 => element().prop_map(Tree::Constant),
        1 => (0..PARAMETERS).prop_map(Tree::Parameter),
        // Often the same cells, so that expressions have something in common.
        4 => (0..COLUMNS, -1..2).prop_map(|(column, rotation)| Tree::Cell(column, rotation)),
        1 => (0..COLUMNS, -300..300).prop_map(|(column, rotation)| Tree::Cell(column, rotation)),
    ];
    leaf.prop_recursive(8, 120, 2, |inner| {
        prop_oneof![
            1 => inner.clone().prop_map(negated),
            4 => (inner.clone(), inner.clone()).prop_map(|(left, right)| sum(left, right)),
            1 => (inner.clone(), inner.clone()).prop_map(|(left, right)| sum(left, negated(right))),
            4 => (inner.clone(), inner.clone()).prop_map(|(left, right)| product(left, right)),
            1 => (inner, element()).prop_map(|(tree, by)| Tree::Scaled(Box::new(tree), by)),
        ]
    })
}

fn table() -> impl Strategy<Value = Table> {
    let rows = prop_oneof![1usize..80, Just(128), Just(1 << 9), Just(530)];
    // A few elements, again and again: long columns are made fast, and edges meet.
    (rows, vec(element(), 3 * COLUMNS), vec(element(), PARAMETERS)).prop_map(
        |(rows, elements, parameters)| {
            let mix = |column: usize, row: usize| {
                let element = elements[(column * 5 + row * row) % elements.len()];
                if row.is_multiple_of(3) {
                    element * Fr::from(row as u64)
                } else {
                    element
                }
            };
            let columns =
                (0..COLUMNS).map(|column| (0..rows).map(|row| mix(column, row)).collect());
            Table { columns: columns.collect(), parameters }
        },
    )
}

/// Compares results of the terms that stand for trees with those of the trees, on all back ends, and holds
/// the program to its bounds.
fn check(graph: &Graph, terms: &[Term], trees: &[Tree], table: &Table) {
    let program = graph.compile(terms);
    let columns: Vec<&[Fr]> = table.columns.iter().map(Vec::as_slice).collect();
    let rows = columns[0].len();
    let inputs = Inputs { rows, columns: &columns, parameters: &table.parameters };
    let plain = |tree: &Tree| (0..rows).map(|row| tree.plain(table, row)).collect::<Vec<_>>();
    let expected: Vec<Vec<Fr>> = trees.iter().map(plain).collect();
    for backend in backends() {
        assert_eq!(program.evaluate(backend, inputs), expected, "{backend:?}");
    }
    program.evaluate(Backend::counted(), inputs);
}

fn check_trees(trees: &[Tree], table: &Table) {
    let mut graph = Graph::new();
    let terms: Vec<Term> = trees.iter().map(|tree| tree.term(&mut graph)).collect();
    check(&graph, &terms, trees, table);
}

fn small_table(rows: u64) -> Table {
    let column = |column: u64| (0..rows).map(|row| Fr::from(7 * row + column).square()).collect();
    let columns = (0..COLUMNS as u64).map(column).collect();
    Table { columns, parameters: vec![Fr::from(3), -Fr::ONE, Fr::ZERO] }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn programs_are_their_expressions(trees in vec(tree(), 1..4), table in table()) {
        check_trees(&trees, &table);
    }

    /// Weighted sums of gates: a selector times something, twice with the same selector.
    #[test]
    fn factors_in_common_change_nothing(
        trees in vec((0..3usize, tree()), 1..8),
        table in table(),
    ) {
        let gates: Vec<Tree> =
            trees.into_iter().map(|(selector, tree)| product(cell(selector), tree)).collect();
        let mut graph = Graph::new();
        let terms: Vec<_> = gates.iter().map(|gate| gate.term(&mut graph)).collect();
        let weighted: Vec<_> = terms
            .into_iter()
            .enumerate()
            .map(|(place, term)| (graph.parameter(place % PARAMETERS), term))
            .collect();
        let combined = graph.combine(&weighted);
        let expected = gates
            .into_iter()
            .enumerate()
            .map(|(place, gate)| product(Tree::Parameter(place % PARAMETERS), gate))
            .reduce(sum);
        check(&graph, &[combined], &[expected.expect("there is one")], &table);
    }
}

/// Every rotation around the first and the last row, for numbers of rows with and without octets.
#[test]
fn rotations_around_the_end() {
    for rows in [1, 2, 7, 8, 9, 33, 64] {
        let table = small_table(rows);
        let rows = rows as i32;
        let trees: Vec<Tree> =
            (-2 * rows - 1..=2 * rows + 1).map(|rotation| Tree::Cell(1, rotation)).collect();
        check_trees(&trees, &table);
    }
}

#[test]
fn rows_of_several_chunks() {
    let tree = sum(product(cell(0), Tree::Cell(1, -1)), Tree::Cell(2, 1_000_003));
    check_trees(&[tree], &small_table(super::program::CHUNK as u64 * 2 + 13));
}

/// Sums that must be reduced on the way, and sums of more products than are reduced at once.
#[test]
fn long_sums() {
    let table = small_table(20);
    for length in [2, 5, 6, 8, 9, 40, 200] {
        let of =
            |part: &dyn Fn(usize) -> Tree| (0..length).map(part).reduce(sum).expect("not empty");
        let rotated = |i: usize| Tree::Cell(i % COLUMNS, i as i32);
        let cells = of(&rotated);
        let products = of(&|i| product(rotated(i), rotated(i + 1)));
        let mixed = of(&|i| match i % 4 {
            0 => rotated(i),
            1 => negated(rotated(i)),
            2 => negated(product(rotated(i), rotated(2 * i))),
            _ => product(rotated(i), Tree::Parameter(i % PARAMETERS)),
        });
        let powers = (0..length).map(rotated).reduce(product).expect("not empty");
        let of_sums = product(cells.clone(), cells.clone());
        let less = sum(negated(of_sums.clone()), negated(products.clone()));
        check_trees(&[cells, products, mixed, powers, of_sums, less], &table);
    }
}

#[test]
fn numbers_alone() {
    let number = Tree::Constant(Fr::from(5));
    let parameters = sum(product(Tree::Parameter(0), Tree::Parameter(1)), number.clone());
    let zero = sum(cell(0), negated(cell(0)));
    let trees = [number, parameters.clone(), negated(parameters), zero, cell(1)];
    check_trees(&trees, &small_table(11));
}

/// What is asked for twice is computed once.
#[test]
fn common_parts_are_one_term() {
    let mut graph = Graph::new();
    let (a, b) = (graph.cell(0, 0), graph.cell(1, 1));
    assert_eq!(graph.mul(a, b), graph.mul(b, a));
    assert_eq!(graph.add(a, b), graph.add(b, a));
    let negated = graph.negate(b);
    assert_eq!(graph.add(a, negated), graph.sub(a, b));
    assert_eq!(graph.sub(a, negated), graph.add(a, b));
    assert_eq!(graph.negate(negated), b);
    let zero = graph.constant(Fr::ZERO);
    assert_eq!(graph.sub(a, a), zero);
    assert_eq!(graph.mul(a, zero), zero);
    let (one, minus) = (graph.constant(Fr::ONE), graph.constant(-Fr::ONE));
    assert_eq!(graph.mul(one, b), b);
    assert_eq!(graph.mul(minus, b), negated);

    let square = graph.mul(a, a);
    let program = graph.compile(&[square, square]);
    // One load, one product, two results.
    assert_eq!(program.steps.len(), 4);
    assert_eq!(program.registers, 1);
}

/// A selector of many constraints multiplies once.
#[test]
fn a_selector_multiplies_once() {
    let mut graph = Graph::new();
    let selector = graph.cell(0, 0);
    let weighted: Vec<_> = (1..4)
        .map(|column| {
            let cell = graph.cell(column, 0);
            (graph.parameter(column - 1), graph.mul(selector, cell))
        })
        .collect();
    let combined = graph.combine(&weighted);
    let program = graph.compile(&[combined]);
    assert_eq!(program.pairs.len(), 4);
}

#[test]
fn no_rows_and_no_results() {
    let mut graph = Graph::new();
    let cell = graph.cell(0, 3);
    let inputs = Inputs { rows: 0, columns: &[&[]], parameters: &[] };
    assert_eq!(graph.compile(&[cell]).evaluate(Backend::best(), inputs), [vec![]]);
    assert!(graph.compile(&[]).evaluate(Backend::best(), inputs).is_empty());
}

#[test]
#[should_panic(expected = "all columns have the same number of rows")]
fn columns_are_equally_long() {
    let mut graph = Graph::new();
    let cell = graph.cell(0, 0);
    let short = [Fr::ONE; 3];
    let inputs = Inputs { rows: 4, columns: &[&short], parameters: &[] };
    graph.compile(&[cell]).evaluate(Backend::best(), inputs);
}
