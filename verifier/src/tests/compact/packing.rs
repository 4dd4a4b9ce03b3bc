//! Rules 10 to 13, each with what breaks it.

use super::sample::{key_parts, packed, packing, rounds};
use crate::{
    tests::sample::{cell, parts, protocol},
    Column, Decider, Key, KeyError, Packing, PackingError, Polynomial, Protocol, ProtocolParts,
    Round, TooManyRows,
};

/// The sample's packs, by the numbers of their polynomials.
fn packs() -> Vec<Vec<usize>> {
    packing().packs().iter().map(|pack| pack.polynomials.clone()).collect()
}

/// The error of the sample with a stride of 4 after a change of its packs.
fn refused(change: impl FnOnce(&mut Vec<Vec<usize>>)) -> PackingError {
    let mut packs = packs();
    change(&mut packs);
    Packing::new(protocol(), 4, packs).expect_err("it breaks a rule")
}

#[test]
fn packs_have_rounds_and_rotations() {
    let packing = packing();
    let [key, first, second] = rounds(packing.protocol());
    assert_eq!((key.len(), first.len(), second.len()), (12, 8, 6));
    let counts = [Round::Key, Round::First, Round::Second].map(|round| packing.count(round));
    assert_eq!(counts, [3, 2, 2]);
    let rotations: Vec<_> = packing.packs().iter().map(|pack| &pack.rotations[..]).collect();
    let (one, two): (&[i32], &[i32]) = (&[0], &[0, 1]);
    assert_eq!(rotations, [one, one, one, two, one, two, one]);
}

#[test]
fn strides_are_1_to_256() {
    for stride in [0, 257, u32::MAX] {
        let error = Packing::new(protocol(), stride, packs()).expect_err("it breaks a rule");
        assert_eq!(error, PackingError::Stride(stride));
    }
    for stride in [1, 256] {
        assert_eq!(packed(protocol(), stride).stride(), stride);
    }
}

/// Rule 10.
#[test]
fn polynomials_stand_in_one_place_in_order_of_rounds() {
    let error = refused(|packs| packs[1].clear());
    assert_eq!(error, PackingError::Size { pack: 1, found: 0 });
    let error = refused(|packs| packs[0].push(0));
    assert_eq!(error, PackingError::Size { pack: 0, found: 5 });
    // The quotient is in no pack.
    let quotient = protocol().arrangement().polynomials().len() - 1;
    for number in [quotient, usize::MAX] {
        let error = refused(|packs| packs[6][0] = number);
        assert_eq!(error, PackingError::NoSuchPolynomial { pack: 6, number });
    }
    let error = refused(|packs| packs[3][0] = packs[3][1]);
    assert_eq!(error, PackingError::Twice(Polynomial::Advice(1)));
    let error = refused(|packs| packs[6].truncate(1));
    assert_eq!(error, PackingError::Missing(Polynomial::Difference(2)));
    let error = refused(|packs| packs.resize(27, vec![0]));
    assert_eq!(error, PackingError::TooManyPacks { found: 27, polynomials: 26 });
    assert_eq!(refused(Vec::clear), PackingError::Missing(Polynomial::Advice(0)));
    let error = refused(|packs| {
        let (one, other) = (packs[2][0], packs[3][0]);
        (packs[2][0], packs[3][0]) = (other, one);
    });
    assert_eq!(error, PackingError::Rounds(2));
    for later in [3, 5] {
        assert_eq!(refused(|packs| packs.swap(later, later - 1)), PackingError::Order(later));
    }
    // Packs of a round, and places in a pack, stand in any order.
    let mut other = packs();
    other.swap(0, 1);
    other[3].reverse();
    assert!(Packing::new(protocol(), 4, other).is_ok());
}

/// Rule 11.
#[test]
fn rotations_of_a_pack_are_different_rows() {
    // Advice 0 is opened at 0 and 1, and another column at −15.
    let mut other = parts();
    other.nodes.push(cell(Column::Advice(2), -15));
    other.constraints.push(21);
    let other = Protocol::new(other).expect("columns have rotations of their own");
    let error = Packing::new(other.clone(), 4, packs()).expect_err("it breaks a rule");
    assert_eq!(error, PackingError::EqualRotations(3));
    assert_eq!(packed(other, 1).packs().len(), 26);
}

/// Advice columns that are opened at so many rotations each, all of them different.
fn rotated(columns: usize, rotations: usize) -> Protocol {
    let mut nodes = vec![];
    for column in 0..columns {
        let first = column * rotations;
        let rotations = (first..first + rotations).map(|rotation| rotation as i32);
        nodes.extend(rotations.map(|rotation| cell(Column::Advice(column), rotation)));
    }
    let parts = ProtocolParts {
        k: 13,
        usable: 8000,
        fixed: 1,
        advice: columns,
        inputs: 0,
        constraints: (0..nodes.len()).collect(),
        nodes,
        tables: vec![],
        copied: vec![Column::Fixed(0)],
    };
    Protocol::new(parts).expect("it obeys the rules")
}

/// Rule 11.
#[test]
fn packs_have_few_rotations_and_values() {
    let pack = |columns, rotations| {
        let protocol = rotated(columns, rotations);
        let packs = rounds(&protocol).to_vec();
        Packing::new(protocol, 256, packs)
    };
    assert!(pack(2, 128).is_ok());
    assert_eq!(pack(3, 86), Err(PackingError::TooManyRotations(1)));
    // With fixed column, σ and product: 2 and 2 values.
    assert_eq!(pack(127, 2), Err(PackingError::TooManyValues(127 * 254 + 4)));
    assert!(pack(64, 3).is_ok());
}

/// Rule 12.
#[test]
fn nodes_and_constraints_are_few() {
    let with = |more: usize, constraints: usize| {
        let mut parts = parts();
        // Each node is a constraint, so that all are used.
        for _ in 0..more {
            parts.constraints.push(parts.nodes.len());
            parts.nodes.push(cell(Column::Advice(0), 0));
        }
        parts.constraints.extend(vec![0; constraints]);
        let protocol = Protocol::new(parts).expect("it obeys the rules");
        let (nodes, constraints) = (protocol.nodes().len(), protocol.constraints().len());
        (nodes, constraints, Packing::new(protocol, 4, packs()))
    };
    let (nodes, constraints, _) = with(0, 0);
    let most = 1 << 16;
    assert!(with(0, most - constraints).2.is_ok());
    assert!(nodes > constraints && with(most - nodes, 0).2.is_ok());
    for (more, again) in [(most - nodes + 1, 0), (0, most - constraints + 1)] {
        let (nodes, constraints, packing) = with(more, again);
        let error = packing.expect_err("they are too many");
        assert_eq!(error, PackingError::Equation { nodes, constraints });
    }
}

/// Rule 12.
#[test]
fn inputs_are_few() {
    // The sample reads the inputs at −1 and 0.
    let with = |inputs: usize, rotations: usize| {
        let mut parts = ProtocolParts { k: 11, usable: 2000, inputs, ..parts() };
        for rotation in 1..rotations - 1 {
            parts.constraints.push(parts.nodes.len());
            parts.nodes.push(cell(Column::Inputs, rotation as i32));
        }
        let protocol = Protocol::new(parts).expect("it obeys the rules");
        let packs = packs();
        Packing::new(protocol, 4, packs)
    };
    assert!(with(1024, 2).is_ok());
    assert_eq!(with(1025, 2), Err(PackingError::Inputs(1025)));
    for (inputs, rotations) in [(1024, 4), (512, 8), (16, 256)] {
        assert!(with(inputs, rotations).is_ok());
    }
    for (inputs, rotations) in [(1024, 5), (820, 5), (17, 256)] {
        let error = with(inputs, rotations).expect_err("they are too many");
        assert_eq!(error, PackingError::Shown { inputs, rotations });
    }
}

/// Rule 13: a reader makes no decider that is too large.
#[test]
fn deciders_are_small() {
    let with = |constraints: usize| {
        let mut parts = parts();
        parts.constraints.extend(vec![0; constraints]);
        packed(Protocol::new(parts).expect("it obeys the rules"), 4)
    };
    // A constraint is a row.
    let rows = Decider::new(&with(0)).expect("it is small").rows().len();
    assert_eq!(Decider::new(&with(1000)).expect("it is small").rows().len(), rows + 1000);
    let most = (1 << 16) - 4 - rows;
    let key = Key::compact(key_parts(with(most), "large")).expect("it is just small enough");
    assert_eq!(key.as_compact().map(|key| key.decider_k()), Some(16));
    assert!(Key::read(&key.to_bytes()).is_ok());
    let error = Key::compact(key_parts(with(most + 1), "large")).expect_err("it is too large");
    assert_eq!(error, KeyError::DeciderRows(TooManyRows));
    assert_eq!(Decider::new(&with(most + 1)), Err(TooManyRows));
}
