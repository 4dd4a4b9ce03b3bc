//! What verifiers read of a circuit is what its expressions say: at cells that hold any numbers both have the same values.

use std::collections::{BTreeSet, HashMap};

use halo2_base::halo2_proofs::{
    halo2curves::{bn256::Fr, ff::Field},
    plonk::{Any, Expression},
};
use muster_circuits::{Request, Scheme, Shape};
use muster_verifier::{Column, Node};
use rand_chacha::ChaCha20Rng;

use super::sample::rng;
use crate::logup::{blinded::number, Reading};

/// The numbers of cells, by the circuit's columns and by rotation.
struct Cells {
    numbers: HashMap<(u8, usize, i32), Fr>,
    rng: ChaCha20Rng,
}

const FIXED: u8 = 0;
const ADVICE: u8 = 1;
const INPUTS: u8 = 2;

impl Cells {
    fn cell(&mut self, kind: u8, column: usize, rotation: i32) -> Fr {
        *self.numbers.entry((kind, column, rotation)).or_insert_with(|| Fr::random(&mut self.rng))
    }

    /// An expression as it is written.
    fn plain(&mut self, expression: &Expression<Fr>) -> Fr {
        match expression {
            Expression::Constant(number) => *number,
            Expression::Fixed(query) => self.cell(FIXED, query.column_index(), query.rotation().0),
            Expression::Advice(query) => {
                self.cell(ADVICE, query.column_index(), query.rotation().0)
            }
            Expression::Instance(query) => {
                self.cell(INPUTS, query.column_index(), query.rotation().0)
            }
            Expression::Negated(part) => -self.plain(part),
            Expression::Sum(left, right) => self.plain(left) + self.plain(right),
            Expression::Product(left, right) => self.plain(left) * self.plain(right),
            Expression::Scaled(part, factor) => self.plain(part) * factor,
            Expression::Selector(_) | Expression::Challenge(_) => {
                unreachable!("circuits have none")
            }
        }
    }

    fn all(&mut self, expressions: &[Expression<Fr>]) -> Vec<Fr> {
        expressions.iter().map(|expression| self.plain(expression)).collect()
    }

    /// All nodes of what was read.
    fn nodes(&mut self, reading: &Reading) -> Vec<Fr> {
        let mut values: Vec<Fr> = vec![];
        for node in reading.protocol.nodes() {
            values.push(match *node {
                Node::Constant(scalar) => number(&scalar),
                Node::Cell { column, rotation } => {
                    let (kind, column) = place(reading, column);
                    self.cell(kind, column, rotation)
                }
                Node::Sum(left, right) => values[left] + values[right],
                Node::Product(left, right) => values[left] * values[right],
            });
        }
        values
    }
}

/// The circuit's column.
fn place(reading: &Reading, column: Column) -> (u8, usize) {
    match column {
        Column::Fixed(index) => (FIXED, reading.fixed[index]),
        Column::Advice(index) => (ADVICE, reading.advice[index]),
        Column::Inputs => (INPUTS, 0),
    }
}

#[test]
fn a_protocol_says_what_its_circuit_says() {
    for scheme in [Scheme::Schnorr, Scheme::EcdsaSecp256k1, Scheme::Ed25519, Scheme::BlsBls12381] {
        let shape = Shape::fit(&Request::new(scheme, 2, 1)).unwrap();
        let cs = shape.layout.constraints();
        let reading = Reading::of(&cs, shape.degree(), shape.public_inputs()).unwrap();
        let protocol = &reading.protocol;
        let mut cells = Cells { numbers: HashMap::new(), rng: rng(7) };
        let nodes = cells.nodes(&reading);
        let values = |roots: &[usize]| roots.iter().map(|root| nodes[*root]).collect::<Vec<Fr>>();

        let gates = cs.gates().iter().flat_map(|gate| gate.polynomials());
        let gates: Vec<Fr> = gates.map(|gate| cells.plain(gate)).collect();
        assert!(gates == values(protocol.constraints()), "{scheme}");

        let asked = cs.lookups().iter().map(|lookup| {
            (cells.all(lookup.table_expressions()), cells.all(lookup.input_expressions()))
        });
        let asked: BTreeSet<_> = asked.collect();
        let read = protocol.tables().iter().flat_map(|table| {
            let inputs = table.inputs.iter();
            inputs.map(|input| (values(&table.expressions), values(input)))
        });
        assert!(asked == read.collect(), "{scheme}");

        let copied = cs.permutation().get_columns().into_iter().map(|column| {
            let kind = match column.column_type() {
                Any::Fixed => FIXED,
                Any::Advice(_) => ADVICE,
                Any::Instance => INPUTS,
            };
            (kind, column.index())
        });
        assert!(copied.eq(protocol.copied().iter().map(|column| place(&reading, *column))));
        assert!(!gates.is_empty() && !asked.is_empty(), "{scheme}");
    }
}
