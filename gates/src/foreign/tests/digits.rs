//! Tables and digits: what is found, what is not, and the difference of first coordinates.

use num_bigint::RandBigInt;
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;

use super::*;

/// The numbers of two tables, and entries by magnitude.
struct Tables {
    numbers: [usize; 2],
    entries: [Vec<(BigUint, BigUint)>; 2],
}

/// Tables of entries by 1, 3 and 5, in the next blocks.
fn tables(chip: &ForeignChip) -> Tables {
    let mut rng = ChaCha20Rng::seed_from_u64(5);
    let mut numbers = [0; 2];
    let entries = [0, 1].map(|which| {
        numbers[which] = chip.table();
        let pair = |digit: u8| {
            let (x, y) = (rng.gen_biguint(30), rng.gen_biguint(250));
            entry(chip, (numbers[which], digit), (&x, &y));
            (x, y)
        };
        [1, 3, 5].map(pair).to_vec()
    });
    Tables { numbers, entries }
}

/// The blocks of the tables, of the accumulator, and of two digits.
const FIRST: usize = HISTORY + 12 + 2;

fn turned(y: &BigUint, digit: i8) -> BigUint {
    let p = base_field();
    if digit < 0 {
        &p - y % &p
    } else {
        y.clone()
    }
}

/// Two digits below an accumulator at `x`, the first one as given.
fn asked(layout: &Layout, first: impl FnOnce(&Tables) -> (BigUint, Digit)) -> TestCircuit {
    circuit(layout, |chip| {
        let tables = tables(chip);
        let (x, digit) = first(&tables);
        let above = [x, number(7)].map(|value| any(chip, &value));
        assert_eq!(chip.count(), FIRST);
        let mut scalar = AssignedDigits::default();
        let mut cursor = chip.below(&above.each_ref());
        cursor.relate_digit(&ask(), &mut scalar, &digit, &turned(&digit.entry.1, digit.digit));
        let entry = tables.entries[1][0].clone();
        let second = Digit { table: tables.numbers[1], digit: -1, entry };
        let y = turned(&second.entry.1, -1);
        cursor.relate_digit(&ask(), &mut scalar, &second, &y);
        assert_eq!(scalar.value(), &BigInt::from(16 * i32::from(digit.digit) - 1));
    })
}

fn good(tables: &Tables, digit: i8) -> Digit {
    let entry = tables.entries[0][usize::from(digit.unsigned_abs() / 2)].clone();
    Digit { table: tables.numbers[0], digit, entry }
}

const ENTRY: &str = "foreign: entry of a table";

#[test]
fn digits_find_their_entries() {
    for of in SHAPES {
        for digit in [1, -1, 3, -5] {
            asked(&shape(of), |tables| (number(9), good(tables, digit))).assert_satisfied();
        }
    }
}

/// What stands in no table, or in another one, or as two halves in two entries.
#[test]
fn other_entries_are_not_found() {
    let layout = shape(SMALL);
    let refused = |change: &dyn Fn(&Tables, &mut Digit)| {
        let mut test = asked(&layout, |tables| {
            let mut digit = good(tables, 3);
            change(tables, &mut digit);
            (number(9), digit)
        });
        assert_eq!(test.failing(vec![]), [ENTRY]);
    };
    refused(&|_, digit| digit.digit = 1);
    refused(&|_, digit| digit.digit = 5);
    refused(&|_, digit| digit.digit = -5);
    refused(&|_, digit| digit.digit = 7);
    refused(&|_, digit| digit.digit = 17);
    refused(&|_, digit| digit.digit = 2);
    refused(&|_, digit| digit.digit = -4);
    refused(&|tables, digit| digit.table = tables.numbers[1]);
    refused(&|_, digit| digit.table = 2);
    refused(&|_, digit| digit.table = 1000);
    refused(&|tables, digit| digit.entry = tables.entries[1][1].clone());
    refused(&|tables, digit| digit.entry.0 = tables.entries[0][0].0.clone());
    refused(&|tables, digit| digit.entry.1 = tables.entries[0][2].1.clone());
    refused(&|tables, digit| digit.entry.0 = tables.entries[1][1].0.clone());
    refused(&|_, digit| digit.entry.0 += base_field());
    refused(&|_, digit| digit.entry = (number(0), number(0)));
    // Each limb by itself, of each coordinate.
    let format = block(&layout).format().clone();
    for limb in 0..format.limbs() {
        let bit = BigUint::one() << (limb * format.limb_bits());
        refused(&|_, digit| digit.entry.0 ^= &bit);
        refused(&|_, digit| digit.entry.1 ^= &bit);
    }
    refused(&|_, digit| digit.entry = (number(9 + 1), number(1)));
}

/// The tuple of zeros, which is there for all rows that ask for nothing, answers no digit.
#[test]
fn the_digit_zero() {
    let layout = shape(SMALL);
    let mut test = asked(&layout, |tables| {
        let entry = (number(0), number(0));
        (number(9), Digit { table: tables.numbers[0], digit: 0, entry })
    });
    assert_eq!(test.failing(vec![]), [ENTRY, "the sign is 1 or -1"]);
    let sign = operand(&block(&layout), FIRST, OperandCell::Sign, Fr::one());
    assert_eq!(test.failing(vec![sign]), [ENTRY]);
}

/// Another sign, magnitude, or running sum.
#[test]
fn digits_are_sign_times_magnitude() {
    for of in [(8, 1), SMALL, (12, 9)] {
        let layout = shape(of);
        let block = block(&layout);
        let mut test = asked(&layout, |tables| (number(9), good(tables, 3)));
        let put = |cell, value: Fr| operand(&block, FIRST, cell, value);
        let (sum, sign) = ("the sum takes the digit", "the sign is 1 or -1");
        // The entry is turned with the sign, and the relation is about it.
        let negative = put(OperandCell::Sign, -Fr::one());
        assert_eq!(test.failing(vec![negative]), ["limbs", "native", sum]);
        let after = put(OperandCell::After, -Fr::from(3));
        let next = operand(&block, FIRST + 1, OperandCell::Before, -Fr::from(3));
        let end = operand(&block, FIRST + 1, OperandCell::After, -Fr::from(49));
        assert_eq!(test.failing(vec![negative, after, next, end]), ["limbs", "native"]);
        assert_eq!(test.failing(vec![after, next, end]), [sum]);
        assert_eq!(test.failing(vec![next, end]), ["copy"]);
        // A scalar that starts at 1, and goes on from there.
        let chain = |more: u64| {
            let put = |id, cell, value: u64| operand(&block, id, cell, Fr::from(value));
            vec![
                put(FIRST, OperandCell::Before, more),
                put(FIRST, OperandCell::After, 16 * more + 3),
                put(FIRST + 1, OperandCell::Before, 16 * more + 3),
                put(FIRST + 1, OperandCell::After, 16 * (16 * more + 3) - 1),
            ]
        };
        assert!(test.failing(chain(0)).is_empty());
        assert_eq!(test.failing(chain(1)), ["copy"]);
        // 3 = 3·1, with an entry of 1 or of 3.
        let thrice = put(OperandCell::Sign, Fr::from(3));
        let once = put(OperandCell::Magnitude, Fr::one());
        let failing = test.failing(vec![thrice, once]);
        assert!(failing.contains(&sign.to_owned()) && failing.contains(&ENTRY.to_owned()));
        let before = put(OperandCell::Before, Fr::one());
        assert_eq!(test.failing(vec![before]), ["copy", sum]);
    }
}

/// `Y` is `x - x₁` with `x` the accumulator's: 0 and plus or minus the prime are refused, whatever
/// is given for an inverse.
#[test]
fn the_difference_is_not_a_multiple_of_the_prime() {
    let p = base_field();
    for of in [(8, 1), SMALL, (13, 4)] {
        let layout = shape(of);
        let block = block(&layout);
        for (entry, x) in [(77, number(77)), (77, &p + 77u8)] {
            for swapped in [false, true] {
                let (entry, x) =
                    if swapped { (x.clone(), number(entry)) } else { (number(entry), x.clone()) };
                let mut test = circuit(&layout, |chip| {
                    let table = chip.table();
                    super::entry(chip, (table, 1), (&entry, &number(5)));
                    let above = [&x, &number(7)].map(|value| any(chip, value));
                    let digit = Digit { table, digit: 1, entry: (entry.clone(), number(5)) };
                    let mut cursor = chip.below(&above.each_ref());
                    let mut digits = AssignedDigits::default();
                    cursor.relate_digit(&ask(), &mut digits, &digit, &number(5));
                });
                let (zero, id) = ("the difference is not 0", HISTORY + 4);
                assert_eq!(test.failing(vec![]), [zero]);
                for inverse in [Fr::one(), -Fr::one(), biguint_to_fe(&p)] {
                    let forged = operand(&block, id, OperandCell::Inverse, inverse);
                    assert_eq!(test.failing(vec![forged]), [zero]);
                }
                // A difference that has an inverse is not that of the coordinates.
                let one = Fr::one();
                let prime: Fr = biguint_to_fe(&p);
                let product = (one - prime) * (one + prime);
                let inverse = Option::from(product.invert()).expect("not zero");
                let forged = [(OperandCell::Difference, one), (OperandCell::Inverse, inverse)]
                    .map(|(cell, value)| operand(&block, id, cell, value));
                assert_eq!(test.failing(forged.to_vec()), ["the difference"]);
            }
        }
        // Its neighbours are fine.
        for x in [number(76), number(78), &p + 76u8, &p + 78u8] {
            circuit(&layout, |chip| {
                let table = chip.table();
                entry(chip, (table, 1), (&number(77), &number(5)));
                let above = [&x, &number(7)].map(|value| any(chip, value));
                let digit = Digit { table, digit: 1, entry: (number(77), number(5)) };
                let mut cursor = chip.below(&above.each_ref());
                let mut digits = AssignedDigits::default();
                cursor.relate_digit(&ask(), &mut digits, &digit, &number(5));
            })
            .assert_satisfied();
        }
    }
}

/// Three times a scalar of four digits, to which the operand that holds it adds `more`.
fn scalar_times_three(more: i64) -> TestCircuit {
    TestCircuit::new(shape(SMALL), |ctx| {
        let chip = ctx.chips.foreign();
        (0..HISTORY).for_each(|_| drop(any(chip, &BigUint::ZERO)));
        let tables = tables(chip);
        let above = [9, 7].map(|value| any(chip, &number(value)));
        let mut cursor = chip.below(&above.each_ref());
        let mut scalar = AssignedDigits::default();
        let signed = Equation::multiply(&scalar_field()).signed(0);
        for digit in [-3, 1, -5, 5] {
            let digit = good(&tables, digit);
            cursor.relate_digit(&ask(), &mut scalar, &digit, &turned(&digit.entry.1, digit.digit));
            for value in [9, 7] {
                cursor.relate(&Equation::free(), &[], &number(value));
            }
        }
        let value = scalar.value() + more;
        let limbs =
            AssignedScalar::whole(&scalar).limbs(ctx, chip.block()).lying(vec![value.clone()]);
        let three = any(chip, &number(3));
        let n = BigInt::from(scalar_field());
        let product: BigInt = value * 3 + n;
        let product = product.magnitude().clone();
        let operands = [Operand::Signed(&limbs), Operand::Element(&three)];
        chip.relate(&signed, &operands, &product);
        chip.enter_all();
    })
}

/// A scalar's limbs are the differences of its running sums, each with a sign of its own; another scalar in
/// the operand, with the product that follows from it, is refused by copies alone.
#[test]
fn limbs_of_a_scalar() {
    scalar_times_three(0).assert_satisfied();
    for more in [2, -2, 1 << 20] {
        assert_eq!(scalar_times_three(more).failing(vec![]), ["copy"], "{more}");
    }
}
