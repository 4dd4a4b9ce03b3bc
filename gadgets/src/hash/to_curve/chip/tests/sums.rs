//! Doublings and additions.

use super::{
    group::{Point, Sums},
    *,
};
use crate::hash::to_curve::{Bls12381G1, Bls12381G2, Bn254G1, Element, Stages, Suite};
use halo2curves::CurveAffine;

/// The coordinates of two points.
fn points<S: Suite>() -> Vec<BigUint> {
    let stages = Stages::<S>::new(b"two points", &tag("sums"));
    let coordinates = stages.mapped.map(|point| {
        let point = point.coordinates().expect("not the identity");
        [point.x().integers(), point.y().integers()].concat()
    });
    coordinates.concat()
}

fn point<const D: usize>(given: &[Var]) -> Point<D> {
    let part = |of: &[Var]| of.try_into().expect("as many coordinates");
    [part(&given[..D]), part(&given[D..2 * D])]
}

/// `2P - Q`.
fn summed<S: MapInstructions<D>, const D: usize>(
    name: &'static str,
    given: &[BigUint],
    lies: &[Lie],
) -> Lied {
    let prime = HashToCurve::<S, D>::default().prime().clone();
    let write = |script: &mut Script, given: &[Var]| {
        let mut sums = Sums::<S::Field>::new(script);
        let [first, second] = [&given[..2 * D], &given[2 * D..]].map(point::<D>);
        let twice = sums.double(first);
        sums.add(twice, second, -1);
        sums.finish();
    };
    Lied::new(&room_for(name, &prime, 4 * D, write), &prime, given, lies, write)
}

#[test]
fn every_result_is_bound() {
    let prime = HashToCurve::<Bn254G1, 1>::default().prime().clone();
    let given = points::<Bn254G1>();
    assert_all_refuse(|lies| summed::<Bn254G1, 1>("sums over BN254", &given, lies), &prime, &[]);
    let prime = HashToCurve::<Bls12381G2, 2>::default().prime().clone();
    let given = points::<Bls12381G2>();
    let honest = summed::<Bls12381G2, 2>("sums in G2", &given, &[]).results;
    // Of a slope or an inverse with this denominator, for which the first form holds.
    let other = |first: usize, [real, imaginary]: [&BigUint; 2]| {
        let parts = [(&honest[first] + imaginary) % &prime, (&honest[first + 1] + real) % &prime];
        (first..).zip(parts).collect::<Vec<_>>()
    };
    let difference = [&honest[7], &honest[8]];
    let more = [other(0, [&given[2], &given[3]]), other(9, difference), other(15, difference)];
    assert_all_refuse(|lies| summed::<Bls12381G2, 2>("sums in G2", &given, lies), &prime, &more);
}

/// A point is not added to itself or to its opposite, whatever the slope: the difference has no inverse.
#[test]
fn points_that_meet_have_no_sum() {
    fn refused<S: MapInstructions<D>, const D: usize>(name: &'static str) -> BTreeSet<usize> {
        let prime = HashToCurve::<S, D>::default().prime().clone();
        let write = |script: &mut Script, given: &[Var]| {
            let mut sums = Sums::<S::Field>::new(script);
            let first = point::<D>(given);
            sums.add(first, first, 1);
            sums.finish();
        };
        let layout = room_for(name, &prime, 4 * D, write);
        Lied::new(&layout, &prime, &points::<S>(), &[], write).refused()
    }
    // Difference, slope, sum, and the inverse.
    assert_eq!(refused::<Bn254G1, 1>("a sum over BN254"), BTreeSet::from([4]));
    assert_eq!(refused::<Bls12381G1, 1>("a sum in G1"), BTreeSet::from([4]));
    // The real part of its product is said below.
    assert_eq!(refused::<Bls12381G2, 2>("a sum in G2"), BTreeSet::from([10]));
}
