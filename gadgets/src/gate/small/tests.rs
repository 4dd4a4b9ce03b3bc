use halo2_base::{
    halo2_proofs::halo2curves::{bn256::Fr, ff::Field},
    Context,
};

use super::*;
use crate::gate::{
    testing::{layout, TestCircuit},
    Chips,
};

/// The vertical column, behind those of a lane of the Edwards gate and of range checks.
const VERTICAL: usize = 7;

fn selected(bits: [i64; 4]) -> TestCircuit {
    let bits =
        bits.map(|bit| if bit < 0 { -Fr::from(bit.unsigned_abs()) } else { Fr::from(bit as u64) });
    TestCircuit::new(layout(9, &[]), |ctx, chips| {
        OneHot::of_hint(ctx, &chips.gate, &bits);
    })
}

/// Numbers that add up to 1 and are no bits, and bits that add up to more.
#[test]
fn one_of_several_is_selected() {
    selected([0, 0, 1, 0]).assert_satisfied();
    selected([1, -1, 1, 0]).assert_bit_is_bound(-Fr::ONE);
    selected([0, 1, -1, 1]).assert_bit_is_bound(-Fr::ONE);
    selected([1, 1, 1, 1]).assert_sum_is_bound(4);
    assert!(!selected([0; 4]).is_satisfied());
}

/// Records rows of the vertical gate; they are those of the context.
fn rows<T>(
    ctx: &mut Context<Fr>,
    all: &mut Vec<std::ops::Range<usize>>,
    record: impl FnOnce(&mut Context<Fr>) -> T,
) -> T {
    let before = ctx.advice.len();
    let done = record(ctx);
    all.push(before..ctx.advice.len());
    done
}

/// Selections, numbers made of digits, one or the other of two numbers, and numbers in order.
fn build(ctx: &mut Context<Fr>, chips: &Chips, all: &mut Vec<std::ops::Range<usize>>) {
    let cells = |ctx: &mut Context<Fr>, count: u64, first: u64| -> Vec<_> {
        (0..count).map(|i| ctx.load_witness(Fr::from(first + i))).collect()
    };
    let digits = [(4, 2), (5, 3)].map(|(count, at)| OneHot::new(ctx, &chips.gate, count, at));
    for (digit, (count, at)) in digits.iter().zip([(4, 2), (5, 3)]) {
        let values = cells(ctx, count, 100);
        assert_eq!(*rows(ctx, all, |ctx| digit.select(ctx, &values)).value(), Fr::from(100 + at));
        let value = ctx.load_witness(Fr::from(100 + at));
        rows(ctx, all, |ctx| digit.assert_selects(ctx, &values, value));
    }
    let number = rows(ctx, all, |ctx| Small::of_digits(ctx, &digits));
    assert_eq!((*number.cell().value(), number.bits()), (Fr::from(2 + 4 * 3), 5));
    for (weight, expected) in [(7, 14), (0, 1_000)] {
        let weight = ctx.load_witness(Fr::from(weight));
        let mut bit = vec![];
        let kept = rows(ctx, &mut bit, |ctx| Bit::is_not_zero(ctx, &chips.gate, weight));
        // The sum behind the test of zero.
        all.push(bit[0].end - 4..bit[0].end);
        let first = rows(ctx, all, |ctx| number.or(ctx, kept, Fr::from(1_000)));
        assert_eq!(*first.cell().value(), Fr::from(expected));
        assert_eq!(first.bits(), 10);
        let values = cells(ctx, 3, 2_000);
        let step = |i: usize| (i % 2) as u64;
        rows(ctx, all, |ctx| chips.range.assert_increasing(ctx, 16, (&first, &values), step));
    }
}

/// Each copy of a sum, with all that follows from another number in its place or, where a sum ends, in all other
/// places.
#[test]
fn what_is_summed_up_is_what_was_given() {
    let mut all = vec![];
    let mut test = TestCircuit::new(layout(9, &[]), |ctx, chips| build(ctx, chips, &mut all));
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
    assert!(count > 80, "{count} copies");
}

#[test]
fn a_number_that_is_checked_has_few_bits() {
    for (value, holds) in [(Fr::from(65_535), true), (Fr::from(65_536), false), (-Fr::ONE, false)] {
        let test = TestCircuit::new(layout(9, &[]), |ctx, chips| {
            let value = ctx.load_witness(value);
            assert_eq!(Small::checked(&chips.range, value, 10).bits(), 16);
        });
        assert_eq!(test.is_satisfied(), holds);
    }
}

#[test]
#[should_panic(expected = "no value wraps")]
fn a_first_value_that_is_too_large() {
    TestCircuit::new(layout(9, &[]), |ctx, chips| {
        let value = ctx.load_witness(Fr::ONE);
        let first = Small::checked(&chips.range, value, 192);
        chips.range.assert_increasing(ctx, 16, (&first, &[value]), |_| 1);
    });
}
