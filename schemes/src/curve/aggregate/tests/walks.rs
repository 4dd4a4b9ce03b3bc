//! The way of a sum outside a circuit.

use super::*;
use crate::field::ExtensionField;

fn walks_end_at_the_sum<C: CurveAffine, const D: usize>()
where
    C::Base: ExtensionField,
{
    for points in awkward::<C>() {
        let walk = SumWalk::<D>::new(&points).expect("there is a sum");
        assert_eq!(walk.steps.len(), points.len() + 1);
        assert_eq!(walk.sum(), sum_of(&points).each_ref());
    }
}

#[test]
fn of_sums_of_all_kinds() {
    walks_end_at_the_sum::<bn256::G1Affine, 1>();
    walks_end_at_the_sum::<bls12_381::G1Affine, 1>();
    walks_end_at_the_sum::<bn256::G2Affine, 2>();
    walks_end_at_the_sum::<bls12_381::G2Affine, 2>();
}

fn other_starts<C: CurveAffine, const D: usize>()
where
    C::Base: ExtensionField,
{
    let plain = SumWalk::<D>::new(&random::<C>(2, 3)).expect("there is a sum");
    // The start of all sums that meet nothing.
    let start: C = first_start();
    assert_eq!(plain.start, coefficients(&affine(&start)));
    let [p, q] = [random::<C>(2, 4)[0], random::<C>(2, 4)[1]];
    let sum = plus(&p, &start);
    let rest = less(&p, &start);
    for points in [
        // From -S to it, to its opposite, to both a point later; S is what is left, or twice S.
        vec![start, q],
        vec![opposite(&start), q],
        vec![p, rest, q],
        vec![p, opposite(&rest), q],
        vec![p, opposite(&sum)],
        vec![plus(&start, &start)],
        vec![p, q, less(&plus(&start, &start), &plus(&p, &q))],
        // The identity on the way.
        vec![p, opposite(&rest), q, q],
    ] {
        let walk = SumWalk::<D>::new(&points).expect("there is a sum");
        let meets = points.len() != 2 || points[1] != opposite(&sum);
        assert_eq!(walk.start != plain.start, meets);
        assert_eq!(walk.sum(), sum_of(&points).each_ref());
    }
}

/// Sums that meet an addend start elsewhere.
#[test]
fn other_starts_where_sums_meet() {
    other_starts::<bn256::G1Affine, 1>();
    other_starts::<bls12_381::G1Affine, 1>();
    other_starts::<bn256::G2Affine, 2>();
    other_starts::<bls12_381::G2Affine, 2>();
}

fn no_sums<C: CurveAffine, const D: usize>()
where
    C::Base: ExtensionField,
{
    let of = |points: &[C]| SumWalk::<D>::new(points).expect_err("no sum");
    let [p, q] = [random::<C>(2, 5)[0], random::<C>(2, 5)[1]];
    assert_eq!(of(&[]), SumError::Identity);
    assert_eq!(of(&[p, opposite(&p)]), SumError::Identity);
    assert_eq!(of(&[p, q, opposite(&plus(&p, &q))]), SumError::Identity);
    assert_eq!(of(&[p, C::identity(), q]), SumError::Point(1));
    assert_eq!(of(&[C::identity()]), SumError::Point(0));
}

#[test]
fn the_identity_is_no_sum() {
    no_sums::<bn256::G1Affine, 1>();
    no_sums::<bls12_381::G1Affine, 1>();
    no_sums::<bn256::G2Affine, 2>();
    no_sums::<bls12_381::G2Affine, 2>();
}
