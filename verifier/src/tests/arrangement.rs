//! What follows from keys of several shapes.

use super::sample::{cell, protocol};
use crate::{Column, Node, Polynomial, Protocol, ProtocolParts, Table, Term};

/// A protocol of one fixed column, which is the table of all inputs, by their weights.
fn lookups(tables: &[&[usize]]) -> Protocol {
    let tables = tables.iter().map(|weights| Table {
        expressions: vec![0],
        inputs: weights.iter().map(|&weight| vec![weight]).collect(),
    });
    // Node 0 is the table, node 1 has degree 1, node 2 has degree 2, node 3 degree 0.
    let nodes = vec![
        cell(Column::Fixed(0), 0),
        cell(Column::Advice(0), 0),
        Node::Product(0, 1),
        Node::Constant(7.into()),
        Node::Product(2, 3),
    ];
    let parts = ProtocolParts {
        k: 3,
        usable: 4,
        fixed: 1,
        advice: 1,
        inputs: 0,
        nodes,
        constraints: vec![4],
        tables: tables.collect(),
        copied: vec![],
    };
    Protocol::new(parts).expect("it obeys the rules")
}

fn input(table: usize, input: usize) -> Term {
    Term::Input { table, input }
}

#[test]
fn heavy_inputs_come_first() {
    let protocol = lookups(&[&[2, 2, 1, 1, 1]]);
    let arrangement = protocol.arrangement();
    assert_eq!(arrangement.sum(), Some(input(0, 0)));
    assert_eq!(
        arrangement.helpers(),
        [vec![input(0, 1), input(0, 2), input(0, 3)], vec![input(0, 4)]]
    );
    assert_eq!(arrangement.chunks(), 0);
}

#[test]
fn inputs_are_taken_in_order_of_weight_and_not_of_place() {
    let protocol = lookups(&[&[1, 2, 1, 2, 2, 2]]);
    let arrangement = protocol.arrangement();
    assert_eq!(arrangement.sum(), Some(input(0, 1)));
    let helpers = [vec![input(0, 3), input(0, 4)], vec![input(0, 5), input(0, 0), input(0, 2)]];
    assert_eq!(arrangement.helpers(), helpers);
}

#[test]
fn a_full_helper_is_not_gone_back_to() {
    // Weights 2, 2 fill one; 2 and 1 leave a place that the next 1 takes.
    let protocol = lookups(&[&[2, 2, 2, 2, 1], &[1, 1]]);
    let helpers = [
        vec![input(0, 1), input(0, 2)],
        vec![input(0, 3), input(0, 4), input(1, 0)],
        vec![input(1, 1), Term::Table(1)],
    ];
    assert_eq!(protocol.arrangement().helpers(), helpers);
}

#[test]
fn one_table_with_one_input_has_no_helper() {
    let protocol = lookups(&[&[1]]);
    let arrangement = protocol.arrangement();
    assert_eq!(arrangement.sum(), Some(input(0, 0)));
    assert!(arrangement.helpers().is_empty());
    // Advice, multiplicities, sum, four pieces, W, W′; their values, and that of the fixed column.
    assert_eq!(arrangement.proof_bytes(), 32 * (3 + 4 + 2) + 32 * (1 + 1 + 2 + 1));
}

#[test]
fn three_tables_leave_two_terms() {
    let protocol = lookups(&[&[1], &[3], &[2]]);
    let arrangement = protocol.arrangement();
    // A constant weighs 1.
    assert_eq!(arrangement.sum(), Some(input(2, 0)));
    let helpers = [vec![input(0, 0), input(1, 0), Term::Table(1), Term::Table(2)]];
    assert_eq!(arrangement.helpers(), helpers);
}

/// As many advice columns as are copied, and nothing else.
fn copies(count: usize) -> Protocol {
    let parts = ProtocolParts {
        k: 2,
        usable: 1,
        fixed: 0,
        advice: count,
        inputs: 0,
        nodes: vec![],
        constraints: vec![],
        tables: vec![],
        copied: (0..count).map(Column::Advice).collect(),
    };
    Protocol::new(parts).expect("it obeys the rules")
}

#[test]
fn four_copied_columns_are_a_chunk() {
    for (count, chunks) in [(1, 1), (4, 1), (5, 2), (8, 2), (9, 3)] {
        let protocol = copies(count);
        let arrangement = protocol.arrangement();
        assert_eq!(arrangement.chunks(), chunks);
        assert_eq!(arrangement.sum(), None);
        let opened: Vec<_> =
            arrangement.polynomials().iter().map(|opened| opened.polynomial).collect();
        let mut expected: Vec<_> = (0..count).map(Polynomial::Advice).collect();
        expected.push(Polynomial::Product);
        expected.extend((1..chunks).map(Polynomial::Difference));
        expected.extend((0..count).map(Polynomial::Sigma));
        expected.push(Polynomial::Quotient);
        assert_eq!(opened, expected);
        let (points, values) = (count + chunks + 6, count + 2 + (chunks - 1) + count);
        assert_eq!(arrangement.proof_bytes(), 32 * points + 32 * values);
    }
}

#[test]
fn rotations_are_those_of_nodes_and_0_if_copied() {
    let protocol = protocol();
    assert_eq!(protocol.rotations(Column::Advice(0)), [0, 1]);
    assert_eq!(protocol.rotations(Column::Advice(4)), [0]);
    assert_eq!(protocol.rotations(Column::Inputs), [-1, 0]);
    assert!(protocol.rotations(Column::Advice(5)).is_empty());

    let polynomials = protocol.arrangement().polynomials();
    let rotations: Vec<_> = polynomials.iter().map(|opened| opened.rotations.as_slice()).collect();
    let [one, two]: [&[i32]; 2] = [&[0], &[0, 1]];
    // Advice, multiplicities, helpers, sum, product, differences, fixed, sigma, quotient.
    let advice = [two, one, one, one, one];
    let expected =
        [&advice[..], &[one; 3], &[one; 2], &[two; 2], &[one; 2], &[one; 3], &[one; 9], &[one]];
    assert_eq!(rotations, expected.concat());
}
