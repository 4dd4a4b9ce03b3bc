//! Sums over quadratic extensions in circuit: those that hold, and those that must not.

use ff::Field;
use halo2_base::halo2_proofs::halo2curves::bn256::Fr;
use num_bigint::BigUint;

use super::{
    quadratic::{sum, Pair, SumEquations},
    *,
};
use crate::field::foreign::integer::{element, Integer};
use muster_forgery::testing::{layout, TestCircuit};
use muster_gates::{foreign::ForeignLayout, GateContext, Layout};
use muster_schemes::field::ExtensionField;

/// Bits of a lookup and columns of sums.
const SHAPES: [(usize, usize); 3] = [(8, 5), (12, 4), (13, 9)];
const NOT_ZERO: &str = "the difference is not 0";
const FILES: &str = "curve/aggregate/";

/// Room for sums alone.
fn room(equations: &SumEquations, (range_bits, columns): (usize, usize)) -> Layout {
    let mut all = equations.all();
    all.push(Integer::any());
    let native = halo2_base::utils::modulus::<Fr>();
    let foreign = vec![ForeignLayout::new(&native, range_bits, columns, &all)];
    Layout { range_bits, range_columns: 0, edwards_lanes: 0, foreign, ..layout(14, &[]) }
}

fn circuit(
    equations: &SumEquations,
    of: (usize, usize),
    build: impl FnOnce(&mut GateContext),
) -> TestCircuit {
    TestCircuit::new(room(equations, of), |ctx| {
        // The mock prover cannot show a failure whose queries reach above the first row.
        (0..6).for_each(|_| drop(element(ctx.chips.foreign(), &BigUint::ZERO)));
        build(ctx);
    })
}

/// Points of which nothing is said.
fn assigned<F: ExtensionField>(ctx: &mut GateContext, points: &[[F; 2]]) -> Vec<Pair> {
    let assigned = |point: &[F; 2]| {
        coefficients(point).map(|numbers| {
            numbers.each_ref().map(|number| ctx.chips.foreign().witness(ctx, number))
        })
    };
    points.iter().map(assigned).collect()
}

/// The sum of these points as `walk` has it.
fn summed<F: ExtensionField>(
    equations: &SumEquations,
    points: &[[F; 2]],
    walk: &SumWalk<2>,
) -> TestCircuit {
    circuit(equations, (12, 4), |ctx| {
        sum(ctx.chips.foreign(), equations, &assigned(ctx, points), walk);
    })
}

/// An element with these coefficients.
fn of_coefficients<F: ExtensionField>(coefficients: [&BigUint; 2]) -> F {
    let mut repr = F::Repr::default();
    let length = repr.as_ref().len() / 2;
    for (i, number) in coefficients.into_iter().enumerate() {
        let bytes = number.to_bytes_le();
        repr.as_mut()[i * length..][..bytes.len()].copy_from_slice(&bytes);
    }
    let found = Option::<F>::from(F::from_repr(repr)).expect("they are below the prime");
    assert_eq!(found.coefficients().each_ref(), coefficients);
    found
}

/// The `u` of the extension.
fn unit<F: ExtensionField>() -> F {
    of_coefficients([&BigUint::ZERO, &BigUint::from(1u8)])
}

fn hold<C: CurveAffine>()
where
    C::Base: ExtensionField,
{
    let equations = SumEquations::of::<C>();
    for (points, of) in awkward::<C>().into_iter().zip(SHAPES.into_iter().cycle()) {
        let walk = SumWalk::new(&points).expect("there is a sum");
        let expected = sum_of(&points);
        let points: Vec<_> = points.iter().map(affine).collect();
        let test = circuit(&equations, of, |ctx| {
            let found = sum(ctx.chips.foreign(), &equations, &assigned(ctx, &points), &walk);
            let found = found.each_ref().map(|coordinate| {
                coordinate.each_ref().map(|coefficient| coefficient.value().clone())
            });
            assert_eq!(found, expected);
        });
        test.assert_satisfied();
    }
}

/// Points that are equal, opposite, or sums of those before.
#[test]
fn sums_of_all_kinds() {
    hold::<bn256::G2Affine>();
    hold::<bls12_381::G2Affine>();
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

/// Every relation rewritten with all that follows: each copy, each equation that computes its result, each range.
#[test]
fn relations_are_bound() {
    for test in of_three::<bn256::G2Affine>().into_iter().chain(of_three::<bls12_381::G2Affine>()) {
        test.assert_satisfied();
        test.assert_relations_are_bound(FILES);
    }
}

/// Every relation left out, and cut off from what it reads.
#[test]
fn relations_count() {
    for test in of_three::<bn256::G2Affine>().into_iter().chain(of_three::<bls12_381::G2Affine>()) {
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
                let claimed = coefficients::<_, 2>(claimed);
                *point = [0, 1].map(|i| [0, 1].map(|j| point[i][j].lying(&claimed[i][j])));
            }
            sum(ctx.chips.foreign(), &equations, &points, &walk);
        });
        assert_eq!(lie.failing(vec![]), ["copy"]);
    }
}

/// A key is missing, surplus, or counts twice.
#[test]
fn other_points_have_another_sum() {
    of_other_points::<bn256::G2Affine>();
    of_other_points::<bls12_381::G2Affine>();
}

fn starts_on_the_curve<C: CurveAffine>()
where
    C::Base: ExtensionField,
{
    let equations = SumEquations::of::<C>();
    let points: Vec<_> = random::<C>(2, 9).iter().map(affine).collect();
    let [x, y] = affine(&first_start::<C>());
    let (one, none, u) = (C::Base::ONE, C::Base::ZERO, unit::<C::Base>());
    let beside = |start: [C::Base; 2]| {
        let walk = regardless(&points, &start, none, None);
        summed(&equations, &points, &walk).false_relations()
    };
    for start in [[x, y + one], [x, y + u], [x + one, y], [x + u, y], [x, none]] {
        assert!(beside(start).is_some_and(|count| (1..=2).contains(&count)));
    }
    // Each coefficient by itself: y² + 1 and y² + u, if they have roots.
    let mut seen = [false; 2];
    for times in (1..40).map(C::Base::from) {
        for (i, more) in [one, u].into_iter().enumerate() {
            if let Some(y) = Option::from((y.square() + more * times).sqrt()) {
                assert_eq!(beside([x, y]), Some(1));
                seen[i] = true;
            }
        }
        if seen == [true; 2] {
            break;
        }
    }
    assert_eq!(seen, [true; 2]);
    // Any point of the curve will do: the opposite, and one with both coefficients.
    for start in [[x, -y], affine(&random::<C>(1, 10)[0])] {
        let walk = regardless(&points, &start, none, None);
        summed(&equations, &points, &walk).assert_satisfied();
    }
}

#[test]
fn sums_start_on_the_curve() {
    starts_on_the_curve::<bn256::G2Affine>();
    starts_on_the_curve::<bls12_381::G2Affine>();
}

/// What is added to the slope `λ` of a chord so that one coefficient of `λ·(x - next)` stays what it is and the other is
/// 1 more: the first one, and the second.
fn half_true<F: ExtensionField>(x: F, next: F) -> [F; 2] {
    let inverse = Option::<F>::from((x - next).invert()).expect("they differ");
    [inverse, inverse * unit::<F>()]
}

fn each_relation<C: CurveAffine>()
where
    C::Base: ExtensionField,
{
    let equations = SumEquations::of::<C>();
    let points: Vec<_> = random::<C>(2, 11).iter().map(affine).collect();
    let start = affine(&first_start::<C>());
    let (one, none, u) = (C::Base::ONE, C::Base::ZERO, unit::<C::Base>());
    let honest = regardless(&points, &start, none, None);
    summed(&equations, &points, &honest).assert_satisfied();
    let sums: Vec<C::Base> =
        honest.steps.iter().map(|step| of_coefficients(step.x.each_ref())).collect();
    for at in 0..3 {
        let x = if at == 0 { start[0] } else { sums[at - 1] };
        let next = points.get(at).unwrap_or(&start)[0];
        let halves = half_true(x, next).map(|slope| Turn { at, slope, x: none });
        let others = [one, u].map(|x| Turn { at, slope: none, x });
        // Each coefficient of the slope's equation and of the sum's, with all that follows.
        for turn in halves.into_iter().chain(others) {
            let walk = regardless(&points, &start, none, Some(&turn));
            assert_eq!(summed(&equations, &points, &walk).false_relations(), Some(1));
        }
    }
    // The second coordinate, which nothing follows from.
    let p = equations.modulus();
    for i in 0..2 {
        let mut wrong = honest.clone();
        wrong.y[i] = (&wrong.y[i] + 1u8) % p;
        assert_eq!(summed(&equations, &points, &wrong).false_relations(), Some(1));
    }
}

/// One coefficient of one equation is wrong, and everything else as it must be then: that alone refuses it.
#[test]
fn each_relation_is_needed() {
    each_relation::<bn256::G2Affine>();
    each_relation::<bls12_381::G2Affine>();
}

fn no_free_slopes<C: CurveAffine>()
where
    C::Base: ExtensionField,
{
    let equations = SumEquations::of::<C>();
    let all = random::<C>(2, 13);
    let [p, q] = [all[0], all[1]];
    let free = C::Base::from(123_456) + unit::<C::Base>();
    let of = |points: &[C], start: C| {
        let points: Vec<_> = points.iter().map(affine).collect();
        let walk = regardless(&points, &affine(&start), free, None);
        summed(&equations, &points, &walk).failing(vec![])
    };
    // From P to P, in the first step, a later one, and the last: the slope is whatever the prover likes.
    assert_eq!(of(&[p, q], opposite(&p)), [NOT_ZERO]);
    assert_eq!(of(&[p, q], less(&p, &q)), [NOT_ZERO]);
    let half = Option::<C::Scalar>::from(C::Scalar::from(2).invert()).expect("an odd order");
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
    no_free_slopes::<bn256::G2Affine>();
    no_free_slopes::<bls12_381::G2Affine>();
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
    no_identity::<bn256::G2Affine>();
    no_identity::<bls12_381::G2Affine>();
}
