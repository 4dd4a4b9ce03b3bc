//! Signatures by several keys: sums, hash and pairings in one gate.

use halo2curves::{bls12_381, bn256, group::Curve, CurveAffine};

use super::*;
use crate::{
    curve::aggregate::{addends, prime::Slot, Coefficients, SumWalk},
    field::foreign::integer::element,
    gate::small::Bit,
    signature::bls::chip::KeySums,
};

/// Multiples of the generator by these secrets.
fn keys<C: CurveAffine>(secrets: &[u64]) -> Vec<C> {
    let key = |secret: &u64| (C::generator() * C::Scalar::from(*secret)).to_affine();
    secrets.iter().map(key).collect()
}

/// Slots for these keys, of which the first ones are used, and their sum in circuit.
fn summed<C>(
    ctx: &mut Context<Fr>,
    chips: &Chips,
    curve: PairingCurve,
    (keys, used): (&[C], usize),
) -> AssignedGroupPoint
where
    C: CurveAffine,
    C::Base: Coefficients<1>,
{
    let options: Vec<_> =
        keys.iter().enumerate().map(|(i, key)| (i < used).then_some(*key)).collect();
    let addends = addends(&options).expect("those that are used come first");
    let walk = SumWalk::new(&addends).expect("there is a sum");
    let slots = keys.iter().enumerate().map(|(i, key)| {
        let point = Option::<halo2curves::Coordinates<C>>::from(key.coordinates());
        let point = point.expect("not the identity");
        let point = [point.x(), point.y()].map(|coordinate| {
            let [number] = coordinate.coefficients();
            element(chips.foreign(), &number)
        });
        let used = ctx.load_witness(Fr::from(u64::from(i < used)));
        Slot { point, used: Bit::checked(ctx, &chips.gate, used) }
    });
    let slots: Vec<_> = slots.collect();
    KeySums::new(curve).sum_of_trusted_keys(ctx, chips, &slots, &walk)
}

/// What is said of a signature by `secret` where so many keys are in use, of slots for the secrets 5, 7 and 9. The message is
/// the third multiple of the generator.
fn over_bn254(secret: u64, used: usize) -> [bool; 2] {
    let curve = PairingCurve::Bn254;
    let [message, signature] = [3, 3 * secret].map(|factor| twist_point(curve, factor));
    verdicts(room(curve, 14, KeySums::new(curve).all()), |ctx, chips| {
        let equations = PairingEquations::new(curve);
        let chip = chips.foreign();
        let public = public(ctx, curve, &message);
        let signed = AssignedSigned {
            key: summed(ctx, chips, curve, (&keys::<bn256::G1Affine>(&[5, 7, 9]), used)),
            message: MessagePoint::<AssignedTwistPoint>::public(
                ctx, chips, &equations, &message, &public,
            ),
            signature: AssignedTwistPoint::new(chip, &equations, &signature),
        };
        signed.assert_verifies(ctx, chips, &equations).is_ok()
    })
}

#[test]
fn all_who_are_in_use_sign() {
    assert_eq!(over_bn254(12, 2), [true, true]);
    assert_eq!(over_bn254(21, 3), [true, true]);
    // One key missing, and one surplus.
    assert_eq!(over_bn254(5, 2), [false, false]);
    assert_eq!(over_bn254(21, 2), [false, false]);
    assert_eq!(over_bn254(12, 3), [false, false]);
}

/// Three parts in one gate: a message that is hashed, keys that are added up, and a product of pairings.
#[test]
fn one_gate_has_room_for_all() {
    use crate::hash::to_curve::Bls12381G2;
    let curve = PairingCurve::Bls12381;
    let (_, signature) = signed::<MinPublicKey>(12);
    let signature = MinPublicKey::point_coordinates(&signature.0);
    let all = [KeySums::new(curve).all(), Bls12381G2::equations()].concat();
    let found = verdicts(room_to_hash(curve, 15, all), |ctx, chips| {
        let equations = PairingEquations::new(curve);
        let text = message(ctx, MESSAGE);
        let keys = keys::<bls12_381::G1Affine>(&[5, 7, 9]);
        let signed = AssignedSigned {
            key: summed(ctx, chips, curve, (&keys, 2)),
            message: Bls12381G2::hash(ctx, chips, &equations, &text),
            signature: AssignedTwistPoint::new(chips.foreign(), &equations, &signature),
        };
        signed.assert_verifies(ctx, chips, &equations).is_ok()
    });
    assert_eq!(found, [true, true]);
}
