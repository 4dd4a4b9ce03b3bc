//! Slots that are unused count nothing.

use ff::Field;
use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, Context};
use num_bigint::BigUint;

use super::{
    prime::{padding_left, sum_of_slots, Slot, SumEquations},
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

fn bits(ctx: &mut Context<Fr>, chips: &Chips, used: &[bool]) -> Vec<Bit> {
    let bit = |used: &bool| {
        let cell = ctx.load_witness(Fr::from(u64::from(*used)));
        Bit::checked(ctx, &chips.gate, cell)
    };
    used.iter().map(bit).collect()
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
            summed::<C>(&pairs, &used, &walk, Some(&expected)).assert_satisfied();
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

/// The multiple of the padding is that of the slots, wherever the unused ones are, and 0 or 1.
#[test]
fn what_is_left_of_the_padding() {
    let equations = SumEquations::of::<bn256::G1Affine>();
    let left = |used: &[bool], expected: Fr| {
        TestCircuit::new(layout::<bn256::G1Affine>(&equations), |ctx, chips| {
            element(chips.foreign(), &BigUint::ZERO);
            let used = bits(ctx, chips, used);
            assert_eq!(*padding_left(ctx, chips, &used).cell().value(), expected);
        })
    };
    let (yes, no) = (true, false);
    for (used, expected) in [
        (&[yes][..], 0),
        (&[no], 1),
        (&[yes, yes], 0),
        (&[yes, no], 1),
        (&[no, no], 0),
        (&[yes, no, no], 0),
        (&[no, no, no], 1),
        // Not the last ones, but their signs cancel, or one is left.
        (&[no, no, yes], 0),
        (&[no, yes, yes], 1),
    ] {
        left(used, Fr::from(expected)).assert_satisfied();
    }
    for (used, value) in [
        (&[no, yes, no][..], Fr::from(2)),
        (&[yes, no, yes], -Fr::ONE),
        (&[no, yes, yes, yes], -Fr::ONE),
    ] {
        left(used, value).assert_bit_is_bound(value);
    }
}

#[test]
fn used_slots_come_first() {
    let point = random::<bn256::G1Affine>(1, 22)[0];
    assert_eq!(addends(&[None, None, Some(point)]), Err(SumError::Unused(2)));
    assert_eq!(addends(&[Some(point), None, Some(point)]), Err(SumError::Unused(2)));
}
