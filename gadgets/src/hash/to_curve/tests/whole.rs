//! Hashes behind their expansions: from numbers that are not reduced to points of the curve.

use num_bigint::RandBigInt;

use super::{
    g2,
    prime::{BN254_Y, G1_Y},
    *,
};
use muster_schemes::hash::to_curve::{Bls12381G1, Bls12381G2, Bn254G1};

/// Bits of the lower part of a number.
const BITS: usize = 192;

/// The points of numbers, each in two parts.
fn mapped<S: MapInstructions<D>, const D: usize>(numbers: &[BigUint], lies: &[Lie]) -> Lied {
    let hash = HashToCurve::<S, D>::default();
    let map = |script: &mut Script, given: &[Var]| {
        let numbers: Vec<_> = given.chunks(2).map(|parts| [parts[0], parts[1]]).collect();
        hash.mapped(script, BITS, &numbers);
    };
    let name = format!("numbers to {}", S::NAME);
    Lied::new(&room_for(&name, hash.prime(), 4 * D, map), hash.prime(), numbers, lies, map)
}

fn random<const D: usize>() -> Vec<BigUint> {
    let mut rng = muster_testing::rng();
    (0..4 * D).map(|_| rng.gen_biguint(BITS as u64)).collect()
}

/// The power of two, the residues, and what shows the first coordinates to be canonical.
#[test]
fn every_result_is_bound() {
    fn refuse<S: MapInstructions<D>, const D: usize>() {
        let (hash, numbers) = (HashToCurve::<S, D>::default(), random::<D>());
        let count = 1 + 2 * (D + 1);
        assert_these_refuse(0..count, |lies| mapped::<S, D>(&numbers, lies), hash.prime(), &[]);
    }
    refuse::<Bn254G1, 1>();
    refuse::<Bls12381G1, 1>();
    refuse::<Bls12381G2, 2>();
}

/// An element whose first coordinate is not the least number of its residue has the other sign: that it is too large alone
/// refuses it. `y` has the number of its relation in a map, of which the first one is that of the element.
fn are_canonical<S: MapInstructions<D>, const D: usize>(y: usize) {
    let hash = HashToCurve::<S, D>::default();
    let p = hash.prime();
    let numbers: Vec<_> = (0..4 * D).map(|i| BigUint::from(i % 2 * (i + 5))).rev().collect();
    let honest = mapped::<S, D>(&numbers, &[]).results;
    let (residue, shown) = (1, 1 + D);
    assert_eq!(honest[residue], numbers[0]);
    let before = 1 + 2 * (D + 1);
    let roots = (before + y - 1..).take(D).map(|y| (y, p - &honest[y]));
    let lies: Vec<_> = roots.chain([(residue, p + &honest[residue])]).collect();
    assert_eq!(mapped::<S, D>(&numbers, &lies).refused(), BTreeSet::from([shown]));
}

#[test]
fn elements_are_canonical() {
    are_canonical::<Bn254G1, 1>(BN254_Y);
    are_canonical::<Bls12381G1, 1>(G1_Y);
    are_canonical::<Bls12381G2, 2>(g2::Y);
}

/// All but the bits that choose candidates, as in the map alone. Of a place the last relation is asked, and in a mutation run
/// one of each map.
#[test]
fn what_relations_read_is_bound() {
    let lied = mapped::<Bls12381G2, 2>(&random::<2>(), &[]);
    let before = 1 + 2 * 3;
    let map = (lied.results.len() - before) / 2;
    let first = before + g2::BIT - 1;
    g2::assert_bound_but_for(&lied, &[first, first + map]);
}
