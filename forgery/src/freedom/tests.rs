use std::collections::BTreeMap;

use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, QuantumCell};
use num_bigint::BigInt;

use super::super::testing::layout;
use super::{
    freedom,
    related::{alone, reduced},
    small::{told_apart, Small, Term},
};
use muster_gates::{
    chain,
    sha2::{Order, Word},
    GateCircuit, GateContext, Layout, Sha2Layout,
};
use muster_schemes::hash::sha512::native::{INITIAL, ROUNDS};

fn free(build: impl FnOnce(&mut GateContext)) -> BTreeMap<String, usize> {
    freedom(&GateCircuit::new(&layout(9, &[3]), false, build), &[])
}

fn counts<const N: usize>(expected: [(&str, usize); N]) -> BTreeMap<String, usize> {
    expected.into_iter().map(|(role, count)| (role.to_owned(), count)).collect()
}

#[test]
fn what_a_sum_determines() {
    let of = |end: fn(Fr) -> QuantumCell<Fr>| {
        free(|ctx| {
            let [a, b] = [3, 5].map(|c| ctx.load_witness(Fr::from(c)));
            let zero = QuantumCell::Constant(Fr::zero());
            chain::assert_sum(ctx, zero, &[(a.into(), b.into())], end(Fr::from(15)));
        })
    };
    // Of two factors and their product two are free; one if the product is told.
    assert_eq!(of(QuantumCell::Witness), counts([("vertical 0", 2)]));
    assert_eq!(of(QuantumCell::Constant), counts([("vertical 0", 1)]));
}

#[test]
fn what_a_permutation_determines() {
    let state = [1, 2, 3].map(|c| QuantumCell::Witness(Fr::from(c)));
    let free = free(|ctx| drop(ctx.chips.poseidon(3).permute(&state)));
    assert_eq!(free.values().sum::<usize>(), 3, "{free:?}");
}

/// Of compressions of constants nothing is free but how carries are split, one in each round: whatever the order in
/// which words of the message and of hash values are read.
#[test]
fn what_a_compression_determines() {
    let first = INITIAL.map(Word::constant);
    let words = |order: Order| {
        std::array::from_fn(|i| Word::constant(0x0102_0304_0506_0708 * i as u64).in_order(order))
    };
    let messages = [words(Order::Little), words(Order::Big)];
    for bits in [4, 8, 16] {
        let layout = Layout { sha512: Some(Sha2Layout { lanes: 1, bits }), ..layout(13, &[]) };
        let role = format!("sha512 {}", 3 * bits + 1);
        for order in [Order::Little, Order::Big] {
            let circuit = GateCircuit::new(&layout, false, |ctx| {
                ctx.chips.sha512().compress_in(ctx.range, &first, &messages, order);
            });
            assert_eq!(freedom(&circuit, &[]), counts([(&role, 2 * ROUNDS)]), "{bits}, {order:?}");
        }
    }
}

/// Digits follow from what they are digits of; a cell that no equation uses is not counted.
#[test]
fn what_a_range_check_determines() {
    let value = || QuantumCell::Witness(Fr::from(0x123456));
    let unused = free(|ctx| {
        ctx.range.check(value(), 24);
    });
    assert_eq!(unused, counts([]));
    let used = free(|ctx| {
        let checked = ctx.range.check(value(), 24);
        let [zero, one] = [0, 1].map(|c| QuantumCell::Constant(Fr::from(c)));
        chain::assert_sum(ctx, zero, &[(checked.into(), one)], value());
    });
    assert_eq!(used, counts([("range 0", 1)]));
}

/// Slopes that grow faster than what is below them tell classes apart, however they are scaled.
#[test]
fn what_slopes_tell_apart() {
    let small = Small::below(4);
    let apart = |slopes: &[u64], scale: u64| {
        let terms = slopes.iter().enumerate();
        let terms = terms.map(|(class, slope)| Term {
            class,
            slope: Fr::from(slope * scale),
            small: &small,
        });
        told_apart(&terms.collect::<Vec<_>>(), &[Fr::from(scale)])
    };
    assert_eq!(apart(&[1, 16, 256], 1), [0, 1, 2]);
    assert_eq!(apart(&[1, 16, 256], 7), [0, 1, 2]);
    // 15 of the first class are one of the second.
    assert!(apart(&[1, 15], 1).is_empty());
    // Of classes with one slope the sum is known.
    assert_eq!(apart(&[1, 16, 16], 1), [0]);
    let bits = Small::values(&[0, 1]).expect("two values");
    let terms =
        [(0, 3), (1, 2)].map(|(class, slope)| Term { class, slope: Fr::from(slope), small: &bits });
    assert_eq!(told_apart(&terms, &[Fr::one()]), [1, 0]);
}

/// Two equations determine two numbers unless one is a multiple of the other, modulo the prime.
#[test]
fn what_rows_determine_together() {
    let determined = |rows: &[&[i32]], prime: i32| {
        let rows = rows.iter().map(|row| row.iter().copied().map(BigInt::from).collect());
        alone(&reduced(rows.collect(), &prime.into()))
    };
    assert_eq!(determined(&[&[1, 2], &[3, 4]], 7), [0, 1]);
    assert!(determined(&[&[1, 2], &[3, 6]], 7).is_empty());
    assert!(determined(&[&[1, 2], &[3, 1]], 5).is_empty());
    // The second number is left open, and both others follow, whichever row comes first.
    assert_eq!(determined(&[&[1, 0, 2], &[1, 0, 3]], 7), [0, 2]);
    assert_eq!(determined(&[&[1, 1, 2], &[0, 0, 3]], 7), [2]);
    assert_eq!(determined(&[&[1, 3], &[0, 1], &[2, 5]], 7), [0, 1]);
}
