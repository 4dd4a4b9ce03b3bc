use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, utils::biguint_to_fe, QuantumCell};
use num_bigint::{BigUint, RandBigInt};
use num_traits::{One, Zero};
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;

use super::super::{
    chip::{digits_of_hint, ForeignField},
    halves::below,
};
use muster_forgery::testing::{layout, TestCircuit};
use muster_gates::{foreign::ForeignLayout, Chips, GateContext, Layout};
use muster_schemes::curve::weierstrass::Curve;

fn circuit(build: impl FnOnce(&mut GateContext, &ForeignField)) -> TestCircuit {
    let field = ForeignField::new(Curve::Secp256k1.p());
    let native = halo2_base::utils::modulus::<Fr>();
    let foreign = ForeignLayout::new(&native, 12, 2, &field.all());
    let layout = Layout { range_bits: 12, foreign: vec![foreign], ..layout(13, &[]) };
    TestCircuit::new(layout, |ctx| {
        // The mock prover cannot show a failure whose queries reach above the first row.
        (0..4).for_each(|_| drop(field.element(ctx.chips.foreign(), &BigUint::zero())));
        build(ctx, &field);
    })
}

fn values() -> Vec<BigUint> {
    let p = Curve::Secp256k1.p();
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    let top = (BigUint::one() << 256) - 1u8;
    vec![BigUint::one(), p - 1u8, p + 1u8, top, rng.gen_biguint(256), rng.gen_biguint(255)]
}

#[test]
fn arithmetic_is_that_of_the_field() {
    let p = Curve::Secp256k1.p();
    let test = circuit(|ctx, field| {
        let chip = ctx.chips.foreign();
        for a in &values() {
            for b in &values()[3..] {
                let (x, y) = (field.element(chip, a), field.element(chip, b));
                assert_eq!(*field.add(chip, &x, &y).value(), (a + b) % p);
                assert_eq!(*field.mul(chip, &x, &y).value(), a * b % p);
                let quotient = field.div(chip, &x, &y);
                let back = field.mul(chip, &quotient, &y);
                field.assert_equal(chip, &back, &x);
                let difference = field.sub(chip, &x, &y);
                let back = field.add(chip, &difference, &y);
                field.assert_equal(chip, &back, &x);
            }
        }
    });
    test.assert_satisfied();
}

#[test]
fn what_does_not_hold_is_refused() {
    let p = Curve::Secp256k1.p();
    let refused = |build: fn(&Chips, &ForeignField)| {
        assert!(!circuit(|ctx, field| build(ctx.chips, field)).is_satisfied());
    };
    refused(|chips, field| {
        let zero = field.element(chips.foreign(), Curve::Secp256k1.p());
        field.invert(chips.foreign(), &zero);
    });
    refused(|chips, field| {
        let zero = field.constant(chips.foreign(), &BigUint::zero());
        field.div(chips.foreign(), &zero, &zero);
    });
    refused(|chips, field| {
        let [a, b] = [3u8, 4].map(|x| field.constant(chips.foreign(), &x.into()));
        field.assert_equal(chips.foreign(), &a, &b);
    });
    refused(|chips, field| {
        let a = field.element(chips.foreign(), Curve::Secp256k1.p());
        field.canonical(chips.foreign(), &a);
    });
    let top = circuit(|ctx, field| {
        let a = field.element(ctx.chips.foreign(), &(p - 1u8));
        field.canonical(ctx.chips.foreign(), &a);
    });
    top.assert_satisfied();
}

#[test]
fn bits_bytes_and_tests_of_zero() {
    let p = Curve::Secp256k1.p();
    let mut numbers: Vec<_> = values()[4..].iter().map(|value| value % p).collect();
    numbers.push(BigUint::zero());
    let test = circuit(|ctx, field| {
        for number in &numbers {
            let element = field.element(ctx.chips.foreign(), number);
            let canonical = field.canonical(ctx.chips.foreign(), &element);
            let bit = |cell: &Fr| *cell == Fr::one();
            assert_eq!(bit(field.is_zero(ctx, &canonical).value()), number.is_zero());
            assert_eq!(bit(field.is_odd(ctx, &canonical).value()), number.bit(0));
            let bits = field.bits(ctx, &canonical);
            assert!(bits
                .iter()
                .enumerate()
                .all(|(i, cell)| bit(cell.value()) == number.bit(i as u64)));
            let bytes = field.bytes(ctx, &canonical);
            let mut expected = number.to_bytes_le();
            expected.resize(32, 0);
            assert!(bytes
                .iter()
                .zip(&expected)
                .all(|(cell, b)| *cell.value() == Fr::from(u64::from(*b))));
            assert_eq!(bytes.len(), 32);
            let [one, other] =
                [number.clone(), number + 1u8].map(|n| field.constant(ctx.chips.foreign(), &n));
            assert!(bit(field.is_equal(ctx, &element, &one).value()));
            assert!(!bit(field.is_equal(ctx, &element, &other).value()));
        }
    });
    test.assert_satisfied();
}

#[test]
fn selection() {
    let test = circuit(|ctx, field| {
        let chip = ctx.chips.foreign();
        let [a, b] = [5u8, 9].map(|x| field.constant(chip, &x.into()));
        for (bit, expected) in [(0u64, &b), (1, &a)] {
            let bit = ctx.load_witness(Fr::from(bit));
            let chosen = chip.select(ctx, bit, &a, &b);
            field.assert_equal(chip, &chosen, expected);
        }
    });
    test.assert_satisfied();
    let two = circuit(|ctx, field| {
        let chip = ctx.chips.foreign();
        let [a, b] = [5u8, 9].map(|x| field.constant(chip, &x.into()));
        let bit = ctx.load_witness(Fr::from(2));
        chip.select(ctx, bit, &a, &b);
    });
    assert!(!two.is_satisfied());
}

const RANGE: &str = "range: limb is below 2^b";
/// The gate that keeps a bit a bit, and sums what they are.
const VERTICAL: &str = "1 column a + b * c = out";

/// A cell of eight bits where lookups have twelve: 2^8, whose multiple fills more than the last
/// lookup, and 1/16, whose multiple is a small number.
#[test]
fn cells_are_below_a_bound_that_no_lookup_ends_with() {
    let sixteenth = Fr::from(16).invert().expect("not zero");
    for (value, failing) in [
        (Fr::from(255), vec![]),
        (Fr::from(256), vec![RANGE]),
        (sixteenth, vec![RANGE]),
        (-Fr::one(), vec![RANGE]),
    ] {
        let mut test = circuit(|ctx, _| {
            below(ctx, QuantumCell::Witness(value), 8);
        });
        assert_eq!(test.failing(vec![]), failing, "{value:?}");
    }
}

/// The same sum of two digits by others: one too large, one with a fraction.
#[test]
fn digits_are_short() {
    let sixteenth = Fr::from(16).invert().expect("not zero");
    let [low, high] = [0x34, 0x12].map(Fr::from);
    for (hints, failing) in [
        ([low, high], vec![]),
        ([low + Fr::from(256), high - Fr::one()], vec![RANGE]),
        ([low - Fr::from(16), high + sixteenth], vec![RANGE]),
        ([low + Fr::one(), high], vec![VERTICAL]),
    ] {
        let mut test = circuit(|ctx, _| {
            let cell = ctx.load_witness(Fr::from(0x1234));
            digits_of_hint(ctx, cell, 8, &hints);
        });
        assert_eq!(test.failing(vec![]), failing, "{hints:?}");
        if failing == [VERTICAL] {
            test.assert_sum_is_bound(1);
        }
    }
}

/// A digit of nine bits, the lower one and the upper one, with another number in the place of its multiple: of what
/// is multiplied and added, and of what is checked, copies alone refuse it.
#[test]
fn the_multiple_that_is_checked_is_that_of_the_digit() {
    // The first cells of the range checks, and of the vertical gate: a digit and its multiple, for each digit.
    const RANGE_COLUMN: usize = 6;
    let (long, short) = (0x134, 0x56);
    for (digit, hints) in [(0, [long, short]), (1, [short, long])] {
        let mut test = circuit(|ctx, _| {
            let cell = ctx.load_witness(Fr::from(hints[0] + 256 * hints[1]));
            digits_of_hint(ctx, cell, 8, &hints.map(Fr::from));
        });
        assert_eq!(test.failing(vec![]), [RANGE]);
        let forger = test.forger();
        let column = test.advice().len() - 1;
        let row = 1 + 4 * digit;
        let cell = |row: usize| forger.value((column, row));
        let multiple = Fr::from(16 * long);
        assert_eq!([0, 1, 2, 3].map(|i| cell(row + i)), [0, 16, long, 16 * long].map(Fr::from));
        for (place, value) in [
            ((column, row), -multiple),
            ((column, row + 1), Fr::zero()),
            ((column, row + 2), Fr::zero()),
            ((RANGE_COLUMN, 2 * digit + 1), Fr::zero()),
        ] {
            let what = format!("digit {digit}, {place:?}");
            test.assert_only_copies_refuse(&forger, &what, &[(place, value)]);
        }
    }
}

/// Six digits that are the wrong ones, by themselves and behind right ones: each cell and each gate of their sum is
/// bound.
#[test]
fn digits_make_the_cell() {
    for behind in [false, true] {
        let mut test = circuit(|ctx, _| {
            let digits: [u64; 6] = [0x34, 0x12, 0x56, 0x9a, 0x78, 0xbc];
            let sum = digits.iter().rev().fold(0, |sum, digit| 256 * sum + digit);
            let cell = ctx.load_witness(Fr::from(sum));
            let mut hints = digits.map(Fr::from);
            if behind {
                digits_of_hint(ctx, cell, 8, &hints);
            }
            hints[0] += Fr::one();
            digits_of_hint(ctx, cell, 8, &hints);
        });
        test.assert_sum_is_bound(5);
    }
}

/// A lowest limb as a number that is no bit and its half, and as the other bit and a half with a
/// fraction; by itself and behind the bit of the same element.
#[test]
fn the_lowest_bit_is_a_bit() {
    let mut rng = ChaCha20Rng::seed_from_u64(2);
    for (odd, behind) in [(false, false), (false, true), (true, false), (true, true)] {
        let mut number = rng.gen_biguint(250);
        number.set_bit(0, odd);
        let build = |hints: &dyn Fn(Fr, Fr) -> [Fr; 2]| {
            circuit(|ctx, field| {
                let element = field.element(ctx.chips.foreign(), &number);
                let canonical = field.canonical(ctx.chips.foreign(), &element);
                if behind {
                    field.is_odd(ctx, &canonical);
                }
                let limb = canonical.limbs().limbs()[0];
                let half: Fr =
                    biguint_to_fe(&(halo2_base::utils::fe_to_biguint(limb.value()) >> 1u8));
                let hints = hints(Fr::from(u64::from(odd)), half);
                field.is_odd_of_hint(ctx, &canonical, hints);
            })
        };
        let refusing = |hints: &dyn Fn(Fr, Fr) -> [Fr; 2]| build(hints).failing(vec![]);
        assert!(refusing(&|bit, half| [bit, half]).is_empty());
        let bit = Fr::from(2 + u64::from(odd));
        build(&|_, half| [bit, half - Fr::one()]).assert_bit_is_bound(bit);
        build(&|bit, half| [bit, half + Fr::one()]).assert_sum_is_bound(1);
        let two = Fr::from(2);
        let other = |bit: Fr, half: Fr| {
            let other = Fr::one() - bit;
            [other, half + (bit - other) * two.invert().expect("not zero")]
        };
        assert_eq!(refusing(&other), [RANGE], "{odd}");
    }
}

/// The prime is 0, too, but for its limbs: equal elements would be told apart by it.
#[test]
fn a_difference_is_canonical() {
    let p = Curve::Secp256k1.p();
    for (hint, equal, count) in [(BigUint::zero(), true, 0), (p.clone(), false, 1)] {
        let test = circuit(|ctx, field| {
            let elements = [p + 7u8, BigUint::from(7u8)];
            let elements = elements.map(|number| field.element(ctx.chips.foreign(), &number));
            let pair = (&elements[0], &elements[1]);
            let bit = field.is_equal_of_hint(ctx, pair, &hint);
            assert_eq!(*bit.value() == Fr::one(), equal);
        });
        assert_eq!(test.false_relations(), Some(count));
    }
}

/// An element of 0 with a limb that is none, in what decides whether it is 0.
#[test]
fn every_limb_decides_whether_an_element_is_0() {
    let mut limbs = 2;
    let mut limb = 0;
    while limb < limbs {
        let mut test = circuit(|ctx, field| {
            let zero = field.constant(ctx.chips.foreign(), &BigUint::zero());
            let zero = field.canonical(ctx.chips.foreign(), &zero);
            limbs = zero.limbs().limbs().len();
            let bit = field.is_zero(ctx, &zero.lying_limb(limb));
            assert_eq!(*bit.value(), Fr::zero());
        });
        assert_eq!(test.failing(vec![]), ["copy"], "{limb}");
        limb += 1;
    }
}

/// A limb with one more, in what takes it apart into bits, and whatever could make up for it: of limbs at even places and
/// at odd ones. Two bits are others than those of the limb.
#[test]
fn every_bit_is_bound() {
    for limb in 0..2 {
        let mut row = 0;
        let test = circuit(|ctx, field| {
            let mut number = values()[5].clone();
            for i in [0, 1] {
                let low = i * ctx.chips.foreign().block().format().limb_bits() as u64;
                number.set_bit(low, true);
                number.set_bit(low + 1, false);
            }
            let element = field.element(ctx.chips.foreign(), &number);
            let canonical = field.canonical(ctx.chips.foreign(), &element);
            let given = &canonical.limbs().limbs()[limb];
            row = ctx.advice.len();
            let cell = ctx.load_witness(*given.value());
            ctx.constrain_equal(&cell, given);
            field.bits(ctx, &canonical.lying_limb(limb));
        });
        let walk = test.walk([row]);
        assert!(walk.sums > 40 && walk.copies > 40, "{walk:?}");
    }
}

/// Each cell of the vertical gate is rewritten, with all that follows from it.
#[test]
fn bits_and_tests_of_zero_are_determined() {
    let test = circuit(|ctx, field| {
        let chip = ctx.chips.foreign();
        let number = &values()[5];
        let element = field.element(chip, number);
        let canonical = field.canonical(chip, &element);
        field.is_zero(ctx, &canonical);
        field.is_odd(ctx, &canonical);
        field.bits(ctx, &canonical);
        field.bytes(ctx, &canonical);
        let other = field.element(chip, &(number + 1u8));
        field.is_equal(ctx, &element, &other);
        let bit = ctx.load_witness(Fr::one());
        chip.select(ctx, bit, &element, &other);
    });
    test.assert_satisfied();
    // The bit that selects, which nothing binds, and sums of limbs, which the foreign gate binds.
    assert_eq!(test.open_values(), (vec![Fr::one(); 2], 43));
}

/// What is related to tell whether elements are equal, rewritten with all that follows.
#[test]
fn relations_are_bound() {
    let test = circuit(|ctx, field| {
        let chip = ctx.chips.foreign();
        for numbers in [[5u8, 9], [7, 7]] {
            let [a, b] = numbers.map(|number| field.element(chip, &number.into()));
            field.is_equal(ctx, &a, &b);
        }
    });
    test.assert_satisfied();
    test.assert_relations_are_bound("field/foreign/");
}
