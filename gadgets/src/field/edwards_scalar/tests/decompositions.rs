//! Decompositions into limbs and halves that differ from the canonical ones.

use halo2_base::utils::fe_to_biguint;

use super::*;
use muster_gates::{edwards::AssignedShort, Forged};

/// Running sums of a check with other contents, from the row where `old` has its home.
fn forged_check(test: &TestCircuit, old: Fr, new: Fr, limbs: usize) -> Vec<Forged> {
    let column = 6;
    let sums = &test.advice()[column];
    let row = sums.iter().position(|cell| *cell == old).expect("the value is checked");
    let integer = fe_to_biguint(&new);
    let cell = |limb: usize| Forged {
        column,
        row: row + limb,
        value: biguint_to_fe(&(&integer >> (8 * limb))),
    };
    (0..limbs).map(cell).collect()
}

/// A decomposition of `c + r`, or of `c` into limbs that carry into each other.
#[test]
fn other_decompositions_are_refused() {
    let c: BigInt =
        (BigInt::from(0x1234_5678u64) << 200usize) + (BigInt::from(77u8) << 100usize) + 5;
    let mut test = TestCircuit::new(layout(10, &[]), |ctx| {
        let c = ctx.load_witness(bigint_to_fe(&c));
        AssignedCanonical::of_field(ctx, c);
    });
    assert!(test.is_satisfied());
    let mask = power_of_two(LIMB) - 1u8;
    let largest: BigInt = (r() >> TWO_LIMBS) - 1u8;
    let parts = |v: &BigInt| [v & &mask, (v >> LIMB) & &mask, v >> TWO_LIMBS];
    let fe = |v: &BigInt| bigint_to_fe::<Fr>(v);
    let [low, mid, high] = parts(&c);
    let mut forge = |new: [BigInt; 3], room: BigInt| {
        let sum = |low: &BigInt, mid: &BigInt| fe(&(low + (mid << LIMB)));
        let changes = [
            (fe(&low), fe(&new[0])),
            (fe(&mid), fe(&new[1])),
            (fe(&high), fe(&new[2])),
            (fe(&(&largest - &high)), fe(&room)),
            (sum(&low, &mid), sum(&new[0], &new[1])),
        ];
        let mut forged = test.replace(&changes);
        for (i, limbs) in [9, 9, 14, 14].into_iter().enumerate() {
            forged.extend(forged_check(&test, changes[i].0, changes[i].1, limbs));
        }
        (test.is_satisfied_with_all(forged.clone()), test.fails_range_checks_alone(forged))
    };
    let (holds, out_of_range, inconsistent) = ((true, false), (false, true), (false, false));
    // The helper itself: nothing changed.
    assert_eq!(forge([low.clone(), mid.clone(), high.clone()], &largest - &high), holds);
    let raised = parts(&(&c + r()));
    assert!(raised[2] > largest && raised[2] < power_of_two(112));
    assert_eq!(forge(raised.clone(), &largest - &raised[2]), out_of_range);
    assert_eq!(forge(raised, BigInt::zero()), inconsistent);
    // The same integer with limbs that are too large or negative.
    let room = &largest - &high;
    let moved = [&low + power_of_two(LIMB), &mid - 1, high.clone()];
    assert_eq!(forge(moved, room.clone()), out_of_range);
    let moved = [&low - power_of_two(LIMB), &mid + 1, high.clone()];
    assert_eq!(forge(moved, room.clone()), out_of_range);
    let moved = [low.clone(), &mid + power_of_two(LIMB), &high - 1];
    assert_eq!(forge(moved, room + 1), out_of_range);
}

/// The product that the halves of a squeezed element are the scalars of.
fn multiply(chips: &Chips, halves: [u128; 2]) -> [AssignedShort; 2] {
    let table = generator(chips);
    let scalar = LongScalar::new(&1.into());
    let long = [LongTerm { table: &table, scalar }];
    let short = halves.map(|v| ShortTerm { table: &table, scalar: ShortScalar::new(v) });
    chips.edwards.multiply(0, &long, &short).short.try_into().expect("two terms")
}

/// The coefficients squeezed from `element`.
fn squeezed_pair(element: Fr) -> TestCircuit {
    TestCircuit::new(layout(10, &[]), |ctx| {
        let pair = multiply(ctx.chips, halves(&element));
        let element = ctx.load_witness(element);
        Coefficient::pair(ctx, element, &pair);
    })
}

/// `v₀` and `v₁` of `squeezed + r`: the digits of a squeezed element that is not reduced. Every cell follows
/// from them but the room below the modulus.
#[test]
fn a_squeezed_element_that_is_not_reduced() {
    // No two parts of its halves are equal, so that they can be told apart.
    let squeezed = Fr::from(0xdead_beef).pow_vartime([77u64]);
    let raised = fe_to_biguint(&squeezed) + modulus::<Fr>();
    let mut honest = squeezed_pair(squeezed);
    assert!(honest.is_satisfied());
    let digits = raised.to_u64_digits();
    let half = |i: usize| u128::from(digits[i + 1]) << 64 | u128::from(digits[i]);
    let raised = [half(2), half(0)];
    // The rows of a product with the raised halves take the place of the honest ones.
    let (old, new) = (halves(&squeezed), raised);
    let other = TestCircuit::new(layout(10, &[]), |ctx| {
        multiply(ctx.chips, new);
    });
    let (from, to) = (honest.advice(), other.advice());
    let mut forged = vec![];
    for column in 0..6 {
        for (row, value) in to[column].iter().enumerate() {
            if from[column][row] != *value {
                forged.push(Forged { column, row, value: *value });
            }
        }
    }
    assert!(!forged.is_empty());
    // The cells of the vertical gate that are copies of running sums, and the differences of them.
    let z = |v: u128| Coefficient::witness(v);
    let low = |v: u128| ShortParts::of(v).low;
    let high = |v: u128| ShortParts::of(v).high;
    let mut changes: Vec<(Fr, Fr)> = vec![];
    for i in 0..2 {
        for part in [z, low, high] {
            changes.push((bigint_to_fe(&part(old[i])), bigint_to_fe(&part(new[i]))));
        }
    }
    let sums = |cells: &[Vec<Fr>]| cells[5].clone();
    changes
        .extend(sums(&from).into_iter().zip(sums(&to)).filter(|(a, b)| a != b && *a != Fr::zero()));
    let room = |v: u128| {
        let largest: BigInt = (r() >> 128usize) - 1;
        bigint_to_fe::<Fr>(&(largest - BigInt::from(v)))
    };
    for value in [room(new[0]), Fr::zero()] {
        let mut changes = changes.clone();
        changes.push((room(old[0]), value));
        let vertical = honest.replace(&changes).into_iter().filter(|f| f.column > 5);
        let all: Vec<_> = forged.iter().copied().chain(vertical).collect();
        assert!(!honest.is_satisfied_with_all(all.clone()));
        assert_eq!(honest.fails_range_checks_alone(all), value != Fr::zero());
    }
}

/// The two parts of a short scalar as the digits give them.
struct ShortParts {
    low: BigInt,
    high: BigInt,
}

impl ShortParts {
    /// 18 digits below `2^72`, 14 above, each odd.
    fn of(v: u128) -> Self {
        let digit = |i: usize| 2 * BigInt::from(v >> (4 * i) & 15) - 15;
        let sum = |digits: std::ops::Range<usize>| {
            let start = digits.start;
            digits.map(|i| digit(i) << (4 * (i - start))).sum::<BigInt>()
        };
        Self { low: sum(0..18), high: sum(18..32) }
    }
}

#[test]
fn short_scalars_split_at_a_digit() {
    for v in [0, 1, u128::MAX, 1 << 72, (1 << 72) - 1, 0x0123_4567_89ab_cdef_0011_2233_4455_6677] {
        let ShortParts { low, high } = ShortParts::of(v);
        assert_eq!(&low + (&high << LIMB), Coefficient::witness(v));
        assert!(low.abs() < power_of_two(LIMB) && high.abs() < power_of_two(128 - LIMB));
        assert!(low.bit(0) && high.bit(0));
    }
    for squeezed in [Fr::zero(), Fr::one(), -Fr::one(), squeezed()] {
        let [high, low] = halves(&squeezed).map(BigInt::from);
        assert_eq!((high << 128usize) + low, BigInt::from(fe_to_biguint(&squeezed)));
    }
}
