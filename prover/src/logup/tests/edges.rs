//! The smallest circuits, and those that lack what others have.

use halo2_base::halo2_proofs::halo2curves::{bn256::Fr, ff::Field};
use muster_verifier::{Column, Node, Protocol, ProtocolParts, Table};
use Column::{Advice, Fixed, Inputs};

use super::{
    every::cell,
    judge::judge,
    lookups::number,
    sample::{Cell, Keys, Sample},
};
use crate::{logup::blinded::scalar, polynomial::Numbers};

/// Four rows, two of them usable, and nothing else.
fn nothing() -> ProtocolParts {
    ProtocolParts {
        k: 2,
        usable: 2,
        fixed: 0,
        advice: 0,
        inputs: 0,
        nodes: vec![],
        constraints: vec![],
        tables: vec![],
        copied: vec![],
    }
}

fn sample(parts: ProtocolParts, advice: Vec<Numbers>, copies: &[(Cell, Cell)]) -> Sample {
    let protocol = Protocol::new(parts).unwrap();
    let fixed = vec![vec![Fr::ZERO; protocol.rows()]; protocol.fixed()];
    let inputs = (0..protocol.inputs() as u64).map(number).collect();
    let next = Sample::no_copies(&protocol);
    let mut sample = Sample { protocol, fixed, next, advice, inputs };
    copies.iter().for_each(|(one, two)| sample.copy(*one, *two));
    sample
}

/// Whether judge and verifier accept it, who agree.
fn is_good(sample: &Sample) -> bool {
    let keys = Keys::of(sample);
    let (verdict, proved) = (judge(sample), keys.verify(sample, &keys.prove(sample, 1)));
    assert_eq!(verdict.is_ok(), proved.is_ok(), "{verdict:?}, {proved:?}");
    proved.is_ok()
}

#[test]
fn copies_without_advice() {
    let parts = ProtocolParts { usable: 1, inputs: 1, copied: vec![Inputs], ..nothing() };
    assert!(is_good(&sample(parts, vec![], &[])));
    // A fixed column of zeros has the identity as its commitment.
    let parts = ProtocolParts { fixed: 1, inputs: 2, copied: vec![Inputs, Fixed(0)], ..nothing() };
    let mut sample = sample(parts, vec![], &[((0, 0), (1, 1)), ((1, 1), (1, 0))]);
    assert!(is_good(&sample));
    sample.inputs[0] = Fr::ONE;
    assert!(!is_good(&sample));
}

#[test]
fn one_column_is_a_chunk() {
    let parts = ProtocolParts { advice: 1, copied: vec![Advice(0)], ..nothing() };
    let mut sample = sample(parts, vec![vec![number(5); 4]], &[((0, 0), (0, 1))]);
    assert!(is_good(&sample));
    sample.advice[0][1] = number(6);
    assert!(!is_good(&sample));
}

fn table(expression: usize, input: usize) -> Vec<Table> {
    vec![Table { expressions: vec![expression], inputs: vec![vec![input]] }]
}

#[test]
fn tables_and_inputs_may_be_constants() {
    let nodes = vec![Node::Constant(scalar(&number(5))), cell(Advice(0), 0)];
    let parts = |tables| ProtocolParts { advice: 1, nodes: nodes.clone(), tables, ..nothing() };
    let mut asked = sample(parts(table(0, 1)), vec![vec![number(5); 4]], &[]);
    assert!(is_good(&asked));
    asked.advice[0][0] = number(6);
    assert!(!is_good(&asked));
    let mut owner = sample(parts(table(1, 0)), vec![vec![number(6), number(5)]], &[]);
    owner.advice[0].resize(4, Fr::ZERO);
    assert!(is_good(&owner));
    owner.advice[0][1] = number(6);
    assert!(!is_good(&owner));
    let own = ProtocolParts {
        advice: 1,
        nodes: vec![cell(Advice(0), 0)],
        tables: table(0, 0),
        ..nothing()
    };
    assert!(is_good(&sample(own, vec![vec![number(3); 4]], &[])));
}

/// The same lookup twice, and one table twice: each is counted for itself.
#[test]
fn what_is_there_twice_counts_twice() {
    let table = |inputs: usize| Table { expressions: vec![0, 1], inputs: vec![vec![2, 3]; inputs] };
    let parts = ProtocolParts {
        k: 3,
        usable: 4,
        advice: 4,
        nodes: (0..4).map(|column| cell(Advice(column), 0)).collect(),
        tables: vec![table(3), table(1), table(2)],
        ..nothing()
    };
    let column = |from: u64| (0..8).map(|row| number(from + row % 4)).collect::<Numbers>();
    let advice = vec![column(0), column(10), column(0), column(10)];
    let mut sample = sample(parts, advice, &[]);
    assert!(is_good(&sample));
    // Both numbers are in the table, and not in one row.
    sample.advice[3].swap(0, 1);
    assert!(!is_good(&sample));
}

/// All rows of a column are opened, under either name.
#[test]
fn a_column_may_be_opened_at_every_row() {
    for names in [[0, 1, 2, 3, 4, 5, 6, 7], [0, -7, 2, -5, -4, 5, -2, -1]] {
        let mut nodes: Vec<Node> = names.iter().map(|name| cell(Advice(0), *name)).collect();
        nodes.push(cell(Fixed(0), 0));
        let mut sum = 0;
        for part in 1..8 {
            nodes.push(Node::Sum(sum, part));
            sum = nodes.len() - 1;
        }
        nodes.push(Node::Product(8, sum));
        let parts = ProtocolParts {
            k: 3,
            usable: 6,
            fixed: 1,
            advice: 1,
            inputs: 6,
            constraints: vec![nodes.len() - 1],
            nodes,
            copied: vec![Inputs],
            ..nothing()
        };
        let mut sample = sample(parts, vec![vec![number(1); 8]], &[]);
        assert!(is_good(&sample), "the gate is off");
        sample.fixed[0][3] = Fr::ONE;
        assert!(!is_good(&sample), "random rows do not cancel");
    }
}
