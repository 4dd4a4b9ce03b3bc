//! One small circuit that has everything, and many witnesses for the same inputs.

use halo2_base::halo2_proofs::halo2curves::{bn256::Fr, ff::Field};
use muster_verifier::{Column, Node, Protocol, ProtocolParts, Table};
use rand::Rng;

use super::sample::{rng, Sample};
use crate::{logup::blinded::scalar, polynomial::Numbers};

pub(super) const ROWS: usize = 16;
pub(super) const USABLE: usize = 10;

pub(super) fn cell(column: Column, rotation: i32) -> Node {
    Node::Cell { column, rotation }
}

/// Fixed: where the gate holds, and the numbers below 10. Advice: `a` and `c` below 10, `b' = b·a² + c`, and `d`, `e`, which are `b` and `c` of
/// some row. Table 0 has the numbers, table 1 is `(b, c)`, table 2 has them once more.
pub(super) fn parts() -> ProtocolParts {
    use Column::{Advice, Fixed, Inputs};
    ProtocolParts {
        k: 4,
        usable: USABLE,
        fixed: 2,
        advice: 5,
        inputs: 2,
        nodes: vec![
            cell(Fixed(0), 0),
            cell(Fixed(1), 0),
            cell(Advice(0), 0),
            cell(Advice(1), 0),
            cell(Advice(2), 0),
            cell(Advice(3), 0),
            cell(Advice(4), 0),
            cell(Advice(1), 1),
            Node::Constant(scalar(&-Fr::ONE)),
            Node::Product(2, 2),
            Node::Product(9, 3),
            Node::Sum(10, 4),
            Node::Product(8, 7),
            Node::Sum(11, 12),
            // 14: the gate. 15: `a` where it holds.
            Node::Product(0, 13),
            Node::Product(0, 2),
        ],
        constraints: vec![14],
        tables: vec![
            Table { expressions: vec![1], inputs: vec![vec![2], vec![15], vec![4]] },
            Table { expressions: vec![3, 4], inputs: vec![vec![5, 6]] },
            Table { expressions: vec![1], inputs: vec![vec![15], vec![4]] },
        ],
        copied: vec![Advice(0), Advice(1), Inputs, Fixed(1), Advice(2), Advice(3), Advice(4)],
    }
}

/// The circuit with the witness of a seed.
pub(super) fn every(seed: u64) -> Sample {
    let protocol = Protocol::new(parts()).unwrap();
    let mut rng = rng(seed);
    let mut below_10 = || Fr::from(rng.gen_range(0..10));
    let inputs = vec![Fr::from(3), Fr::from(8)];
    let mut a: Numbers = (0..ROWS).map(|_| below_10()).collect();
    let mut b = a.clone();
    let mut c: Numbers = (0..ROWS).map(|_| below_10()).collect();
    (a[1], c[2], c[7], a[8]) = (inputs[0], inputs[1], a[0], Fr::from(4));
    for row in 0..5 {
        b[row + 1] = b[row] * a[row].square() + c[row];
    }
    let rows: Vec<usize> = (0..ROWS).map(|_| rng.gen_range(0..USABLE)).collect();
    let [mut d, mut e] =
        [&b, &c].map(|from| rows.iter().map(|row| from[*row]).collect::<Numbers>());
    (d[3], e[3]) = (b[5], c[5]);
    let is = |below: usize| (0..ROWS).map(|row| Fr::from(u64::from(row < below))).collect();
    let numbers = (0..ROWS).map(|row| Fr::from(if row < USABLE { row as u64 } else { 0 }));
    let fixed = vec![is(5), numbers.collect()];
    let next = Sample::no_copies(&protocol);
    let mut sample = Sample { protocol, fixed, next, advice: vec![a, b, c, d, e], inputs };
    // `a` is 0 among the copied, `b` 1, the inputs 2, the numbers 3, `c` 4, `d` 5, `e` 6.
    for (one, two) in [
        ((0, 1), (2, 0)),
        ((4, 2), (2, 1)),
        ((4, 7), (0, 0)),
        ((0, 8), (3, 4)),
        ((5, 3), (1, 5)),
        ((6, 3), (4, 5)),
    ] {
        sample.copy(one, two);
    }
    sample
}

#[test]
fn many_witnesses_hold() {
    let keys = super::sample::Keys::of(&every(0));
    for seed in 0..3 {
        let sample = every(seed);
        assert_eq!(super::judge::judge(&sample), Ok(()));
        assert_eq!(keys.verify(&sample, &keys.prove(&sample, seed)), Ok(()));
    }
    assert_ne!(every(0).advice, every(1).advice);
}
