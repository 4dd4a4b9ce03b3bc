//! Doublings and additions.

use super::{
    group::{Point, Sums},
    *,
};
use crate::hash::to_curve::g2::sum_by;
use halo2curves::CurveAffine;
use muster_schemes::field::ExtensionField;
use muster_schemes::hash::to_curve::{Bls12381G1, Bls12381G2, Bn254G1, Stages, Suite};

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
    name: &str,
    given: &[BigUint],
    lies: &[Lie],
) -> Lied {
    summed_often::<S, D>(1, name, given, lies)
}

/// The same, again and again.
fn summed_often<S: MapInstructions<D>, const D: usize>(
    times: usize,
    name: &str,
    given: &[BigUint],
    lies: &[Lie],
) -> Lied {
    let prime = HashToCurve::<S, D>::default().prime().clone();
    let write = |script: &mut Script, given: &[Var]| {
        for _ in 0..times {
            let mut sums = Sums::<S::Field>::new(script);
            let [first, second] = [&given[..2 * D], &given[2 * D..]].map(point::<D>);
            let twice = sums.double(first);
            sums.add(twice, second, -1);
            sums.finish();
        }
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

/// What a sum of the group is made of, in its order.
#[derive(Clone, Copy)]
enum Step {
    Add,
    Double,
    /// So many relations that are no sums.
    Others(usize),
}

/// A multiplier for which all that a multiple is made of occurs.
const Z: u64 = 0b111;
const MULTIPLE: [Step; 4] = [Step::Double, Step::Add, Step::Double, Step::Add];

/// What [`sum_by`] does for `Z`, except for the first addition.
fn steps() -> Vec<Step> {
    let twice = [Step::Add, Step::Add];
    // An image, and the square of it but for the sign.
    [&MULTIPLE[..], &[Step::Others(8)], &twice, &MULTIPLE, &twice, &[Step::Others(3), Step::Add]]
        .concat()
}

/// The sum of two points in the group, but for a short multiplier.
fn summed_in_group(given: &[BigUint], lies: &[Lie]) -> Lied {
    let prime = HashToCurve::<Bls12381G2, 2>::default().prime().clone();
    let write = |script: &mut Script, given: &[Var]| {
        sum_by(script, [&given[..4], &given[4..]].map(point::<2>), Z);
    };
    Lied::new(&room_for("a sum in the group", &prime, 8, write), &prime, given, lies, write)
}

/// Of each slope and inverse its first relation, and the first one of a denominator.
fn quotients() -> Vec<[usize; 2]> {
    let (mut next, mut y, mut found) = (0, 0, vec![]);
    for step in [vec![Step::Add], steps()].concat() {
        match step {
            Step::Others(count) => next += count,
            Step::Double => {
                found.push([next, y]);
                (y, next) = (next + 4, next + 6);
            }
            Step::Add => {
                // What is still to be said of the last quotient.
                next += usize::from(next > 0);
                found.extend([[next + 2, next], [next + 8, next]]);
                (y, next) = (next + 6, next + 10);
            }
        }
    }
    found
}

#[test]
fn every_result_in_the_group_is_bound() {
    let prime = HashToCurve::<Bls12381G2, 2>::default().prime().clone();
    let given = points::<Bls12381G2>();
    let honest = summed_in_group(&given, &[]).results;
    // The real part of the product stays.
    let other = |[first, of]: [usize; 2]| -> Vec<Lie> {
        let parts = [(first, of + 1), (first + 1, of)];
        parts.map(|(part, more)| (part, (&honest[part] + &honest[more]) % &prime)).to_vec()
    };
    let more: Vec<_> = quotients().into_iter().map(other).collect();
    assert_all_refuse(|lies| summed_in_group(&given, lies), &prime, &more);
}

#[test]
fn what_relations_read_is_bound() {
    summed_in_group(&points::<Bls12381G2>(), &[]).test.assert_relations_are_bound(FILES);
    summed_twice().iter().for_each(|test| test.assert_relations_are_bound(FILES));
}

/// Sums over both curves, each twice.
fn summed_twice() -> [TestCircuit; 2] {
    let (prime, quadratic) = (points::<Bn254G1>(), points::<Bls12381G2>());
    let prime = summed_often::<Bn254G1, 1>(2, "sums over BN254, twice", &prime, &[]);
    let quadratic = summed_often::<Bls12381G2, 2>(2, "sums in G2, twice", &quadratic, &[]);
    [prime.test, quadratic.test]
}

/// Relations of sums left out, and cut off from what they read.
#[test]
fn relations_count() {
    sampled(summed_twice(), 2).iter().for_each(|test| test.assert_relations_count(FILES));
}

/// Dropped while something is still to be said.
#[test]
#[should_panic(expected = "sums are finished")]
fn sums_are_finished() {
    let hash = HashToCurve::<Bls12381G2, 2>::default();
    let mut script = Script::of_equations(hash.prime());
    let given: Vec<_> = (0..4).map(|_| script.unknown()).collect();
    Sums::<<Bls12381G2 as Suite>::Field>::new(&mut script).double(point::<2>(&given));
}

/// A point is not added to itself or to its opposite, whatever the slope: the difference has no inverse.
#[test]
fn points_that_meet_have_no_sum() {
    fn refused<S: MapInstructions<D>, const D: usize>(name: &str) -> BTreeSet<usize> {
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
