//! How long a verification takes, and which part of it.

use std::time::Instant;

use ark_ff::AdditiveGroup;

use super::{
    compact::file::{File, ALL, PROOFS},
    sample::{cell, key_parts, TAU},
    simulator::simulate,
};
use crate::{
    scalar_to_bytes, verify::claim, verify_batch, BatchItem, Column, Decider, Key, Node, Protocol,
    ProtocolParts, Scalar, Table,
};

/// A circuit of about the size of those for ECDSA: 44 advice columns and 12 fixed, 24 lookups, 40
/// copied.
fn key(columns: usize) -> Key {
    let mut nodes = vec![cell(Column::Fixed(0), 0)];
    let mut constraints = vec![];
    for column in 0..columns {
        let first = nodes.len();
        let fixed = cell(Column::Fixed(column % 12), 0);
        nodes.extend([fixed, cell(Column::Advice(column), 0), cell(Column::Advice(column), 1)]);
        nodes.push(cell(Column::Advice(column), column as i32 % 8 + 2));
        nodes.extend((0..20).map(|step| Node::Sum(first + step, first + step + 3)));
        nodes.push(Node::Product(first + 20, first));
        constraints.push(nodes.len() - 1);
        constraints.extend(first..first + 24);
    }
    let inputs = (0..columns / 2).map(|column| vec![2 + 25 * column]).collect();
    let parts = ProtocolParts {
        k: 13,
        usable: 8192 - 20,
        fixed: 12,
        advice: columns,
        inputs: 6,
        nodes,
        constraints,
        tables: vec![Table { expressions: vec![0], inputs }],
        copied: (0..columns - 4).map(Column::Advice).chain([Column::Inputs]).collect(),
    };
    let protocol = Protocol::new(parts).expect("it obeys the rules");
    Key::new(key_parts(protocol, "large")).expect("it obeys the rules")
}

/// ```sh
/// cargo test --release -p muster-verifier --lib tests::measure -- --ignored --nocapture
/// ```
#[test]
#[ignore = "slow: a measurement"]
fn a_verification() {
    for columns in [12, 48, 96] {
        let key = key(columns);
        let inputs = [Scalar::from(7); 6];
        let shown = inputs.map(|input| scalar_to_bytes(&input));
        let proof = simulate(&key, Scalar::from(TAU), &inputs, "large", Scalar::ZERO);
        let points = key.commitments.len() + key.protocol().arrangement().committed() + 7;
        let ms = |run: &dyn Fn()| {
            let times = (0..20).map(|_| {
                let start = Instant::now();
                run();
                start.elapsed().as_secs_f64() * 1e3
            });
            times.fold(f64::MAX, f64::min)
        };
        let read = ms(&|| drop(claim(&key, &shown, &proof)));
        let whole = ms(&|| key.verify(&shown, &proof).expect("it is accepted"));
        let item: BatchItem = (&key, &shown, &proof);
        let batch = ms(&|| verify_batch(&[item; 16]).expect("it is accepted"));
        println!(
            "{points} points, {} bytes: {read:.2} ms to points, {whole:.2} ms in all, {:.2} ms in a \
             batch of 16",
            proof.len(),
            batch / 16.0
        );
    }
}

/// ```sh
/// cargo test --release -p muster-verifier --lib tests::measure -- --ignored --nocapture
/// ```
#[test]
#[ignore = "slow: a measurement"]
fn a_compact_verification() {
    let ms = |run: &dyn Fn()| {
        let times = (0..50).map(|_| {
            let start = Instant::now();
            run();
            start.elapsed().as_secs_f64() * 1e3
        });
        times.fold(f64::MAX, f64::min)
    };
    for name in ALL {
        let packing = File::read(name).packing();
        let decider = Decider::new(&packing).expect("it is small");
        let made = ms(&|| drop(Decider::new(&packing)));
        let columns = ms(&|| drop(decider.columns()));
        let rows = decider.rows().len();
        println!("{name}: {rows} rows in {made:.2} ms, columns in {columns:.2} ms");
    }
    for name in PROOFS {
        let file = File::read(name);
        let (key, inputs, bytes) = (file.key(), file.words("inputs"), file.bytes("key"));
        let read = ms(&|| drop(Key::read(&bytes)));
        for encoding in ["proof", "short_proof"] {
            let proof = file.bytes(encoding);
            let whole = ms(&|| key.verify(&inputs, &proof).expect("it is accepted"));
            let item: BatchItem = (&key, &inputs, &proof);
            let batch = ms(&|| verify_batch(&[item; 16]).expect("it is accepted")) / 16.0;
            println!(
                "{name}: the key in {read:.2} ms, {} bytes in {whole:.2} ms, {batch:.2} ms in a \
                 batch of 16",
                proof.len()
            );
        }
    }
}
