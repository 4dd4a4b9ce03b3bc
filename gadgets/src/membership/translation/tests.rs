//! Steps from a point of the curve to a key in the subgroup, and from a number to its bytes, each by itself.

use halo2_base::{
    halo2_proofs::halo2curves::{bn256::Fr, ff::PrimeField},
    utils::{biguint_to_fe, fe_to_biguint, modulus},
    AssignedValue,
};
use muster_forgery::testing::{layout, TestCircuit, Walk};
use muster_gates::power_of_two;
use muster_schemes::{
    curve::edwards::{Scalar, SubgroupPoint},
    membership::{commitment::SemaphoreGroup, PublicKey},
};
use num_bigint::BigUint;

use super::{
    semaphore::{assert_bytes, key_of_eighth},
    CommitmentInstructions,
};

/// A key of Baby Jubjub, and the bytes that a circuit is filled from.
fn sample() -> (SubgroupPoint, Vec<u8>) {
    let key = SubgroupPoint::mul_generator(&Scalar::from(1_234_567)).expect("not zero");
    (key, SemaphoreGroup::key(&PublicKey::from(key)).expect("a key of EdDSA"))
}

/// The circuit of a key alone, and the key.
fn key_of(bytes: &[u8]) -> (TestCircuit, [Fr; 2]) {
    let mut found = [Fr::zero(); 2];
    let circuit = TestCircuit::new(layout(9, &[]), |ctx, _| {
        found = key_of_eighth(ctx, bytes).map(|coordinate: AssignedValue<Fr>| *coordinate.value());
    });
    (circuit, found)
}

#[test]
fn an_eighth_shows_its_key() {
    let (key, bytes) = sample();
    let (circuit, found) = key_of(&bytes);
    circuit.assert_satisfied();
    assert_eq!(found, [key.x(), key.y()]);
    // An empty place has the identity.
    let (circuit, found) = key_of(&vec![0; bytes.len()]);
    circuit.assert_satisfied();
    assert_eq!(found, [Fr::zero(), Fr::one()]);
}

/// The square of a coordinate, a product, a double, a constant: whatever is another number, with all that follows.
#[test]
fn every_step_to_a_key_is_bound() {
    let (circuit, _) = key_of(&sample().1);
    let Walk { sums, copies } = circuit.walk_from_everywhere([]);
    assert!(sums >= 30 && copies >= 40, "{sums} sums, {copies} copies");
}

/// Points off the curve, of which the multiples are computed all the same.
#[test]
fn points_off_the_curve_are_refused_by_its_equation_alone() {
    let (_, bytes) = sample();
    for place in [0, 32] {
        let mut other = bytes.clone();
        other[place] ^= 1;
        let (circuit, _) = key_of(&other);
        assert_eq!(circuit.count_failures(), 1, "{place}");
    }
}

/// The circuit of a number and its bytes, in halves.
fn bytes_of(element: Fr, halves: [Fr; 2]) -> TestCircuit {
    TestCircuit::new(layout(9, &[]), |ctx, chips| {
        let numbers = ctx.assign_witnesses([element, halves[0], halves[1]]);
        let [element, high, low] = numbers.try_into().expect("three of them");
        assert_bytes(ctx, chips, element, &[high, low]);
    })
}

/// Halves that are no 16 bytes, but add up to the number modulo the prime.
#[test]
fn a_number_has_one_pair_of_halves() {
    let half = BigUint::from(1u8) << 128;
    let number = |value: &BigUint| biguint_to_fe::<Fr>(value);
    let element = sample().0.x();
    let value = fe_to_biguint(&element);
    let [high, low] = [number(&(&value / &half)), number(&(&value % &half))];
    let own = bytes_of(element, [high, low]);
    own.assert_satisfied();
    let Walk { sums, copies } = own.walk_from_everywhere([0, 1, 2]);
    assert!(sums >= 1 && copies >= 4, "{sums} sums, {copies} copies");
    // The prime added: the first half is too large.
    let more = &value + modulus::<Fr>();
    // The last half is negative, or has more than 128 bits.
    let shift = power_of_two(128);
    // The first half is negative: so much of the prime is taken away that the last one fits.
    let room = (modulus::<Fr>() - &value) / &half + 1u8;
    for halves in [
        [number(&(&more / &half)), number(&(&more % &half))],
        [high + Fr::one(), low - shift],
        [high - Fr::one(), low + shift],
        [-number(&room), element + number(&room) * shift],
    ] {
        assert_eq!(halves[0] * shift + halves[1], element);
        let failing = bytes_of(element, halves).failing(vec![]);
        assert_eq!(
            failing,
            ["range: limb is below 2^b"],
            "{:?}",
            halves.map(|half| half.to_repr())
        );
    }
    // And halves of another number.
    assert_eq!(bytes_of(element, [high, low + Fr::one()]).count_failures(), 1);
}
