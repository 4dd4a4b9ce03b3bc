//! Sums over prime fields in circuit: those that hold, and those that must not.

use ff::Field;
use halo2_base::halo2_proofs::halo2curves::bn256::Fr;
use num_bigint::BigUint;

use super::{
    prime::{sum, Pair, SumEquations},
    *,
};
use crate::{
    field::foreign::integer::{element, Integer},
    signature::bls,
};
use muster_forgery::testing::{layout, TestCircuit};
use muster_gates::{
    foreign::{Equation, ForeignLayout},
    GateContext, Layout,
};
use muster_schemes::curve::pairing::{BasePoint, PairingCurve};
use muster_schemes::field::ExtensionField;

/// Bits of a lookup and columns of sums.
const SHAPES: [(usize, usize); 3] = [(8, 4), (12, 2), (13, 9)];
const NOT_ZERO: &str = "the difference is not 0";
const FILES: &str = "curve/aggregate/";

/// Room for sums, and for other equations.
pub(super) fn room(
    equations: &SumEquations,
    (range_bits, columns): (usize, usize),
    others: &[Equation],
) -> Layout {
    let all = [equations.all(), vec![Integer::any()], others.to_vec()].concat();
    let native = halo2_base::utils::modulus::<Fr>();
    let foreign = vec![ForeignLayout::new(&native, range_bits, columns, &all)];
    Layout { range_bits, range_columns: 0, edwards_lanes: 0, foreign, ..layout(14, &[]) }
}

fn circuit(
    equations: &SumEquations,
    of: (usize, usize),
    build: impl FnOnce(&mut GateContext),
) -> TestCircuit {
    TestCircuit::new(room(equations, of, &[]), |ctx| {
        // The mock prover cannot show a failure whose queries reach above the first row.
        (0..4).for_each(|_| drop(element(ctx.chips.foreign(), &BigUint::ZERO)));
        build(ctx);
    })
}

/// Points of which nothing is said.
fn assigned<F: ExtensionField>(ctx: &mut GateContext, points: &[[F; 2]]) -> Vec<Pair> {
    let assigned = |point: &[F; 2]| {
        coefficients(point).map(|[number]| ctx.chips.foreign().witness(ctx, &number))
    };
    points.iter().map(assigned).collect()
}

/// The sum of these points as `walk` has it.
fn summed<F: ExtensionField>(
    equations: &SumEquations,
    points: &[[F; 2]],
    walk: &SumWalk<1>,
) -> TestCircuit {
    circuit(equations, (12, 4), |ctx| {
        sum(ctx.chips.foreign(), equations, &assigned(ctx, points), walk);
    })
}

fn hold<C: CurveAffine>()
where
    C::Base: ExtensionField,
{
    let equations = SumEquations::of::<C>();
    for (points, of) in awkward::<C>().into_iter().zip(SHAPES.into_iter().cycle()) {
        let walk = SumWalk::new(&points).expect("there is a sum");
        let expected = sum_of(&points).map(|[number]| number);
        let points: Vec<_> = points.iter().map(affine).collect();
        let test = circuit(&equations, of, |ctx| {
            let found = sum(ctx.chips.foreign(), &equations, &assigned(ctx, &points), &walk);
            let found = found.each_ref().map(|coordinate| coordinate.value().clone());
            assert_eq!(found, expected);
        });
        test.assert_satisfied();
    }
}

/// Points that are equal, opposite, or sums of those before.
#[test]
fn sums_of_all_kinds() {
    hold::<bn256::G1Affine>();
    hold::<bls12_381::G1Affine>();
}

/// Sums of three points, in all shapes.
fn of_three<C: CurveAffine>() -> Vec<TestCircuit>
where
    C::Base: ExtensionField,
{
    let equations = SumEquations::of::<C>();
    let points = random::<C>(3, 6);
    let walk = SumWalk::new(&points).expect("there is a sum");
    let points: Vec<_> = points.iter().map(affine).collect();
    let of_shape = |of| {
        circuit(&equations, of, |ctx| {
            sum(ctx.chips.foreign(), &equations, &assigned(ctx, &points), &walk);
        })
    };
    SHAPES.into_iter().map(of_shape).collect()
}

/// Every relation rewritten with all that follows: each copy, each equation, each range.
#[test]
fn relations_are_bound() {
    for test in of_three::<bn256::G1Affine>().into_iter().chain(of_three::<bls12_381::G1Affine>()) {
        test.assert_satisfied();
        test.assert_relations_are_bound(FILES);
    }
}

/// Every relation left out, and cut off from what it reads.
#[test]
fn relations_count() {
    for test in of_three::<bn256::G1Affine>().into_iter().chain(of_three::<bls12_381::G1Affine>()) {
        test.assert_relations_count(FILES);
    }
}

fn of_other_points<C: CurveAffine>()
where
    C::Base: ExtensionField,
{
    let equations = SumEquations::of::<C>();
    let all = random::<C>(4, 7);
    let [p, q, r, other] = [all[0], all[1], all[2], all[3]];
    let honest = [p, q, r].map(|point| affine(&point));
    let start = affine(&first_start::<C>());
    let none = C::Base::ZERO;
    summed(&equations, &honest, &regardless(&honest, &start, none, None)).assert_satisfied();
    // A key that is missing, in whose place another counts twice; one that is in nobody's place; an opposite.
    for claimed in [[p, p, r], [p, q, q], [p, q, other], [other, q, r], [p, opposite(&q), r]] {
        let claimed = claimed.map(|point| affine(&point));
        let walk = regardless(&claimed, &start, none, None);
        let test = summed(&equations, &honest, &walk);
        assert!(test.false_relations().is_some_and(|count| count > 0));
        // The same sum with operands that are those points: copies alone refuse it.
        let mut lie = circuit(&equations, (12, 4), |ctx| {
            let mut points = assigned(ctx, &honest);
            for (point, claimed) in points.iter_mut().zip(&claimed) {
                let claimed = coefficients(claimed).map(|[number]| number);
                *point = [0, 1].map(|i| point[i].lying(&claimed[i]));
            }
            sum(ctx.chips.foreign(), &equations, &points, &walk);
        });
        assert_eq!(lie.failing(vec![]), ["copy"]);
    }
}

/// A key is missing, surplus, or counts twice.
#[test]
fn other_points_have_another_sum() {
    of_other_points::<bn256::G1Affine>();
    of_other_points::<bls12_381::G1Affine>();
}

#[test]
#[should_panic(expected = "the walk is that of the points")]
fn a_walk_of_more_points() {
    let points = random::<bn256::G1Affine>(3, 8);
    let walk = SumWalk::new(&points).expect("there is a sum");
    let equations = SumEquations::of::<bn256::G1Affine>();
    let fewer: Vec<_> = points[..2].iter().map(affine).collect();
    summed(&equations, &fewer, &walk);
}

fn starts_on_the_curve<C: CurveAffine>()
where
    C::Base: ExtensionField,
{
    let equations = SumEquations::of::<C>();
    let points: Vec<_> = random::<C>(2, 9).iter().map(affine).collect();
    let [x, y] = affine(&first_start::<C>());
    let (one, none) = (C::Base::ONE, C::Base::ZERO);
    for start in [[x, y + one], [x + one, y], [x, none]] {
        let walk = regardless(&points, &start, none, None);
        assert_eq!(summed(&equations, &points, &walk).false_relations(), Some(1));
    }
    // Any point of the curve will do: the opposite, and one of another size.
    for start in [[x, -y], affine(&random::<C>(1, 10)[0])] {
        let walk = regardless(&points, &start, none, None);
        summed(&equations, &points, &walk).assert_satisfied();
    }
}

#[test]
fn sums_start_on_the_curve() {
    starts_on_the_curve::<bn256::G1Affine>();
    starts_on_the_curve::<bls12_381::G1Affine>();
}

fn end_at_the_start<C: CurveAffine>()
where
    C::Base: ExtensionField,
{
    let equations = SumEquations::of::<C>();
    let points = random::<C>(2, 11);
    let walk = SumWalk::new(&points).expect("there is a sum");
    let points: Vec<_> = points.iter().map(affine).collect();
    let start = affine(&first_start::<C>());
    assert_eq!(walk.start, coefficients(&start));
    // Another point comes at last, in the place of the start.
    let more = [points[0], points[1], affine(&random::<C>(1, 12)[0])];
    let longer = regardless(&more, &start, C::Base::ZERO, None);
    let mut wrong = walk.clone();
    wrong.steps[2] = longer.steps[2].clone();
    assert!(summed(&equations, &points, &wrong).false_relations().is_some_and(|count| count > 1));
    // Each number of a step by itself, with all that follows: one relation refuses it.
    let (one, none) = (C::Base::ONE, C::Base::ZERO);
    for at in 0..3 {
        for (slope, x) in [(one, none), (-one, none), (none, one), (none, -one)] {
            let walk = regardless(&points, &start, none, Some(&Turn { at, slope, x }));
            assert_eq!(summed(&equations, &points, &walk).false_relations(), Some(1));
        }
    }
    // The second coordinate, which nothing follows from.
    let p = equations.modulus();
    for y in [p - &walk.y[0], (&walk.y[0] + 1u8) % p] {
        let wrong = SumWalk { y: [y], ..walk.clone() };
        assert_eq!(summed(&equations, &points, &wrong).false_relations(), Some(1));
    }
}

#[test]
fn sums_end_at_the_start() {
    end_at_the_start::<bn256::G1Affine>();
    end_at_the_start::<bls12_381::G1Affine>();
}

fn no_free_slopes<C: CurveAffine>()
where
    C::Base: ExtensionField,
{
    let equations = SumEquations::of::<C>();
    let all = random::<C>(2, 13);
    let [p, q] = [all[0], all[1]];
    let free = C::Base::from(123_456);
    let of = |points: &[C], start: C| {
        let points: Vec<_> = points.iter().map(affine).collect();
        let walk = regardless(&points, &affine(&start), free, None);
        summed(&equations, &points, &walk).failing(vec![])
    };
    // From P to P, in the first step, a later one, and the last: the slope is whatever the prover likes.
    assert_eq!(of(&[p, q], opposite(&p)), [NOT_ZERO]);
    assert_eq!(of(&[p, q], less(&p, &q)), [NOT_ZERO]);
    let half = C::Scalar::from(2).invert();
    let half = Option::<C::Scalar>::from(half).expect("an odd order");
    let middle = (plus(&p, &q) * half).to_affine();
    assert_eq!(of(&[p, q], middle), [NOT_ZERO]);
    // From P to -P: there is no sum, and no slope either.
    for start in [p, plus(&p, &q)] {
        let failing = of(&[p, q], start);
        assert!(failing.iter().any(|name| name == NOT_ZERO), "{failing:?}");
        assert!(failing.iter().any(|name| name == "native"), "{failing:?}");
    }
}

/// A sum that is its addend, which a prover who chooses the start can bring about.
#[test]
fn slopes_are_determined() {
    no_free_slopes::<bn256::G1Affine>();
    no_free_slopes::<bls12_381::G1Affine>();
}

/// A sum does not determine an addend off the curve: if the start is opposite to the sum, the last slope is free. So whoever
/// lets a prover choose an addend has to show that it is on the curve.
#[test]
fn addends_off_the_curve_make_up_any_sum() {
    let equations = SumEquations::of::<bn256::G1Affine>();
    let all = random::<bn256::G1Affine>(2, 16);
    let (key, whole) = (all[0], all[1]);
    let start = affine(&opposite(&whole));
    let rest = {
        let ([x, y], free) = (start, bn256::Fq::from(123_456));
        let last = free.square() - x - x;
        let last = [last, free * (last - x) + y];
        let before = affine(&plus(&whole, &key));
        // The chord through the sum before and the opposite of the last one.
        let slope = (last[1] + before[1]) * (before[0] - last[0]).invert().expect("apart");
        let x = slope.square() - before[0] - last[0];
        [x, slope * (x - before[0]) + before[1]]
    };
    let points = [affine(&key), rest];
    let walk = regardless(&points, &start, bn256::Fq::ZERO, None);
    assert_eq!(walk.sum(), coefficients(&affine(&whole)).each_ref());
    summed(&equations, &points, &walk).assert_satisfied();
    // The key of the rest of a set is such an addend.
    let refused = |rest: &[bn256::Fq; 2], walk: &SumWalk<1>| {
        let more = bls::chip::equations(PairingCurve::Bn254);
        let test = TestCircuit::new(room(&equations, (12, 4), &more), |ctx| {
            (0..4).for_each(|_| drop(element(ctx.chips.foreign(), &BigUint::ZERO)));
            let keys = assigned(ctx, &points[..1]);
            let rest = coefficients(rest).map(|[number]| number);
            let sums = bls::chip::KeySums::<BasePoint>::new(PairingCurve::Bn254);
            sums.key_of_rest(ctx.chips, (&keys, &rest), walk);
        });
        test.false_relations()
    };
    assert_eq!(refused(&rest, &walk), Some(1));
    let rest = less(&whole, &key);
    let walk = SumWalk::new(&[key, rest]).expect("there is a sum");
    assert_eq!(refused(&affine(&rest), &walk), Some(0));
}

fn no_identity<C: CurveAffine>()
where
    C::Base: ExtensionField,
{
    let equations = SumEquations::of::<C>();
    let points = random::<C>(2, 14);
    let cancelling = [points[0], points[1], opposite(&plus(&points[0], &points[1]))];
    let points: Vec<_> = cancelling.iter().map(affine).collect();
    // Whatever the start is, the last sum is its opposite.
    for start in [first_start::<C>(), random::<C>(1, 15)[0]] {
        for free in [0, 1, 77].map(C::Base::from) {
            let walk = regardless(&points, &affine(&start), free, None);
            let failing = summed(&equations, &points, &walk).failing(vec![]);
            assert!(failing.iter().any(|name| name == NOT_ZERO), "{failing:?}");
        }
    }
}

/// Points that cancel have no sum: the identity has no coordinates.
#[test]
fn the_identity_has_no_witness() {
    no_identity::<bn256::G1Affine>();
    no_identity::<bls12_381::G1Affine>();
}
