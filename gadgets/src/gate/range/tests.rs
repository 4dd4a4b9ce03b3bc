use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, QuantumCell};

use crate::gate::{
    range::PASSING_AMOUNT_BITS,
    testing::{layout, TestCircuit},
    Forged,
};

fn check(value: Fr, bits: usize) -> TestCircuit {
    TestCircuit::new(layout(9, &[]), |_, chips| {
        chips.range.check(QuantumCell::Witness(value), bits);
    })
}

#[test]
fn accepts_what_is_below_the_bound() {
    let bound = Fr::from(1 << 40);
    for value in [Fr::zero(), Fr::one(), Fr::from(256), bound - Fr::one()] {
        assert!(check(value, 40).is_satisfied());
    }
}

#[test]
fn refuses_what_is_not() {
    let bound = Fr::from(1 << 40);
    for value in [bound, bound + Fr::one(), -Fr::one(), Fr::from(1 << 48)] {
        assert!(!check(value, 40).is_satisfied());
    }
}

#[test]
fn every_limb_is_bound() {
    let mut test = check(Fr::from(0x12_3456_789a), 40);
    for row in 1..5 {
        for value in [Fr::zero(), Fr::from(7), -Fr::one()] {
            assert!(!test.is_satisfied_with(Forged { column: 6, row, value }), "row {row}");
        }
    }
    // A negative low limb that a larger next sum would make up for.
    let next = Fr::from(0x12_3456_789a >> 8);
    assert!(!test.is_satisfied_with(Forged { column: 6, row: 1, value: next + Fr::one() }));
}

#[test]
fn fills_columns_without_straddling() {
    let mut two = layout(9, &[]);
    two.range_columns = 2;
    let test = TestCircuit::new(two, |_, chips| {
        for i in 0..100u64 {
            chips.range.check(QuantumCell::Witness(Fr::from(i << 30)), 64);
        }
        assert_eq!(chips.range.columns_needed(500), 2);
        assert_eq!(chips.range.total_cells(), 800);
    });
    test.assert_satisfied();
}

/// An amount in limbs of `bits` bits.
fn amount(value: Fr, bits: usize) -> TestCircuit {
    let mut layout = layout(bits as u32 + 1, &[]);
    layout.range_bits = bits;
    TestCircuit::new(layout, |_, chips| {
        chips.range.check_amount(QuantumCell::Witness(value));
        assert_eq!(chips.range.total_cells(), 60_usize.div_ceil(bits));
        let step = 60 - bits * (chips.range.total_cells() - 1);
        let bound = (1u64 << 60) + (1 << bits) - (1 << step);
        assert_eq!(chips.range.amount_bound(), bound);
        assert!(bound < 1 << PASSING_AMOUNT_BITS);
    })
}

/// The running sums of a number whose first limb is so large.
fn sums_behind(value: u64, limb: u64, bits: usize) -> Vec<Forged> {
    let limbs = 60_usize.div_ceil(bits);
    let step = 60 - bits * (limbs - 1);
    assert!((value - limb).is_multiple_of(1 << step));
    let rest = (value - limb) >> step;
    let sum = |row: usize| Fr::from(rest >> (bits * (row - 1)));
    (1..limbs).map(|row| Forged { column: 6, row, value: sum(row) }).collect()
}

#[test]
fn amounts_have_sixty_bits() {
    for bits in 8..=14 {
        for value in [0, 1, 1 << 59, (1 << 60) - 1] {
            assert!(amount(Fr::from(value), bits).is_satisfied(), "{bits}, {value}");
        }
        for value in [1 << 60, 1 << 61, 1 << 63].map(Fr::from).into_iter().chain([-Fr::one()]) {
            assert!(!amount(value, bits).is_satisfied(), "{bits}, {value:?}");
        }
    }
}

/// The greatest number that passes is less than a limb above all amounts, and is there by limbs that overlap.
#[test]
fn amounts_end_at_their_bound() {
    for bits in 8..=14 {
        let step = 60 - bits * (60_usize.div_ceil(bits) - 1);
        let bound = (1 << 60) + (1 << bits) - (1 << step);
        let mut last = amount(Fr::from(bound - 1), bits);
        let forged = sums_behind(bound - 1, (1 << bits) - 1, bits);
        assert!(last.is_satisfied_with_all(forged), "{bits}");
        let mut beyond = amount(Fr::from(bound), bits);
        for limb in [0, (1 << bits) - (1 << step), 1 << bits] {
            let forged = sums_behind(bound, limb, bits);
            assert!(!beyond.is_satisfied_with_all(forged), "{bits}, {limb}");
        }
    }
}

/// All limbs of another value.
#[test]
fn the_value_that_is_checked_is_the_one_that_was_given() {
    let mut test = TestCircuit::new(layout(9, &[]), |ctx, chips| {
        let value = ctx.load_witness(Fr::from(0x12_3456_789a));
        chips.range.check(value, 40);
        chips.range.check(QuantumCell::Constant(Fr::from(0xabcd)), 16);
    });
    test.assert_satisfied();
    let forger = test.forger();
    for (row, value) in [(0, 0), (0, 0xff_ffff_ffff), (5, 0x1234)] {
        let starts = [((6, row), Fr::from(value))];
        test.assert_only_copies_refuse(&forger, "another value", &starts);
    }
}
