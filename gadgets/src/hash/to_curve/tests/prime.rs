//! The maps to G1 of BLS12-381 and BN254, and the search for a point.

use num_bigint::RandBigInt;
use rand::RngCore;

use super::*;
use crate::hash::to_curve::bn254;
use muster_schemes::hash::to_curve::{bn254::find_point, Bls12381G1, Bn254G1};

/// The map of an element.
fn mapped<S: MapInstructions<1>>(u: &BigUint, lies: &[Lie]) -> Lied {
    let prime = prime::<S>();
    let map = |script: &mut Script, given: &[Var]| {
        let element = MapInput::new(script, [given[0]]);
        S::map_in(script, element);
    };
    Lied::new(&room_for(S::NAME, &prime, 1, map), &prime, std::slice::from_ref(u), lies, map)
}

/// The maps of an element and of the same one again, as a hash has two: a circuit comes to each line a first and a second time.
fn mapped_twice<S: MapInstructions<1>>(u: &BigUint) -> Lied {
    let prime = prime::<S>();
    let map = |script: &mut Script, given: &[Var]| {
        let elements = [given[0], given[1]].map(|u| MapInput::new(script, [u]));
        for element in elements {
            S::map_in(script, element);
        }
    };
    let room = room_for(&format!("{} twice", S::NAME), &prime, 2, map);
    Lied::new(&room, &prime, &[u.clone(), u.clone()], &[], map)
}

/// The search among three numbers.
fn searched(start: &BigUint, lies: &[Lie]) -> Lied {
    let prime = prime::<Bn254G1>();
    let find = |script: &mut Script, given: &[Var]| {
        bn254::find_point(script, given[0], 3);
    };
    Lied::new(&room_for("search", &prime, 1, find), &prime, std::slice::from_ref(start), lies, find)
}

fn prime<S: MapInstructions<1>>() -> BigUint {
    HashToCurve::<S, 1>::default().prime().clone()
}

fn random<S: MapInstructions<1>>(rng: &mut impl RngCore) -> BigUint {
    rng.gen_biguint_below(&prime::<S>())
}

/// Numbers of relations.
const G1_BIT: usize = 6;
const G1_INVERSE: usize = 3;
pub(super) const G1_Y: usize = 9;
const BN254_BITS: [usize; 2] = [10, 14];
pub(super) const BN254_Y: usize = 19;

#[test]
fn every_result_is_bound() {
    let mut rng = muster_testing::rng();
    let (u, p) = (random::<Bls12381G1>(&mut rng), prime::<Bls12381G1>());
    assert_all_refuse(|lies| mapped::<Bls12381G1>(&u, lies), &p, &[]);
    let (u, p) = (random::<Bn254G1>(&mut rng), prime::<Bn254G1>());
    assert_all_refuse(|lies| mapped::<Bn254G1>(&u, lies), &p, &[]);
}

#[test]
fn every_result_of_a_search_is_bound() {
    let starts = (1u8..).map(BigUint::from);
    let start = starts.filter(|start| passed(start) == 1).nth(2).expect("there are many");
    assert_all_refuse(|lies| searched(&start, lies), &prime::<Bn254G1>(), &[]);
}

/// Numbers from this one on that no point has.
fn passed(start: &BigUint) -> usize {
    let bytes = start.to_bytes_be();
    find_point(&bytes).1
}

/// Signs are those of least numbers: the other root is refused by the parity of the sum, and as a number that is too large
/// and has the parity by that alone.
fn refuses_other_roots<S: MapInstructions<1>>(y: usize) {
    let p = prime::<S>();
    let bits = p.bits();
    let (mut rng, mut found) = (muster_testing::rng(), false);
    while !found {
        let u = random::<S>(&mut rng);
        let root = mapped::<S>(&u, &[]).results[y].clone();
        let other = &p - &root;
        assert_eq!(mapped::<S>(&u, &[(y, other.clone())]).refused(), BTreeSet::from([y + 2]));
        let large = other + &p;
        found = large.bits() <= bits;
        if found {
            assert_eq!(mapped::<S>(&u, &[(y, large)]).refused(), BTreeSet::from([y + 1]));
        }
    }
}

#[test]
fn the_other_root_is_refused() {
    refuses_other_roots::<Bls12381G1>(G1_Y);
    refuses_other_roots::<Bn254G1>(BN254_Y);
}

/// No other candidate is taken where the first one has a point: that it has none cannot be shown.
#[test]
fn candidates_are_not_passed_over() {
    let numbers = (2u32..).map(BigUint::from);
    let is = |bit: usize, u: &BigUint| mapped::<Bn254G1>(u, &[]).results[bit] == 1u8.into();
    let [first, second] = BN254_BITS;
    let u = numbers.clone().find(|u| is(first, u) && is(second, u)).expect("there are many");
    assert_eq!(
        mapped::<Bn254G1>(&u, &[(first, 0u8.into())]).refused(),
        BTreeSet::from([first + 1])
    );
    let u = numbers.clone().find(|u| !is(first, u) && is(second, u)).expect("there are many");
    let refused = mapped::<Bn254G1>(&u, &[(first, 1u8.into())]).refused();
    assert!(refused.contains(&(first + 1)));
    // The third one has no point of its own here.
    let refused = mapped::<Bn254G1>(&u, &[(second, 0u8.into())]).refused();
    assert!(refused.contains(&(second + 1)));
    let u = numbers.clone().find(|u| mapped::<Bls12381G1>(u, &[]).results[G1_BIT] == 1u8.into());
    let refused =
        mapped::<Bls12381G1>(&u.expect("every second"), &[(G1_BIT, 0u8.into())]).refused();
    assert_eq!(refused, BTreeSet::from([G1_Y]));
    // The first of three numbers has a point, and so has the second.
    let has = |start: &BigUint| passed(start) == 0;
    let start = numbers.clone().find(|start| has(start) && has(&(start + 1u8)));
    let start = start.expect("every fourth");
    assert_eq!(searched(&start, &[(2, &start + 1u8)]).refused(), BTreeSet::from([3]));
}

/// Elements for which a map has no denominator have no witness.
#[test]
fn exceptional_elements_have_no_point() {
    let p = prime::<Bn254G1>();
    let half = (&p + 1u8) >> 1u8;
    for u in [half.clone(), &p - half] {
        assert!(!mapped::<Bn254G1>(&u, &[]).refused().is_empty());
    }
    let p = prime::<Bls12381G1>();
    let square = &p - BigUint::from(11u8).modinv(&p).expect("not 0");
    let root = square.modpow(&((&p + 1u8) >> 2u8), &p);
    for u in [BigUint::ZERO, root.clone(), &p - root] {
        // The inverse of 0, whatever is taken for it.
        assert!(mapped::<Bls12381G1>(&u, &[]).refused().contains(&G1_INVERSE));
    }
}

/// What relations copy, say and check the ranges of.
#[test]
fn what_relations_read_is_bound() {
    mapped_twice::<Bn254G1>(&5u8.into()).test.assert_relations_are_bound(FILES);
    mapped_twice::<Bls12381G1>(&5u8.into()).test.assert_relations_are_bound(FILES);
    // No point has the first number: of the two that may come after another one, the forger finds its successor.
    searched(&4u8.into(), &[]).test.assert_relations_are_bound(FILES);
}

/// Relations of a map left out, and cut off from what they read.
#[test]
fn relations_count() {
    mapped_twice::<Bn254G1>(&5u8.into()).test.assert_relations_count(FILES);
}
