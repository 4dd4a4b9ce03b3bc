//! Compressed points: their bytes, and coordinates that have none.

use halo2_base::halo2_proofs::halo2curves::ff::PrimeField;
use halo2curves::bls12_381::Fr as Scalar;
use num_traits::One;

use super::*;
use crate::{
    curve::pairing::chip::compressed::relate,
    field::foreign::{integer::Integer, script::Script},
};
use muster_schemes::signature::bls::{Ciphersuite, MinPkPopBls12381, PublicKey, SecretKey};

/// The relation that doubles `y`.
const DOUBLE: usize = 4;

fn room() -> Layout {
    let native = halo2_base::utils::modulus::<Fr>();
    let equations = [AssignedCompressed::equations(), vec![Integer::any()]].concat();
    let foreign = ForeignLayout::new(&native, 8, 6, &equations);
    Layout { edwards_lanes: 0, foreign: vec![foreign], ..layout(10, &[]) }
}

fn key(scalar: Scalar) -> PublicKey<MinPkPopBls12381> {
    SecretKey::from_scalar(&scalar).expect("not zero").public_key()
}

fn coordinates(scalar: Scalar) -> [BigUint; 2] {
    MinPkPopBls12381::key_coordinates(key(scalar).point())
}

/// The first multiple of the generator with such coordinates.
fn multiple(is: impl Fn(&[BigUint; 2]) -> bool) -> [BigUint; 2] {
    (1..).map(|number| coordinates(Scalar::from(number))).find(is).expect("there are many")
}

fn p() -> &'static BigUint {
    &PairingCurve::Bls12381.parameters().p
}

/// What a circuit takes for the bytes of a point.
fn compressed(raw: &[BigUint; 2]) -> (TestCircuit, [Fr; 3]) {
    let mut found = None;
    let circuit = TestCircuit::new(room(), |ctx, chips| {
        // The mock prover cannot show a failure whose queries reach above the first row.
        (0..4).for_each(|_| drop(element(chips.foreign(), &BigUint::ZERO)));
        let raw = raw.each_ref().map(|number| element(chips.foreign(), number));
        found = Some(AssignedCompressed::of(ctx, chips, &raw).halves().map(|half| *half.value()));
    });
    (circuit, found.expect("it was built"))
}

/// As blst writes them, of both signs.
#[test]
fn points_have_their_bytes() {
    let mut signs = vec![];
    for number in [1, 2, 3, 0xffff_ffff_ffff] {
        for scalar in [Scalar::from(number), -Scalar::from(number)] {
            let (circuit, halves) = compressed(&coordinates(scalar));
            circuit.assert_satisfied();
            let bytes = key(scalar).to_bytes();
            let expected = bytes.chunks(16).map(|half| {
                Fr::from_u128(u128::from_be_bytes(half.try_into().expect("16 of 48 bytes")))
            });
            assert_eq!(halves.to_vec(), expected.collect::<Vec<_>>());
            signs.push(bytes[0] >> 5);
        }
    }
    assert!(signs.contains(&0b100) && signs.contains(&0b101));
}

/// Numbers that represent the coordinates modulo the prime, but are not below it. The bytes of the first would be others.
#[test]
fn coordinates_above_the_prime_are_refused() {
    let room = (BigUint::one() << 381) - p();
    for coordinate in [0, 1] {
        let mut raw = multiple(|raw| raw[coordinate] < room);
        raw[coordinate] += p();
        assert_eq!(compressed(&raw).0.false_relations(), Some(1), "{coordinate}");
    }
}

#[test]
fn points_off_the_curve_are_refused() {
    for coordinate in [0, 1] {
        let mut raw = coordinates(Scalar::from(7));
        raw[coordinate] += 1u8;
        assert_eq!(compressed(&raw).0.false_relations(), Some(1), "{coordinate}");
    }
}

/// The double of `y` with the prime left on it, by which the greater one would seem to be the lesser.
#[test]
fn a_double_that_is_not_reduced_is_refused() {
    let half = (p() - 1u8) >> 1u8;
    let short = BigUint::one() << 380;
    let raw = multiple(|[_, y]| *y > half && *y < short);
    let double = &raw[1] * 2u8;
    for (lies, refused) in [(vec![], 0), (vec![(DOUBLE, double)], 1)] {
        let circuit = TestCircuit::new(room(), |_, chips| {
            (0..4).for_each(|_| drop(element(chips.foreign(), &BigUint::ZERO)));
            let raw = raw.each_ref().map(|number| element(chips.foreign(), number));
            let mut script = Script::new(chips.foreign(), p()).lying(&lies);
            let coordinates = raw.each_ref().map(|coordinate| script.given(coordinate));
            let double = relate(&mut script, coordinates);
            assert_eq!(script.value(double.var()).bit(0), lies.is_empty());
        });
        assert_eq!(circuit.false_relations(), Some(refused));
    }
}

/// Each cell of the vertical gate, among them the sign and the half of the double without it, and each relation.
#[test]
fn every_cell_of_the_bytes_is_bound() {
    let (circuit, _) = compressed(&coordinates(Scalar::from(3)));
    circuit.assert_satisfied();
    circuit.assert_relations_are_bound("curve/pairing/chip/compressed");
    let walk = circuit.walk_from_everywhere([]);
    assert!(walk.sums > 3 && walk.copies > 3, "{walk:?}");
}
