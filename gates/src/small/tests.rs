use halo2_base::halo2_proofs::halo2curves::{bn256::Fr, ff::Field};

use super::*;
use crate::{
    forgery::testing::{layout, TestCircuit},
    GateContext,
};

/// The vertical column, behind those of a lane of the Edwards gate and of range checks.
const VERTICAL: usize = 7;

fn selected<const N: usize>(bits: [i64; N]) -> TestCircuit {
    selected_behind(0, bits)
}

/// The same behind selections that are what they should be.
fn selected_behind<const N: usize>(others: usize, bits: [i64; N]) -> TestCircuit {
    let bits =
        bits.map(|bit| if bit < 0 { -Fr::from(bit.unsigned_abs()) } else { Fr::from(bit as u64) });
    TestCircuit::new(layout(9, &[]), |ctx| {
        (0..others).for_each(|_| drop(OneHot::new(ctx, N, 0)));
        OneHot::of_hint(ctx, &bits);
    })
}

/// Numbers that add up to 1 and are no bits, and bits that add up to more.
#[test]
fn one_of_several_is_selected() {
    selected([0, 0, 1, 0]).assert_satisfied();
    selected([1, -1, 1, 0]).assert_bit_is_bound(-Fr::ONE);
    selected([0, 1, -1, 1]).assert_bit_is_bound(-Fr::ONE);
    selected([1, 1, 1, 1]).assert_sum_is_bound(4);
    // As many as there are children of a node.
    selected_behind(0, [1; 16]).assert_sum_is_bound(16);
    selected_behind(1, [1; 16]).assert_sum_is_bound(16);
    assert!(!selected([0; 4]).is_satisfied());
}

/// Records rows of the vertical gate; they are those of the context.
fn rows<T>(
    ctx: &mut GateContext,
    all: &mut Vec<std::ops::Range<usize>>,
    record: impl FnOnce(&mut GateContext) -> T,
) -> T {
    let before = ctx.advice.len();
    let done = record(ctx);
    all.push(before..ctx.advice.len());
    done
}

/// Selections, numbers made of digits, one or the other of two numbers, and numbers in order. The digits have
/// so many values, and these. Gives the rows of what is an input.
fn build(
    ctx: &mut GateContext,
    all: &mut Vec<std::ops::Range<usize>>,
    chosen: [(u64, u64); 2],
) -> Vec<usize> {
    let mut inputs = vec![];
    let mut cells = |ctx: &mut GateContext, count: u64, first: u64| -> Vec<_> {
        inputs.extend((0..count as usize).map(|i| ctx.advice.len() + i));
        (0..count).map(|i| ctx.load_witness(Fr::from(first + i))).collect()
    };
    let digits = chosen.map(|(count, at)| OneHot::new(ctx, count as usize, at as usize));
    for (digit, (count, at)) in digits.iter().zip(chosen) {
        let values = cells(ctx, count, 100);
        assert_eq!(*rows(ctx, all, |ctx| digit.select(ctx, &values)).value(), Fr::from(100 + at));
        let value = ctx.load_witness(Fr::from(100 + at));
        rows(ctx, all, |ctx| digit.assert_selects(ctx, &values, value));
    }
    let number = rows(ctx, all, |ctx| Small::of_digits(ctx, &digits));
    let [(base, low), (_, high)] = chosen;
    let value = low + base * high;
    assert_eq!(*number.cell().value(), Fr::from(value));
    // Others of the same digits, which nothing follows from.
    for _ in 0..2 {
        rows(ctx, all, |ctx| Small::of_digits(ctx, &digits));
    }
    for (weight, expected) in [(7, value), (0, 1_000)] {
        let weight = cells(ctx, 1, weight)[0];
        let mut bit = vec![];
        let kept = rows(ctx, &mut bit, |ctx| Bit::is_not_zero(ctx, weight));
        // The sum behind the test of zero.
        all.push(bit[0].end - 4..bit[0].end);
        let first = rows(ctx, all, |ctx| number.or(ctx, kept, Fr::from(1_000)));
        assert_eq!(*first.cell().value(), Fr::from(expected));
        assert_eq!(first.bits(), 10);
        // The same, of which nothing follows.
        for _ in 0..2 {
            rows(ctx, all, |ctx| number.or(ctx, kept, Fr::from(1_000)));
        }
        let values = cells(ctx, 3, 2_000);
        let step = |i: usize| (i % 2) as u64;
        rows(ctx, all, |ctx| ctx.range.assert_increasing(ctx, 16, (&first, &values), step));
    }
    inputs
}

/// Each copy of a sum, with all that follows from another number in its place or, where a sum ends, in all other
/// places.
#[test]
fn what_is_summed_up_is_what_was_given() {
    let mut all = vec![];
    let mut test = TestCircuit::new(layout(9, &[]), |ctx| {
        build(ctx, &mut all, [(4, 2), (5, 3)]);
    });
    test.assert_satisfied();
    let forger = test.forger();
    let mut count = 0;
    for row in all.into_iter().flatten() {
        let place = (VERTICAL, row);
        let bound = forger.bound_to(place);
        if bound.len() == 1 {
            continue;
        }
        let other = forger.value(place) + Fr::ONE;
        let others = bound.iter().filter(|cell| **cell != place).map(|cell| (*cell, other));
        let refused = [vec![(place, other)], others.collect()].iter().any(|starts| {
            let forged = forger.rewrite(starts);
            let broken = test.broken_copies(forged.clone());
            test.failing(forged) == ["copy"] && broken.iter().all(|cell| bound.contains(cell))
        });
        assert!(refused, "row {row}");
        count += 1;
    }
    assert_eq!(count, 172, "copies");
}

/// Each cell of the same for as many values as a node has children.
#[test]
fn selections_and_their_digits_are_determined() {
    let mut inputs = vec![];
    let test = TestCircuit::new(layout(10, &[]), |ctx| {
        inputs = build(ctx, &mut vec![], [(16, 2), (16, 3)]);
    });
    test.assert_satisfied();
    // The inverse of the weight that is 0.
    assert_eq!(test.open_values_given(inputs.clone()), (vec![Fr::ONE], 0));
    assert_eq!(test.open_classes_given(inputs), (vec![], 0));
}

#[test]
fn a_digit_has_the_bits_of_its_base() {
    TestCircuit::new(layout(9, &[]), |ctx| {
        let digits = [4, 5].map(|count| OneHot::new(ctx, count, 1));
        assert_eq!(Small::of_digits(ctx, &digits).bits(), 5);
    });
}

#[test]
fn a_number_that_is_checked_has_few_bits() {
    for (value, holds) in [(Fr::from(65_535), true), (Fr::from(65_536), false), (-Fr::ONE, false)] {
        let test = TestCircuit::new(layout(9, &[]), |ctx| {
            let value = ctx.load_witness(value);
            assert_eq!(Small::checked(ctx.range, value, 10).bits(), 16);
        });
        assert_eq!(test.is_satisfied(), holds);
    }
}

#[test]
#[should_panic(expected = "no value wraps")]
fn a_first_value_that_is_too_large() {
    TestCircuit::new(layout(9, &[]), |ctx| {
        let value = ctx.load_witness(Fr::ONE);
        let first = Small::checked(ctx.range, value, 192);
        ctx.range.assert_increasing(ctx, 16, (&first, &[value]), |_| 1);
    });
}
