//! Hashes to G2 of BLS12-381.

use num_bigint::RandBigInt;

use super::*;
use crate::hash::to_curve::g2;
use muster_schemes::hash::to_curve::Bls12381G2;

type Hash = HashToCurve<Bls12381G2, 2>;

/// The map of an element whose coordinates are given.
fn mapped(u: &[BigUint; 2], lies: &[Lie]) -> Lied {
    mapped_often(1, u, lies)
}

/// The same, again and again.
fn mapped_often(times: usize, u: &[BigUint; 2], lies: &[Lie]) -> Lied {
    let prime = Hash::default().prime().clone();
    let map = |script: &mut Script, given: &[Var]| {
        let input = |script: &mut Script| MapInput::new(script, [given[0], given[1]]);
        let elements: Vec<_> = (0..times).map(|_| input(script)).collect();
        for element in elements {
            g2::map(script, element);
        }
    };
    let room = room_for(&format!("map to G2, {times} times"), &prime, 2, map);
    Lied::new(&room, &prime, u, lies, map)
}

fn random() -> [BigUint; 2] {
    let prime = Hash::default().prime().clone();
    let mut rng = muster_testing::rng();
    [(); 2].map(|()| rng.gen_biguint_below(&prime))
}

/// Numbers of relations of the map.
const V0: usize = 3;
const X1: usize = 5;
pub(super) const BIT: usize = 10;
const X: usize = 11;
pub(super) const Y: usize = 15;
const PARITY: usize = 19;
const INVERSE: usize = 21;
const M: usize = 22;

/// Lies about two coordinates for which the second of their two equations holds.
fn pairs(results: &[BigUint], factor: &BigUint, p: &BigUint) -> Vec<Vec<Lie>> {
    let at = |relation: usize| &results[relation];
    let less = |a: &BigUint, b: BigUint| (a + (p - b % p)) % p;
    let both = |first: usize, [a, b]: [BigUint; 2]| vec![(first, a), (first + 1, b)];
    // `a·v0 - b·v1` stays.
    let x1 = [at(X1) + at(V0 + 1) * factor, at(X1 + 1) + at(V0) * factor].map(|one| one % p);
    // `(x0 + 6)·m1 + (x1 - 6)·m0` stays.
    let more = (at(X) + 6u8) * factor;
    let m = [(at(M) + more) % p, less(at(M + 1), less(at(X + 1), 6u8.into()) * factor)];
    // `(y0 + y1)·(y0 - y1)` stays.
    let inverse = factor.modinv(p).expect("not 0");
    let [sum, difference] =
        [(at(Y) + at(Y + 1)) * inverse, less(at(Y), at(Y + 1).clone()) * factor];
    let half = (p + 1u8) >> 1u8;
    let y = [(&sum + &difference) * &half % p, less(&sum, difference) * &half % p];
    vec![both(X1, x1), both(M, m), both(Y, y)]
}

/// Of every relation a result that it alone refuses, with all that follows from that.
#[test]
fn every_result_is_bound() {
    let hash = Hash::default();
    let prime = hash.prime();
    let u = random();
    let honest = mapped(&u, &[]).results;
    let more: Vec<_> = (2u8..40).flat_map(|factor| pairs(&honest, &factor.into(), prime)).collect();
    assert_all_refuse(|lies| mapped(&u, lies), prime, &more);
}

/// The same of equations without a result and of a bit, behind a map that is true.
#[test]
fn a_second_map_is_bound() {
    let prime = Hash::default().prime().clone();
    let u = random();
    let honest = mapped(&u, &[]).results;
    let refused = |lies: Vec<Lie>| {
        let behind = |(relation, result): Lie| (honest.len() + relation, result);
        let lies: Vec<_> = lies.into_iter().map(behind).collect();
        let refused = mapped_often(2, &u, &lies).refused();
        refused.into_iter().map(|relation| relation - honest.len()).collect::<Vec<_>>()
    };
    // Of a pair of coordinates the second one follows from the first by one equation, and another one refuses both.
    for (changed, refusing) in [(X1, X1 + 2), (Y, Y + 2), (M, M + 2), (BIT, BIT)] {
        let mut lies = (1u8..40).map(|change| (changed, (&honest[changed] + change) % &prime));
        assert!(lies.any(|lie| refused(vec![lie]) == [refusing]), "{refusing}");
    }
}

/// Elements without a denominator, and those whose first coordinate is 0, have no witness.
#[test]
fn exceptional_elements_have_no_point() {
    let refused = |u: [u8; 2]| mapped(&u.map(BigUint::from), &[]).refused();
    // `v` is 0, and both equations of `x1` say that something else is.
    assert!(refused([0, 0]).is_superset(&BTreeSet::from([X1 + 1, X1 + 2, INVERSE])));
    // The sign would be that of the second coordinate: a `y` that is even, and one that is odd.
    assert_eq!(refused([0, 6]), BTreeSet::from([INVERSE]));
    assert_eq!(refused([0, 7]), BTreeSet::from([PARITY, INVERSE]));
}

/// The candidate that is not chosen has no `y`: both equations of a `y` refuse what there is of it.
#[test]
fn the_other_candidate_is_refused() {
    let u = random();
    let bit = &mapped(&u, &[]).results[BIT];
    let refused = mapped(&u, &[(BIT, 1u8 - bit)]).refused();
    assert!(refused.is_superset(&BTreeSet::from([Y + 1, Y + 2])), "{refused:?}");
    assert!(!refused.contains(&BIT));
}

/// All but the bit that chooses a candidate, whose equation has two solutions: what refuses the wrong one has no result.
#[test]
fn what_relations_read_is_bound() {
    let u = [5u8, 6].map(BigUint::from);
    let once = mapped(&u, &[]);
    assert_bound_but_for(&once, &[BIT]);
    // Behind both inputs, the first of which is there once, too.
    let twice = mapped_often(2, &u, &[]);
    assert_bound_but_for(&twice, &[BIT + 1, twice.results.len() - once.results.len() + BIT]);
}

/// Asserts that all relations are bound but for results that are bits: from 0 the sweep comes to 1, from 1 to 2, which is none.
pub(super) fn assert_bound_but_for(lied: &Lied, bits: &[usize]) {
    let zeros = bits.iter().filter(|bit| lied.results[**bit] == BigUint::ZERO);
    let expected = zeros.map(|bit| format!("Equation {}: nothing refuses it", lied.before + bit));
    let expected: Vec<_> = expected.collect();
    for complaint in lied.test.complaints_of_relations(FILES) {
        assert!(expected.iter().any(|one| complaint.ends_with(one)), "{complaint}");
    }
}
