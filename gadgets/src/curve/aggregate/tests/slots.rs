//! Slots that are unused count nothing.

use ff::Field;
use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, Context};
use num_bigint::BigUint;

use super::{
    prime::{choose, padding_left, rest, sum_of_slots, Pair, Slot, SumEquations},
    prime_sums::room,
    *,
};
use crate::{
    field::foreign::integer::{constant, element},
    gate::{small::Bit, testing::TestCircuit, Chips, Layout},
};

fn layout<C: CurveAffine>(equations: &SumEquations) -> Layout
where
    C::Base: Coefficients<1>,
{
    let top = equations.modulus() - 1u8;
    Layout {
        constant_rows: 512,
        ..room(equations, (12, 4), &[constant(equations.modulus(), &top)])
    }
}

/// A bit, and the row of its cell.
fn input(ctx: &mut Context<Fr>, chips: &Chips, used: bool, rows: &mut Vec<usize>) -> Bit {
    rows.push(ctx.advice.len());
    let cell = ctx.load_witness(Fr::from(u64::from(used)));
    Bit::checked(ctx, &chips.gate, cell)
}

fn bits(ctx: &mut Context<Fr>, chips: &Chips, used: &[bool]) -> Vec<Bit> {
    used.iter().map(|used| input(ctx, chips, *used, &mut vec![])).collect()
}

/// The sum in slots of which so many are used, and what a prover says of it.
fn summed<C: CurveAffine>(
    slots: &[Affine<C>],
    used: &[bool],
    walk: &SumWalk<1>,
    expected: Option<&[Element<1>; 2]>,
) -> TestCircuit
where
    C::Base: Coefficients<1>,
{
    let equations = SumEquations::of::<C>();
    let padding = Padding::of::<C>();
    TestCircuit::new(layout::<C>(&equations), |ctx, chips| {
        let chip = chips.foreign();
        (0..4).for_each(|_| drop(element(chip, &BigUint::ZERO)));
        let used = bits(ctx, chips, used);
        let slot = |(point, used): (&Affine<C>, Bit)| Slot {
            point: coefficients(point).map(|[number]| element(chip, &number)),
            used,
        };
        let slots: Vec<_> = slots.iter().zip(used).map(slot).collect();
        let found = sum_of_slots(ctx, chips, chip, (&equations, &padding), &slots, walk);
        if let Some(expected) = expected {
            let found = found.each_ref().map(|coordinate| [coordinate.value().clone()]);
            assert_eq!(found, *expected);
        }
    })
}

/// Keys in the first slots, and whatever the prover likes in the others.
fn filled<C: CurveAffine>(points: &[C], slots: usize) -> Vec<Affine<C>> {
    let nothing = [C::Base::from(5), C::Base::from(6)];
    let mut pairs: Vec<_> = points.iter().map(affine).collect();
    pairs.resize(slots, nothing);
    pairs
}

fn count_nothing<C: CurveAffine>()
where
    C::Base: Coefficients<1>,
{
    let points = random::<C>(4, 20);
    for slots in 1..=4 {
        for count in 1..=slots {
            let mut options: Vec<_> = points[..count].iter().copied().map(Some).collect();
            options.resize(slots, None);
            let addends = addends(&options).expect("those that are used come first");
            let walk = SumWalk::new(&addends).expect("there is a sum");
            let expected = sum_of(&points[..count]);
            assert_eq!(walk.sum(), expected.each_ref());
            let used: Vec<_> = options.iter().map(Option::is_some).collect();
            let pairs = filled(&points[..count], slots);
            let test = summed::<C>(&pairs, &used, &walk, Some(&expected));
            test.assert_satisfied();
            if (slots, count) == (2, 1) {
                test.assert_relations_are_bound("aggregate/prime/slots.rs");
            }
        }
    }
}

#[test]
fn unused_slots_count_nothing() {
    count_nothing::<bn256::G1Affine>();
    count_nothing::<bls12_381::G1Affine>();
}

fn lies<C: CurveAffine>()
where
    C::Base: Coefficients<1>,
{
    let points = random::<C>(3, 21);
    let start = affine(&first_start::<C>());
    let of = |used: &[bool], addends: &[C]| {
        let addends: Vec<_> = addends.iter().map(affine).collect();
        let walk = regardless(&addends, &start, C::Base::ZERO, None);
        summed::<C>(&filled(&points, 3), used, &walk, None)
    };
    let honest = addends(&[Some(points[0]), Some(points[1]), None]).expect("in order");
    of(&[true, true, false], &honest).assert_satisfied();
    // The key in the unused slot counts, or one in a used slot does not.
    let all = addends(&points.iter().copied().map(Some).collect::<Vec<_>>()).expect("in order");
    let fewer = addends(&[Some(points[0]), None, None]).expect("in order");
    for claimed in [&all, &fewer] {
        let test = of(&[true, true, false], claimed);
        assert!(!test.is_satisfied());
    }
    // Padding that is not taken away, or twice.
    let [one, minus_one, minus_two] = [honest[3], opposite(&honest[3]), honest[4]];
    for end in [[one, minus_one], [minus_one, minus_two], [one, one]] {
        let claimed = [honest[0], honest[1], honest[2], end[0], end[1]];
        let test = of(&[true, true, false], &claimed);
        assert!(!test.is_satisfied());
    }
}

#[test]
fn padding_is_taken_away() {
    lies::<bn256::G1Affine>();
    lies::<bls12_381::G1Affine>();
}

/// The multiple of the padding is that of the slots, wherever the unused ones are; and no cell that it is computed in is
/// free.
#[test]
fn what_is_left_of_the_padding() {
    let equations = SumEquations::of::<bn256::G1Affine>();
    let assert_left = |used: &[bool], expected: Fr| {
        let mut inputs = vec![];
        let test = TestCircuit::new(layout::<bn256::G1Affine>(&equations), |ctx, chips| {
            element(chips.foreign(), &BigUint::ZERO);
            let used: Vec<_> =
                used.iter().map(|used| input(ctx, chips, *used, &mut inputs)).collect();
            // Twice: what happens an odd number of times, and an even one.
            for _ in 0..2 {
                assert_eq!(*padding_left(ctx, &used).value(), expected);
            }
        });
        test.assert_satisfied();
        assert_eq!(test.open_values_given(inputs), (vec![], 0), "{used:?}");
    };
    let (yes, no) = (true, false);
    for (used, expected) in [
        (&[yes][..], Fr::ZERO),
        (&[no], Fr::ONE),
        (&[yes, yes], Fr::ZERO),
        (&[yes, no], Fr::ONE),
        (&[no, no], Fr::ZERO),
        (&[yes, no, no], Fr::ZERO),
        (&[no, no, no], Fr::ONE),
        // Not the last ones.
        (&[no, no, yes], Fr::ZERO),
        (&[no, yes, yes], Fr::ONE),
        (&[no, yes, no], Fr::from(2)),
        (&[yes, no, yes], -Fr::ONE),
        (&[no, yes, yes, yes], -Fr::ONE),
    ] {
        assert_left(used, expected);
    }
}

/// Limbs that a bit selects are those of one pair: no cell on the way is free.
#[test]
fn pairs_are_chosen_by_bits() {
    let equations = SumEquations::of::<bn256::G1Affine>();
    for used in [false, true] {
        let mut inputs = vec![];
        let test = TestCircuit::new(layout::<bn256::G1Affine>(&equations), |ctx, chips| {
            let chip = chips.foreign();
            let pair = |from: u8| -> Pair { [from, from + 1].map(|x| element(chip, &x.into())) };
            let (a, b) = (pair(1), pair(3));
            let used = input(ctx, chips, used, &mut inputs);
            choose(ctx, chip, used, [&a, &b]);
        });
        test.assert_satisfied();
        assert_eq!(test.open_values_given(inputs).0, [Fr::ZERO; 0]);
    }
}

/// Another limb than that of the pair, with all that follows: a copy refuses it.
#[test]
fn chosen_limbs_are_those_of_the_pairs() {
    let equations = SumEquations::of::<bn256::G1Affine>();
    for (used, coordinate, limb) in [(true, 0, 0), (true, 1, 0), (true, 1, 3), (false, 0, 1)] {
        let mut test = TestCircuit::new(layout::<bn256::G1Affine>(&equations), |ctx, chips| {
            let chip = chips.foreign();
            let pair = |from: u8| -> Pair { [from, from + 1].map(|x| element(chip, &x.into())) };
            let (mut a, mut b) = (pair(1), pair(3));
            let lie = if used { &mut a } else { &mut b };
            lie[coordinate] = lie[coordinate].lying_limb(limb);
            let used = input(ctx, chips, used, &mut vec![]);
            choose(ctx, chip, used, [&a, &b]);
        });
        assert_eq!(test.failing(vec![]), ["copy"]);
    }
}

/// It is a bit.
#[test]
fn no_more_is_left_than_one() {
    let equations = SumEquations::of::<bn256::G1Affine>();
    for value in [Fr::from(2), -Fr::ONE] {
        let mut test = TestCircuit::new(layout::<bn256::G1Affine>(&equations), |ctx, chips| {
            let chip = chips.foreign();
            let zero = element(chip, &BigUint::ZERO);
            let pair = [zero.clone(), zero];
            let left = ctx.load_witness(value);
            rest(ctx, (chips, chip), left, [&pair, &pair, &pair]);
        });
        test.assert_bit_is_bound(value);
    }
}

#[test]
fn used_slots_come_first() {
    let point = random::<bn256::G1Affine>(1, 22)[0];
    assert_eq!(addends(&[None, None, Some(point)]), Err(SumError::Unused(2)));
    assert_eq!(addends(&[Some(point), None, Some(point)]), Err(SumError::Unused(2)));
}
