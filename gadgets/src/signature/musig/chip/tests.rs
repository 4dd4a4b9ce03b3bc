//! An aggregate key that is the identity, and a list of keys that is another one.

use super::*;
use crate::{
    curve::edwards::{mul_generator, Scalar},
    gate::{
        poseidon::rows_each,
        testing::{layout, TestCircuit},
    },
};

fn times_generator(scalar: u64) -> RawPoint {
    let point = mul_generator(&Scalar::from(scalar)).to_affine();
    RawPoint { x: point.x(), y: point.y() }
}

/// Two signers of these keys and weights, and one signature.
fn circuit(keys: [RawPoint; 2], weight: u64, signature: RawSignature) -> TestCircuit {
    TestCircuit::new(layout(11, &[HASH_WIDTH]), |ctx, chips| {
        let [key_set_root, message] = [5, 6].map(|value| ctx.load_witness(Fr::from(value)));
        let claim = AssignedClaim { key_set_root, message };
        let signers = keys.map(|key| AssignedSigner {
            public_key: AssignedPoint::new(ctx, chips, LANE, &key),
            weight: ctx.load_witness(Fr::from(weight)),
        });
        Musig::assert_all(ctx, chips, &claim, &signers, &[signature]);
    })
}

/// Where nobody signs, every term of the aggregate key is taken out again, and `s·B = R + c·0` is anybody's
/// signature of anything. The inverse of the first coordinate alone refuses it.
#[test]
fn an_aggregate_of_nobody_is_refused() {
    let nonce = Scalar::from(4_321);
    let RawPoint { x, y } = times_generator(4_321);
    let signature = RawSignature { x, y, s: nonce.to_bytes() };
    let generator = RawPoint::generator();
    let mut nobody = circuit([generator; 2], 0, signature);
    assert_eq!(nobody.failing(vec![]), ["1 column a + b * c = out"]);
    assert_eq!(nobody.count_failures(), 1);
}

/// Every lane of the hash of the list: its tag, the root, the keys, and what fills the block up.
#[test]
fn every_lane_of_the_list_is_bound() {
    let mut test = TestCircuit::new(layout(10, &[HASH_WIDTH]), |ctx, chips| {
        let root = ctx.load_witness(Fr::from(77));
        let weight = ctx.load_witness(Fr::from(3));
        let signers = [11, 13].map(|secret| {
            let key = times_generator(secret);
            let public_key = AssignedPoint::new(ctx, chips, LANE, &key);
            AssignedSigner { public_key, weight }
        });
        let unused = unused_slots(ctx, chips, &signers);
        list(ctx, chips, root, &signers, &unused);
    });
    test.assert_satisfied();
    let forger = test.forger();
    // Three columns of inputs stand behind the six of the Edwards gate.
    for lane in 0..HASH_WIDTH {
        let place = (6 + lane % 3, lane / 3);
        let value = forger.value(place) + Fr::one();
        test.assert_only_copies_refuse(&forger, &format!("lane {lane}"), &[(place, value)]);
    }
}

/// Every lane of what is stretched to coefficients: its tag, the link, the number of the block, and zeros.
#[test]
fn every_lane_of_the_coefficients_is_bound() {
    let mut test = TestCircuit::new(layout(9, &[HASH_WIDTH]), |ctx, chips| {
        let link = ctx.load_witness(Fr::from(77));
        stretch(chips, Existing(link), 11);
    });
    test.assert_satisfied();
    let forger = test.forger();
    let rows = rows_each(HASH_WIDTH, 3).expect("it can be laid out");
    for (block, lane) in (0..3).flat_map(|block| (0..HASH_WIDTH).map(move |lane| (block, lane))) {
        let place = (6 + lane % 3, block * rows + lane / 3);
        let value = forger.value(place) + Fr::from(5);
        let what = format!("block {block}, lane {lane}");
        test.assert_only_copies_refuse(&forger, &what, &[(place, value)]);
    }
}

/// Each cell of the vertical gate is rewritten, with all that follows from it.
#[test]
fn a_list_is_determined() {
    let test = TestCircuit::new(layout(11, &[HASH_WIDTH]), |ctx, chips| {
        let root = ctx.load_witness(Fr::from(77));
        let weight = ctx.load_witness(Fr::from(3));
        let signers = [11, 13, 17].map(|secret| {
            let key = times_generator(secret);
            let public_key = AssignedPoint::new(ctx, chips, LANE, &key);
            AssignedSigner { public_key, weight }
        });
        let unused = unused_slots(ctx, chips, &signers);
        let link = list(ctx, chips, root, &signers, &unused);
        stretch(chips, link, 11);
    });
    test.assert_satisfied();
    // Inverses of weights, which nothing binds here: another one is that of another weight. The keys of the list are
    // bound by the Edwards gate.
    let inverse = Fr::from(3).invert().expect("not zero");
    assert_eq!(test.open_values(), (vec![inverse; 3], 3));
}
