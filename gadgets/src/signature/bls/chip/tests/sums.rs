//! Signatures by several keys: sums, hash and pairings in one gate.

use halo2curves::{bls12_381, bn256, group::Curve, CurveAffine};
use num_bigint::BigInt;

use super::*;
use crate::signature::bls::chip::KeySums;
use muster_gates::foreign::Block;
use muster_schemes::field::ExtensionField;
use muster_schemes::{curve::aggregate::SumWalk, field::foreign::Range};

/// Multiples of the generator by these secrets.
fn keys<C: CurveAffine>(secrets: &[u64]) -> Vec<C> {
    let key = |secret: &u64| (C::generator() * C::Scalar::from(*secret)).to_affine();
    secrets.iter().map(key).collect()
}

/// The sum of these keys in circuit.
fn summed<C>(ctx: &mut GateContext, curve: PairingCurve, keys: &[C]) -> AssignedGroupPoint
where
    C: CurveAffine,
    C::Base: ExtensionField,
{
    let walk = SumWalk::new(keys).expect("there is a sum");
    let pair = |key: &C| {
        let point = Option::<halo2curves::Coordinates<C>>::from(key.coordinates());
        let point = point.expect("not the identity");
        [point.x(), point.y()].map(|coordinate| {
            let [number] = coordinate.coefficients();
            ctx.chips.foreign().witness(ctx, &number)
        })
    };
    let pairs: Vec<_> = keys.iter().map(pair).collect();
    KeySums::<BasePoint>::new(curve).sum_of_trusted_keys(ctx.chips, &pairs, &walk)
}

/// What is said of a signature by `secret` on the third multiple of the generator, by the keys of these secrets.
fn over_bn254(secret: u64, secrets: &[u64]) -> [bool; 2] {
    let curve = PairingCurve::Bn254;
    let [message, signature] = [3, 3 * secret].map(|factor| twist_point(curve, factor));
    verdicts(room(curve, 14, KeySums::<BasePoint>::new(curve).all()), |ctx| {
        let equations = PairingEquations::new(curve);
        let chip = ctx.chips.foreign();
        let public = public(ctx, curve, message.as_flattened());
        let signed = AssignedSigned {
            key: summed(ctx, curve, &keys::<bn256::G1Affine>(secrets)),
            message: message.public(ctx, &equations, &public),
            signature: AssignedTwistPoint::new(chip, &equations, &signature),
        };
        BasePoint::assert_verifies(&signed, ctx, &equations).is_ok()
    })
}

#[test]
fn all_whose_keys_are_added_sign() {
    assert_eq!(over_bn254(12, &[5, 7]), [true, true]);
    assert_eq!(over_bn254(21, &[5, 7, 9]), [true, true]);
    // One key missing, and one surplus.
    assert_eq!(over_bn254(5, &[5, 7]), [false, false]);
    assert_eq!(over_bn254(21, &[5, 7]), [false, false]);
    assert_eq!(over_bn254(12, &[5, 7, 9]), [false, false]);
    // A key that is there twice is added twice.
    assert_eq!(over_bn254(10, &[5, 5]), [true, true]);
}

/// Three parts in one gate: a message that is hashed, keys that are added up, and a product of pairings.
#[test]
fn one_gate_has_room_for_all() {
    let curve = PairingCurve::Bls12381;
    let (_, signature) = signed::<MinPkBasicBls12381>(12);
    let signature = MinPkBasicBls12381::point_coordinates(signature.point());
    let all = [KeySums::<BasePoint>::new(curve).all(), TwistPoint::hash_equations(curve)].concat();
    let found = verdicts(room_to_hash(curve, 15, all), |ctx| {
        let equations = PairingEquations::new(curve);
        let text = message(ctx, MESSAGE);
        let keys = keys::<bls12_381::G1Affine>(&[5, 7]);
        let signed = AssignedSigned {
            key: summed(ctx, curve, &keys),
            message: TwistPoint::hash(ctx, &equations, &text, &tag(tags::BLS12381_G2)),
            signature: AssignedTwistPoint::new(ctx.chips.foreign(), &equations, &signature),
        };
        BasePoint::assert_verifies(&signed, ctx, &equations).is_ok()
    });
    assert_eq!(found, [true, true]);
}

/// With lookups of any width, in a gate of their own and beside pairings: so sums tell first coordinates apart.
#[test]
fn coordinates_of_addends_are_below_twice_the_prime() {
    for curve in PairingCurve::ALL {
        let alone =
            [KeySums::<BasePoint>::new(curve).all(), KeySums::<TwistPoint>::new(curve).all()];
        let beside = alone.each_ref().map(|sums| [&equations(curve)[..], sums].concat());
        for (equations, bits) in
            alone.iter().chain(&beside).flat_map(|all| (8..=16).map(move |bits| (all, bits)))
        {
            let layout = ForeignLayout::new(&modulus::<Fr>(), bits, 2, equations);
            let block = Block::new(modulus::<Fr>(), &layout, bits);
            let twice = BigInt::from(&curve.parameters().p * 2u8);
            assert!(block.format().greatest(Range::Near) < twice, "{curve}, {bits} bits");
        }
    }
}
