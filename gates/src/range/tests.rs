use halo2_base::{
    halo2_proofs::halo2curves::bn256::Fr,
    utils::{biguint_to_fe, modulus},
    QuantumCell,
};
use muster_testing::sampled;
use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::{One, Zero};

use crate::{
    forgery::testing::{layout, TestCircuit},
    range::PASSING_AMOUNT_BITS,
    Forged,
};

fn check(value: Fr, bits: usize) -> TestCircuit {
    TestCircuit::new(layout(9, &[]), |ctx| {
        ctx.range.check(QuantumCell::Witness(value), bits);
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
    let test = TestCircuit::new(two, |ctx| {
        for i in 0..100u64 {
            ctx.range.check(QuantumCell::Witness(Fr::from(i << 30)), 64);
        }
        assert_eq!(ctx.range.columns_needed(500), 2);
        assert_eq!(ctx.range.total_cells(), 800);
    });
    test.assert_satisfied();
}

/// A number of `number` bits, checked in limbs of `bits` bits of which the lowest may overlap the others.
fn near(value: &BigUint, number: usize, bits: usize) -> TestCircuit {
    let mut layout = layout(bits as u32 + 1, &[]);
    layout.range_bits = bits;
    TestCircuit::new(layout, |ctx| {
        ctx.range.check_near(QuantumCell::Witness(biguint_to_fe(value)), number);
        assert_eq!(ctx.range.total_cells(), number.div_ceil(bits));
        assert_eq!(ctx.range.near_bound(number), bound(number, bits));
    })
}

fn power(bits: usize) -> BigUint {
    BigUint::one() << bits
}

/// Bits that the lowest limb has to itself.
fn step(number: usize, bits: usize) -> usize {
    number - bits * (number.div_ceil(bits) - 1)
}

fn bound(number: usize, bits: usize) -> BigUint {
    power(number) + power(bits) - power(step(number, bits))
}

/// The running sums of a number whose first limb is so large.
fn sums_behind(value: &BigUint, limb: &BigUint, (number, bits): (usize, usize)) -> Vec<Forged> {
    let (rest, low) = (value - limb).div_rem(&power(step(number, bits)));
    assert!(low.is_zero());
    let sum = |row: usize| biguint_to_fe(&(&rest >> (bits * (row - 1))));
    (1..number.div_ceil(bits)).map(|row| Forged { column: 6, row, value: sum(row) }).collect()
}

/// Bits of numbers: a limb and less, one more, those of amounts, and of whole limbs.
fn lengths(bits: usize) -> Vec<usize> {
    vec![bits - 1, bits, bits + 1, 60, 61, 62, 8 * bits]
}

#[test]
fn amounts_have_sixty_bits() {
    for bits in 8..=14 {
        let mut layout = layout(bits as u32 + 1, &[]);
        layout.range_bits = bits;
        let amount = |value: &BigUint| {
            TestCircuit::new(layout.clone(), |ctx| {
                ctx.range.check_amount(QuantumCell::Witness(biguint_to_fe(value)));
            })
        };
        let last = bound(60, bits) - 1u8;
        assert!(last < power(PASSING_AMOUNT_BITS));
        let forged = sums_behind(&last, &(power(bits) - 1u8), (60, bits));
        assert!(amount(&last).is_satisfied_with_all(forged), "{bits}");
        assert!(!amount(&(last + 1u8)).is_satisfied());
    }
}

#[test]
fn near_checks_take_all_of_their_bits() {
    for bits in sampled(8..=14, 3) {
        for number in lengths(bits) {
            for value in [BigUint::ZERO, power(0), power(number - 1), power(number) - 1u8] {
                assert!(near(&value, number, bits).is_satisfied(), "{bits}, {value}");
            }
            let minus_one = modulus::<Fr>() - 1u8;
            for value in [bound(number, bits), power(number + 1), power(number + 3), minus_one] {
                assert!(!near(&value, number, bits).is_satisfied(), "{bits}, {value}");
            }
        }
    }
}

/// The greatest number that passes is less than a limb above the others, and is there by limbs that overlap.
#[test]
fn near_checks_end_at_their_bound() {
    for bits in sampled(8..=14, 3) {
        for number in lengths(bits) {
            let (of, end) = ((number, bits), bound(number, bits));
            let longest = power(bits) - 1u8;
            let mut last = near(&(&end - 1u8), number, bits);
            let forged = sums_behind(&(&end - 1u8), &longest, of);
            assert!(last.is_satisfied_with_all(forged), "{bits}, {number}");
            let mut beyond = near(&end, number, bits);
            let step = power(step(number, bits));
            for limb in [&end % &step, power(bits) - step, power(bits)] {
                let forged = sums_behind(&end, &limb, of);
                assert!(!beyond.is_satisfied_with_all(forged), "{bits}, {limb}");
            }
        }
    }
}

/// All limbs of another value.
#[test]
fn the_value_that_is_checked_is_the_one_that_was_given() {
    let mut test = TestCircuit::new(layout(9, &[]), |ctx| {
        let value = ctx.load_witness(Fr::from(0x12_3456_789a));
        ctx.range.check(value, 40);
        ctx.range.check(QuantumCell::Constant(Fr::from(0xabcd)), 16);
    });
    test.assert_satisfied();
    let forger = test.forger();
    for (row, value) in [(0, 0), (0, 0xff_ffff_ffff), (5, 0x1234)] {
        let starts = [((6, row), Fr::from(value))];
        test.assert_only_copies_refuse(&forger, "another value", &starts);
    }
}
