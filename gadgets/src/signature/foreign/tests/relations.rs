//! Every relation of a batch, rewritten with all that follows.

use muster_testing::sampled;

use super::*;
use crate::signature::bip340;
use muster_gates::poseidon;
use muster_schemes::signature::bip340::Bip340;

const FILES: &str = "src/signature/";
const DIGEST: [u8; 32] = [7; 32];
/// With limbs of other lengths operands have other cells.
fn long(curve: Curve, range_bits: usize) -> Layout {
    Layout { sha256: Some(SHA256_GATE), ..foreign(curve, 15, range_bits, 6) }
}

fn ecdsa<C: Suite>(range_bits: usize, count: usize) -> TestCircuit {
    let mut rng = ChaCha20Rng::seed_from_u64(3);
    let items: Vec<_> = (0..count).map(|_| signed::<C>(&mut rng, &DIGEST)).collect();
    let digest = (C::CURVE, halves_of(&DIGEST));
    batch(long(C::CURVE, range_bits), digest, &items, |ctx, digest, keys, signatures| {
        let scheme = (C::CURVE, Rule::AnyS);
        let _ = ecdsa::assert_verify_all(ctx, scheme, digest, keys, signatures);
    })
}

fn bip340(range_bits: usize, count: usize) -> TestCircuit {
    let mut rng = ChaCha20Rng::seed_from_u64(4);
    let signed = |_| {
        let secret = Bip340::keygen(&mut rng);
        let signature = Bip340::sign(&secret, &DIGEST, &mut rng);
        let key = Bip340::public_key(&secret);
        raw(&key.point(), &signature.nonce_point(), &signature.s())
    };
    let items: Vec<_> = (0..count).map(signed).collect();
    let digest = (Curve::Secp256k1, halves_of(&DIGEST));
    let layout = long(Curve::Secp256k1, range_bits);
    batch(layout, digest, &items, |ctx, digest, keys, signatures| {
        let _ = bip340::assert_verify_all(ctx, digest, keys, signatures);
    })
}

/// Of batches of so many signatures, one by one.
fn assert_bound(counts: Vec<usize>, batch: impl Fn(usize) -> TestCircuit) {
    counts.into_iter().for_each(|count| batch(count).assert_relations_are_bound(FILES));
}

/// Of three signatures a sum goes on from another sum.
#[test]
fn what_ecdsa_over_secp256k1_relates_is_bound() {
    assert_bound(sampled([1, 3], 2), |count| ecdsa::<k256::Secp256k1>(13, count));
}

#[test]
fn what_ecdsa_over_secp256k1_relates_in_shorter_limbs_is_bound() {
    assert_bound(sampled([1, 3], 2), |count| ecdsa::<k256::Secp256k1>(10, count));
}

#[test]
fn what_ecdsa_over_p256_relates_is_bound() {
    assert_bound(sampled([1, 2], 2), |count| ecdsa::<p256::NistP256>(13, count));
}

#[test]
fn what_ecdsa_over_p256_relates_in_shorter_limbs_is_bound() {
    assert_bound(sampled([1, 2], 2), |count| ecdsa::<p256::NistP256>(10, count));
}

#[test]
fn what_bip340_relates_is_bound() {
    assert_bound(sampled([1, 2], 2), |count| bip340(13, count));
}

#[test]
fn what_bip340_relates_in_shorter_limbs_is_bound() {
    assert_bound(sampled([1, 2], 2), |count| bip340(10, count));
}

/// Cells of the vertical gate: all are bound, but those that another gate computes or takes.
#[test]
fn sums_of_limbs_and_digits_are_determined() {
    for (range_bits, count, passed_on) in
        [(10, 1, [14, 14, 15]), (10, 2, [84, 84, 44]), (13, 1, [8, 8, 8]), (13, 2, [51, 51, 24])]
    {
        let tests = [
            ecdsa::<k256::Secp256k1>(range_bits, count),
            ecdsa::<p256::NistP256>(range_bits, count),
            bip340(range_bits, count),
        ];
        let open = tests.each_ref().map(TestCircuit::open_values);
        let expected = passed_on.map(|passed_on| (vec![], passed_on));
        assert_eq!(open, expected, "{count} by lookups of {range_bits} bits");
    }
}

/// The numbers of two digests.
#[test]
fn digests_are_bound() {
    let test = TestCircuit::new(foreign(Curve::P256, 14, 13, 6), |ctx| {
        (0..4).for_each(|_| drop(element(ctx.chips.foreign(), &BigUint::ZERO)));
        for _ in 0..2 {
            let digest = halves_of(&DIGEST).map(|half| ctx.load_witness(half));
            from_halves(ctx, digest);
        }
        ctx.chips.foreign().enter_all();
    });
    test.assert_satisfied();
    test.assert_relations_are_bound("signature/foreign/points");
}

/// What a key is named by: every element that its hash takes.
#[test]
fn names_are_of_the_key() {
    let curve = Curve::Secp256k1;
    let layout = foreign(curve, 14, 13, 6);
    let columns = layout.poseidon[0].columns;
    let mut test = TestCircuit::new(layout, |ctx| {
        (0..4).for_each(|_| drop(element(ctx.chips.foreign(), &BigUint::ZERO)));
        let equations = CurveEquations::new(curve);
        let parameters = curve.parameters();
        for scalar in [3u8, 5] {
            let point = parameters.mul(&parameters.generator(), &scalar.into());
            let point = point.expect("not the identity");
            AssignedKey::new(ctx, &equations, &point).name(ctx.chips);
        }
        ctx.chips.foreign().enter_all();
    });
    test.assert_satisfied();
    let forger = test.forger();
    let rows = poseidon::rows_each(HASH_WIDTH, columns).expect("it can be laid out");
    for first in [0, rows] {
        for element in 0..HASH_WIDTH {
            let place = (element % columns, first + element / columns);
            let value = forger.value(place) + Fr::one();
            let what = format!("row {first}, element {element}");
            test.assert_only_copies_refuse(&forger, &what, &[(place, value)]);
        }
    }
}
