//! Sums over prime fields in circuit: those that hold, and those that must not.

use ff::Field;
use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, Context};
use num_bigint::BigUint;

use super::{
    chip::{sum, Pair},
    native::Step,
    *,
};
use crate::{
    field::foreign::integer::{element, Integer},
    gate::{
        foreign::{ForeignChip, ForeignLayout},
        testing::{layout, TestCircuit},
        Chips, Layout,
    },
};

/// Coordinates as numbers.
type Numbers = [BigUint; 2];

/// Bits of a lookup and columns of sums.
const SHAPES: [(usize, usize); 3] = [(8, 4), (12, 2), (13, 9)];
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
    build: impl FnOnce(&ForeignChip),
) -> TestCircuit {
    TestCircuit::new(room(equations, of), |_: &mut Context<Fr>, chips: &Chips| {
        let chip = chips.foreign();
        // The mock prover cannot show a failure whose queries reach above the first row.
        (0..4).for_each(|_| drop(element(chip, &BigUint::ZERO)));
        build(chip);
    })
}

fn numbers<C: CurveAffine>(point: &C) -> Numbers
where
    C::Base: Coefficients<1>,
{
    let found = Option::<halo2curves::Coordinates<C>>::from(point.coordinates());
    let found = found.expect("not the identity");
    [found.x(), found.y()].map(|coordinate| {
        let [number] = coordinate.coefficients();
        number
    })
}

/// Points of which nothing is said.
fn assigned(chip: &ForeignChip, points: &[Numbers]) -> Vec<Pair> {
    points.iter().map(|point| point.each_ref().map(|number| element(chip, number))).collect()
}

/// The sum of these points as `walk` has it.
fn summed(equations: &SumEquations, points: &[Numbers], walk: &SumWalk<1>) -> TestCircuit {
    circuit(equations, (12, 4), |chip| {
        sum(chip, equations, &assigned(chip, points), walk);
    })
}

/// The chords of a sum from the opposite of any pair on, whatever they meet: where no slope is determined it is
/// `free`.
fn regardless(
    equations: &SumEquations,
    points: &[Numbers],
    start: &Numbers,
    free: &BigUint,
) -> SumWalk<1> {
    let p = equations.modulus();
    let less = |a: &BigUint, b: &BigUint| (a + (p - b % p)) % p;
    let [mut x, mut y] = [start[0].clone(), less(&BigUint::ZERO, &start[1])];
    let mut steps = vec![];
    for [next_x, next_y] in points.iter().chain([start]) {
        let slope = match less(&x, next_x).modinv(p) {
            Some(inverse) => less(&y, next_y) * inverse % p,
            None => free.clone(),
        };
        x = less(&(&slope * &slope), &(&x + next_x));
        y = less(&(&slope * less(next_x, &x)), next_y);
        steps.push(Step { slope: [slope], x: [x.clone()] });
    }
    SumWalk { start: start.clone().map(|number| [number]), steps, y: [y] }
}

fn start<C: CurveAffine>() -> C {
    native::starts::<C>().next().expect("there is one")
}

fn hold<C: CurveAffine>()
where
    C::Base: Coefficients<1>,
{
    let equations = SumEquations::of::<C>();
    for (points, of) in awkward::<C>().into_iter().zip(SHAPES.into_iter().cycle()) {
        let walk = SumWalk::new(&points).expect("there is a sum");
        let expected = points.iter().fold(C::Curve::identity(), |sum, point| sum + point);
        let points: Vec<_> = points.iter().map(numbers).collect();
        let test = circuit(&equations, of, |chip| {
            let found = sum(chip, &equations, &assigned(chip, &points), &walk);
            let found = found.each_ref().map(|coordinate| coordinate.value().clone());
            assert_eq!(found, numbers(&expected.to_affine()));
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

fn are_bound<C: CurveAffine>()
where
    C::Base: Coefficients<1>,
{
    let equations = SumEquations::of::<C>();
    let points = random::<C>(3, 6);
    let walk = SumWalk::new(&points).expect("there is a sum");
    let points: Vec<_> = points.iter().map(numbers).collect();
    for of in SHAPES {
        let test = circuit(&equations, of, |chip| {
            sum(chip, &equations, &assigned(chip, &points), &walk);
        });
        test.assert_satisfied();
        test.assert_relations_are_bound(FILES);
    }
}

/// Every relation rewritten with all that follows: each copy, each equation, each range.
#[test]
fn relations_are_bound() {
    are_bound::<bn256::G1Affine>();
    are_bound::<bls12_381::G1Affine>();
}

fn of_other_points<C: CurveAffine>()
where
    C::Base: Coefficients<1>,
{
    let equations = SumEquations::of::<C>();
    let all = random::<C>(4, 7);
    let [p, q, r, other] = [all[0], all[1], all[2], all[3]];
    let honest = [p, q, r].map(|point| numbers(&point));
    let start = numbers(&start::<C>());
    let none = BigUint::ZERO;
    summed(&equations, &honest, &regardless(&equations, &honest, &start, &none)).assert_satisfied();
    // A key that is missing, in whose place another counts twice; one that is in nobody's place; an opposite.
    for claimed in [[p, p, r], [p, q, q], [p, q, other], [other, q, r], [p, opposite(&q), r]] {
        let claimed = claimed.map(|point| numbers(&point));
        let walk = regardless(&equations, &claimed, &start, &none);
        let test = summed(&equations, &honest, &walk);
        assert!(test.false_relations().is_some_and(|count| count > 0));
        // The same sum with operands that are those points: copies alone refuse it.
        let mut lie = circuit(&equations, (12, 4), |chip| {
            let mut points = assigned(chip, &honest);
            for (point, claimed) in points.iter_mut().zip(&claimed) {
                *point = [0, 1].map(|i| point[i].lying(&claimed[i]));
            }
            sum(chip, &equations, &points, &walk);
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
    let fewer: Vec<_> = points[..2].iter().map(numbers).collect();
    summed(&equations, &fewer, &walk);
}

fn starts_on_the_curve<C: CurveAffine>()
where
    C::Base: Coefficients<1>,
{
    let equations = SumEquations::of::<C>();
    let points: Vec<_> = random::<C>(2, 9).iter().map(numbers).collect();
    let [x, y] = numbers(&start::<C>());
    let p = equations.modulus();
    let none = BigUint::ZERO;
    let beside =
        [[x.clone(), (&y + 1u8) % p], [(&x + 1u8) % p, y.clone()], [x.clone(), none.clone()]];
    for start in beside {
        let walk = regardless(&equations, &points, &start, &none);
        assert_eq!(summed(&equations, &points, &walk).false_relations(), Some(1));
    }
    // Any point of the curve will do: the opposite, and one of another size.
    let other = numbers(&random::<C>(1, 10)[0]);
    for start in [[x.clone(), p - &y], other] {
        let walk = regardless(&equations, &points, &start, &none);
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
    C::Base: Coefficients<1>,
{
    let equations = SumEquations::of::<C>();
    let points = random::<C>(2, 11);
    let walk = SumWalk::new(&points).expect("there is a sum");
    let points: Vec<_> = points.iter().map(numbers).collect();
    // Another point comes at last, in the place of the start.
    let other = numbers(&random::<C>(1, 12)[0]);
    let more: Vec<_> = points.iter().cloned().chain([other]).collect();
    let longer =
        regardless(&equations, &more, &walk.start.clone().map(|[number]| number), &BigUint::ZERO);
    let mut wrong = walk.clone();
    let last = wrong.steps.len() - 1;
    wrong.steps[last] = longer.steps[last].clone();
    let failing = summed(&equations, &points, &wrong).failing(vec![]);
    assert!(failing.contains(&"native".to_owned()));
    // Each number of the last step by itself.
    let p = equations.modulus();
    let another = |number: &BigUint| (number + 1u8) % p;
    let opposite = |number: &BigUint| p - number;
    for change in [&another as &dyn Fn(&BigUint) -> BigUint, &opposite] {
        let mut x = walk.clone();
        x.steps[last].x[0] = change(&x.steps[last].x[0]);
        let mut y = walk.clone();
        y.y[0] = change(&y.y[0]);
        let mut slope = walk.clone();
        slope.steps[last].slope[0] = change(&slope.steps[last].slope[0]);
        for (wrong, count) in [(x, 2), (y, 1), (slope, 3)] {
            let test = summed(&equations, &points, &wrong);
            assert!(test.false_relations().is_some_and(|found| (1..=count).contains(&found)));
        }
    }
}

#[test]
fn sums_end_at_the_start() {
    end_at_the_start::<bn256::G1Affine>();
    end_at_the_start::<bls12_381::G1Affine>();
}

fn no_free_slopes<C: CurveAffine>()
where
    C::Base: Coefficients<1>,
{
    let equations = SumEquations::of::<C>();
    let all = random::<C>(2, 13);
    let [p, q] = [all[0], all[1]];
    let free = BigUint::from(123_456u32);
    let of = |points: &[C], start: C| {
        let points: Vec<_> = points.iter().map(numbers).collect();
        let walk = regardless(&equations, &points, &numbers(&start), &free);
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

fn no_identity<C: CurveAffine>()
where
    C::Base: Coefficients<1>,
{
    let equations = SumEquations::of::<C>();
    let points = random::<C>(2, 14);
    let cancelling = [points[0], points[1], opposite(&plus(&points[0], &points[1]))];
    let points: Vec<_> = cancelling.iter().map(numbers).collect();
    // Whatever the start is, the last sum is its opposite.
    for start in [start::<C>(), random::<C>(1, 15)[0]] {
        for free in [0u8, 1, 77] {
            let walk = regardless(&equations, &points, &numbers(&start), &free.into());
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
