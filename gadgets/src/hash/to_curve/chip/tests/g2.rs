//! Hashes to G2 of BLS12-381.

use num_bigint::RandBigInt;

use super::*;
use crate::hash::to_curve::{chip::g2, Bls12381G2};

type Hash = HashToCurve<Bls12381G2, 2>;

/// The map of an element whose coordinates are given.
fn mapped(u: &[BigUint; 2], lies: &[Lie]) -> Lied {
    let prime = Hash::default().prime().clone();
    let map = |script: &mut Script, given: &[Var]| {
        g2::map(script, [given[0], given[1]]);
    };
    Lied::new(&room_for("map to G2", &prime, 2, map), &prime, u, lies, map)
}

fn random() -> [BigUint; 2] {
    let prime = Hash::default().prime().clone();
    let mut rng = muster_testing::rng();
    [(); 2].map(|()| rng.gen_biguint_below(&prime))
}

/// Numbers of relations of the map.
const V0: usize = 2;
const X1: usize = 4;
const X: usize = 10;
const Y: usize = 14;
const M: usize = 21;

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
    let more: Vec<_> = (2u8..16).flat_map(|factor| pairs(&honest, &factor.into(), prime)).collect();
    assert_all_refuse(|lies| mapped(&u, lies), prime, &more);
}
