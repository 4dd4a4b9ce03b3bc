//! Every rule of section 2 has a protocol that breaks it.

use super::sample::{cell, parts};
use crate::{Column, Node, Protocol, ProtocolError, ProtocolParts, Table};

/// The error of the sample after a change.
fn refused(change: impl FnOnce(&mut ProtocolParts)) -> ProtocolError {
    let mut parts = parts();
    change(&mut parts);
    Protocol::new(parts).expect_err("it breaks a rule")
}

#[test]
fn the_sample_is_accepted() {
    let protocol = Protocol::new(parts()).expect("it obeys the rules");
    assert_eq!((protocol.k(), protocol.rows(), protocol.usable()), (4, 16, 10));
    assert_eq!((protocol.fixed(), protocol.advice(), protocol.inputs()), (3, 5, 2));
    assert_eq!(protocol.nodes().len(), 21);
}

#[test]
fn rows_are_few_enough() {
    assert_eq!(refused(|parts| parts.k = 1), ProtocolError::Rows(1));
    assert_eq!(refused(|parts| parts.k = 27), ProtocolError::Rows(27));
    assert_eq!(refused(|parts| parts.k = u32::MAX), ProtocolError::Rows(u32::MAX));
    for usable in [0, 15, 16, usize::MAX] {
        let error = refused(|parts| parts.usable = usable);
        assert_eq!(error, ProtocolError::Usable { usable, rows: 16 });
    }
    let error = refused(|parts| (parts.k, parts.usable) = (26, 1));
    assert_eq!(error, ProtocolError::RandomRows((1 << 26) - 1));
    let error = refused(|parts| (parts.k, parts.usable) = (11, 1023));
    assert_eq!(error, ProtocolError::RandomRows(1025));
    let rotated = |rotations: i32| {
        refused(|parts| {
            parts.k = 11;
            parts.usable = 1024;
            for rotation in 10..10 + rotations {
                parts.constraints.push(parts.nodes.len());
                parts.nodes.push(Node::Cell { column: Column::Advice(0), rotation });
            }
        })
    };
    assert_eq!(rotated(257), ProtocolError::TooManyRotations(Column::Advice(0)));
    let mut allowed = parts();
    (allowed.k, allowed.usable) = (11, 1024);
    assert!(Protocol::new(allowed).is_ok());
    let error = refused(|parts| parts.inputs = 11);
    assert_eq!(error, ProtocolError::Inputs { inputs: 11, usable: 10 });
}

#[test]
fn nodes_are_of_earlier_ones() {
    assert_eq!(refused(|parts| parts.nodes[3] = Node::Sum(3, 1)), ProtocolError::NodeOrder(3));
    assert_eq!(refused(|parts| parts.nodes[3] = Node::Product(1, 4)), ProtocolError::NodeOrder(3));
    assert_eq!(refused(|parts| parts.constraints.push(21)), ProtocolError::NoSuchNode(21));
    let error = refused(|parts| parts.tables[1].inputs[0][1] = usize::MAX);
    assert_eq!(error, ProtocolError::NoSuchNode(usize::MAX));
    assert_eq!(refused(|parts| parts.tables[0].expressions[0] = 30), ProtocolError::NoSuchNode(30));
}

/// Rule 1.
#[test]
fn degrees_are_small() {
    let error = refused(|parts| {
        parts.nodes.extend([Node::Product(3, 8), Node::Product(21, 1)]);
        parts.constraints.extend([21, 22]);
    });
    assert_eq!(error, ProtocolError::ConstraintDegree(4));
    let mut five = parts();
    five.nodes.push(Node::Product(3, 8));
    five.constraints.push(21);
    assert!(Protocol::new(five).is_ok());
    assert_eq!(refused(|parts| parts.tables[2].inputs[0][0] = 8), ProtocolError::InputDegree(2));
    assert_eq!(refused(|parts| parts.tables[2].expressions[0] = 3), ProtocolError::TableDegree(2));
    // Squared 100 times.
    let error = refused(|parts| {
        parts.nodes.extend((20..120).map(|node| Node::Product(node, node)));
        parts.constraints.push(120);
    });
    assert_eq!(error, ProtocolError::ConstraintDegree(3));
}

#[test]
fn tables_are_not_empty() {
    let error =
        refused(|parts| parts.tables.push(Table { expressions: vec![], inputs: vec![vec![]] }));
    assert_eq!(error, ProtocolError::TableWidth(3));
    assert_eq!(refused(|parts| parts.tables[2].inputs.clear()), ProtocolError::TableInputs(2));
    assert_eq!(refused(|parts| parts.tables[1].inputs[0].push(1)), ProtocolError::InputWidth(1));
    assert_eq!(
        refused(|parts| parts.tables[1].inputs[1].truncate(1)),
        ProtocolError::InputWidth(1)
    );
}

/// Rules 2 and 4.
#[test]
fn columns_exist_and_are_used() {
    let error = refused(|parts| parts.nodes[0] = cell(Column::Fixed(3), 0));
    assert_eq!(error, ProtocolError::NoSuchColumn(Column::Fixed(3)));
    let error = refused(|parts| parts.nodes[1] = cell(Column::Advice(5), 0));
    assert_eq!(error, ProtocolError::NoSuchColumn(Column::Advice(5)));
    let error = refused(|parts| parts.copied.push(Column::Advice(9)));
    assert_eq!(error, ProtocolError::NoSuchColumn(Column::Advice(9)));
    let unused = |column| move |error| assert_eq!(error, ProtocolError::ColumnUnused(column));
    unused(Column::Advice(4))(refused(|parts| parts.copied.retain(|&it| it != Column::Advice(4))));
    unused(Column::Fixed(3))(refused(|parts| parts.fixed = 4));
    unused(Column::Advice(5))(refused(|parts| parts.advice = (1 << 14) - 6 - 9));
}

/// Rule 9, as far as it is seen before anything is made: what is too much ends the search, and is the error, whatever comes after it.
#[test]
fn what_is_too_much_is_refused_early() {
    // Three fixed columns, three tables, nine copied columns.
    let error = refused(|parts| parts.advice = (1 << 14) - 6 - 9 + 1);
    assert_eq!(error, ProtocolError::TooManyValues((1 << 14) + 1));
    for count in [u32::MAX as usize, usize::MAX] {
        let error = refused(|parts| parts.advice = count);
        assert_eq!(error, ProtocolError::TooManyValues(count.saturating_add(3)));
    }
    let error = refused(|parts| parts.tables = vec![parts.tables[0].clone(); 1 << 14]);
    assert_eq!(error, ProtocolError::TooManyValues((1 << 14) + 8));
    // The tables have three, two and one.
    let looked_up = |count: usize| {
        refused(|parts| {
            parts.tables[2].inputs = vec![vec![10]; count];
            parts.tables[0].expressions.clear();
        })
    };
    assert_eq!(looked_up((1 << 16) - 5), ProtocolError::TableWidth(0));
    assert_eq!(looked_up((1 << 16) - 4), ProtocolError::TooManyLookedUp((1 << 16) + 1));

    let missing = Column::Fixed(3);
    let cells = |columns: usize, rotations: usize| {
        refused(|parts| {
            (parts.k, parts.usable, parts.advice) = (14, (1 << 14) - 6, columns);
            for place in 0..columns * rotations {
                let (column, rotation) = (place / rotations, place % rotations);
                parts.nodes.push(cell(Column::Advice(column), rotation as i32));
            }
            parts.nodes.push(cell(missing, 0));
            parts.constraints.extend(21..parts.nodes.len());
        })
    };
    // The sample has 3 fixed columns, and no other rotations than these.
    assert_eq!(cells(5, 256), ProtocolError::NoSuchColumn(missing));
    assert_eq!(cells(5, 257), ProtocolError::TooManyRotations(Column::Advice(0)));
    assert_eq!(cells(127, 128), ProtocolError::NoSuchColumn(missing));
    assert_eq!(cells(128, 128), ProtocolError::TooManyValues((1 << 14) + 1));
}

/// Rule 3.
#[test]
fn rotations_are_different_rows() {
    for rotation in [16, -16, 17, i32::MAX, i32::MIN] {
        let column = Column::Advice(2);
        let error = refused(|parts| parts.nodes[11] = cell(column, rotation));
        assert_eq!(error, ProtocolError::Rotation { column, rotation });
    }
    // Advice 0 is read at 0 and 1; the inputs at −1 and 0.
    let error = refused(|parts| {
        parts.nodes.push(cell(Column::Advice(0), -15));
        parts.constraints.push(21);
    });
    assert_eq!(error, ProtocolError::EqualRotations(Column::Advice(0)));
    let error = refused(|parts| parts.nodes[18] = cell(Column::Inputs, 15));
    assert_eq!(error, ProtocolError::EqualRotations(Column::Inputs));
    let mut allowed = parts();
    allowed.nodes[4] = cell(Column::Advice(0), -15);
    assert!(Protocol::new(allowed).is_ok());
}

/// Rule 5.
#[test]
fn nodes_are_used() {
    let error = refused(|parts| parts.nodes.push(cell(Column::Advice(0), 0)));
    assert_eq!(error, ProtocolError::NodeUnused(21));
    assert_eq!(refused(|parts| parts.constraints.truncate(2)), ProtocolError::NodeUnused(20));
}

/// Rules 6 and 7.
#[test]
fn copied_columns_stand_once() {
    let error = refused(|parts| parts.copied.push(Column::Inputs));
    assert_eq!(error, ProtocolError::CopiedTwice(Column::Inputs));
    let many = |count: usize| {
        move |parts: &mut ProtocolParts| {
            parts.advice = count;
            parts.copied = (0..count).map(Column::Advice).collect();
        }
    };
    assert_eq!(refused(many(4097)), ProtocolError::TooManyCopied(4097));
    let mut allowed = parts();
    many(4096)(&mut allowed);
    assert!(Protocol::new(allowed).is_ok());
    let error = refused(|parts| {
        parts.tables.clear();
        parts.copied.clear();
        parts.constraints.extend([9, 10, 11, 12]);
    });
    assert_eq!(error, ProtocolError::NothingToShow);
}
