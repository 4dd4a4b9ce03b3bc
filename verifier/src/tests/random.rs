//! Bytes and parts of nobody: nothing panics on them.

use proptest::{collection::vec, prelude::*};

use super::{
    circuit::{circuit, Draws},
    sample::{cell, key, key_parts},
};
use crate::{Column, Key, Node, Protocol, ProtocolParts, Scalar, Table};

fn column() -> impl Strategy<Value = Column> {
    prop_oneof![
        (0..3_usize).prop_map(Column::Fixed),
        (0..3_usize).prop_map(Column::Advice),
        Just(Column::Inputs),
    ]
}

fn node() -> impl Strategy<Value = Node> {
    prop_oneof![
        any::<u64>().prop_map(|number| Node::Constant(Scalar::from(number))),
        (column(), -1..2_i32).prop_map(|(column, rotation)| cell(column, rotation)),
        (column(), any::<i32>()).prop_map(|(column, rotation)| cell(column, rotation)),
        (0..6_usize, 0..6_usize).prop_map(|(left, right)| Node::Sum(left, right)),
        (0..6_usize, 0..6_usize).prop_map(|(left, right)| Node::Product(left, right)),
    ]
}

/// Parts that obey most rules more often than not: every node that exists is a constraint.
fn parts() -> impl Strategy<Value = ProtocolParts> {
    let table = (0..6_usize, vec(0..6_usize, 1..4)).prop_map(|(expression, inputs)| Table {
        expressions: vec![expression],
        inputs: inputs.into_iter().map(|input| vec![input]).collect(),
    });
    let lists = (vec(node(), 0..8), vec(table, 0..3), vec(column(), 0..4));
    (lists, 2..6_u32, 1..5_usize, 0..3_usize).prop_map(|(lists, k, usable, inputs)| {
        let (nodes, tables, copied) = lists;
        let columns = nodes.iter().filter_map(|node| match *node {
            Node::Cell { column, .. } => Some(column),
            _ => None,
        });
        let columns: Vec<Column> = columns.chain(copied.iter().copied()).collect();
        let count = |kind: fn(&Column) -> Option<usize>| {
            columns.iter().filter_map(kind).max().map_or(0, |last| last + 1)
        };
        let fixed = count(|column| if let Column::Fixed(it) = column { Some(*it) } else { None });
        let advice = count(|column| if let Column::Advice(it) = column { Some(*it) } else { None });
        let constraints = (0..nodes.len()).collect();
        ProtocolParts { k, usable, fixed, advice, inputs, nodes, constraints, tables, copied }
    })
}

proptest! {
    #[test]
    fn random_bytes_are_no_key(bytes in vec(any::<u8>(), 0..600)) {
        prop_assert!(Key::read(&bytes).is_err());
        let head = key().to_bytes();
        for length in [19, 147, 151] {
            let bytes = [&head[..length], &bytes].concat();
            prop_assert!(Key::read(&bytes).is_err());
        }
    }

    #[test]
    fn what_is_read_is_what_was_written(changes in vec((any::<prop::sample::Index>(), any::<u8>()), 1..4)) {
        let mut bytes = key().to_bytes();
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        if let Ok(read) = Key::read(&bytes) {
            prop_assert_eq!(read.to_bytes(), bytes);
        }
    }

    #[test]
    fn random_parts_are_refused_or_verify_nothing(parts in parts(), seed in any::<u8>()) {
        if let Ok(protocol) = Protocol::new(parts) {
            let key = Key::new(key_parts(protocol, "random")).expect("points are good");
            let read = Key::read(&key.to_bytes()).expect("it was written");
            prop_assert_eq!(read.protocol(), key.protocol());
            let inputs = vec![[seed & 15; 32]; key.protocol().inputs()];
            let proof = vec![seed; key.protocol().arrangement().proof_bytes()];
            prop_assert!(key.verify(&inputs, &proof).is_err());
            let scalars: Vec<_> = inputs.iter().filter_map(crate::scalar_from_bytes).collect();
            let proof = super::simulator::accepted(&key, &scalars, "random");
            prop_assert_eq!(key.verify(&inputs, &proof), Ok(()));
        }
    }

    #[test]
    fn random_circuits_have_keys_and_proofs(seed in any::<u64>()) {
        let protocol = Protocol::new(circuit(&mut Draws(seed))).expect("it obeys the rules");
        let key = Key::new(key_parts(protocol, "random")).expect("points are good");
        let read = Key::read(&key.to_bytes()).expect("it was written");
        prop_assert_eq!(read.protocol(), key.protocol());
        let inputs = vec![[7; 32]; key.protocol().inputs()];
        let scalars: Vec<_> = inputs.iter().filter_map(crate::scalar_from_bytes).collect();
        let proof = super::simulator::accepted(&key, &scalars, "random");
        prop_assert_eq!(read.verify(&inputs, &proof), Ok(()));
    }

    #[test]
    fn random_bytes_are_no_proof(bytes in vec(any::<u8>(), 0..4000), inputs in vec(any::<[u8; 32]>(), 0..4)) {
        let key = key();
        prop_assert!(key.verify(&inputs, &bytes).is_err());
        let mut bytes = bytes;
        bytes.resize(key.protocol().arrangement().proof_bytes(), 0);
        prop_assert!(key.verify(&[[0; 32]; 2], &bytes).is_err());
    }
}
