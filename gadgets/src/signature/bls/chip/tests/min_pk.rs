//! Keys in the first group.

use super::*;
use crate::hash::to_curve::Bls12381G2;

type Raw = RawSigned<BasePoint, TwistPoint>;

/// What is said of a signature on a public point.
fn of_point(raw: &Raw, public: &TwistPoint) -> [bool; 2] {
    let curve = PairingCurve::Bn254;
    verdicts(room(curve, 14, vec![]), |ctx, chips| {
        let equations = PairingEquations::new(curve);
        let chip = chips.foreign();
        let bits = curve.parameters().p.bits();
        let public = public.iter().flatten().flat_map(|number| words(number, bits));
        let public: Vec<_> = ctx.assign_witnesses(public);
        let key = AssignedGroupPoint::new(chip, &equations, &raw.key);
        let signed = AssignedSigned {
            key,
            message: MessagePoint::<AssignedTwistPoint>::public(
                ctx,
                chips,
                &equations,
                &raw.message,
                &public,
            ),
            signature: AssignedTwistPoint::new(chip, &equations, &raw.signature),
        };
        signed.assert_verifies(ctx, chips, &equations).is_ok()
    })
}

/// The message is the third multiple of the generator, the secret is 5.
fn by_point() -> Raw {
    let curve = PairingCurve::Bn254;
    let [message, signature] = [3, 15].map(|factor| twist_point(curve, factor));
    Raw { key: point(curve, 5, false), message, signature }
}

#[test]
fn bn254_points() {
    let curve = PairingCurve::Bn254;
    let raw = by_point();
    assert_eq!(raw.verify(curve), Ok(()));
    assert_eq!(of_point(&raw, &raw.message), [true, true]);

    let with = |change: &dyn Fn(&mut Raw)| {
        let mut raw = raw.clone();
        change(&mut raw);
        (raw.verify(curve), of_point(&raw, &raw.message))
    };
    let other = (Err(BlsError::Equation), [false, false]);
    assert_eq!(with(&|raw| raw.key = point(curve, 6, false)), other);
    assert_eq!(with(&|raw| raw.key = point(curve, 5, true)), other);
    assert_eq!(with(&|raw| raw.message = twist_point(curve, 4)), other);
    assert_eq!(with(&|raw| raw.signature = twist_point(curve, 16)), other);
    let torsion = (Err(BlsError::NotInSubgroup), [false, false]);
    assert_eq!(with(&|raw| raw.message = outside(curve)), torsion);
    assert_eq!(with(&|raw| raw.signature = outside(curve)), torsion);
    // Off the curve, as is what stands for the identity.
    let off = (Err(BlsError::NotOnCurve), [false, false]);
    assert_eq!(with(&|raw| raw.key[1] += 1u8), off);
    assert_eq!(with(&|raw| raw.signature[0][1] += 1u8), off);
    assert_eq!(with(&|raw| raw.key = <_>::default()), off);
    assert_eq!(with(&|raw| raw.message = <_>::default()), off);
    assert_eq!(with(&|raw| raw.signature = <_>::default()), off);
}

/// Who knows the logarithm of a point signs it with any key: the point must be the public one.
#[test]
fn other_points_than_the_public_one_are_refused() {
    let curve = PairingCurve::Bn254;
    let raw = by_point();
    let public = twist_point(curve, 4);
    assert_eq!(of_point(&raw, &public), [true, false]);
    // Each word by itself.
    for i in 0..8 {
        let mut public = raw.message.clone();
        public[i / 4][i / 2 % 2] ^= BigUint::from(1u8) << (WORD * (i % 2));
        assert_eq!(of_point(&raw, &public), [true, false], "word {i}");
    }
}

/// What is said of a signature of BLS12-381 on a message that is hashed with a tag.
fn hashed(raw: &Raw, (text, name): (&[u8], &[u8])) -> [bool; 2] {
    let curve = PairingCurve::Bls12381;
    verdicts(room_to_hash(curve, 15, Bls12381G2::equations()), |ctx, chips| {
        let equations = PairingEquations::new(curve);
        let chip = chips.foreign();
        let text = message(ctx, text);
        let signed = AssignedSigned {
            key: AssignedGroupPoint::new(chip, &equations, &raw.key),
            message: Bls12381G2::hash(ctx, chips, &equations, &text, &tag(name)),
            signature: AssignedTwistPoint::new(chip, &equations, &raw.signature),
        };
        signed.assert_verifies(ctx, chips, &equations).is_ok()
    })
}

#[test]
fn bls12381() {
    let (key, signature) = signed::<MinPublicKey>(5);
    assert!(key.verify(MESSAGE, &signature));
    let raw = Raw::of(&key, MESSAGE, &signature);
    assert_eq!(raw.verify(PairingCurve::Bls12381), Ok(()));
    assert_eq!(hashed(&raw, (MESSAGE, MinPublicKey::TAG)), [true, true]);

    let (other_key, _) = signed::<MinPublicKey>(6);
    let other = Raw::of(&other_key, MESSAGE, &signature);
    assert_eq!(other.verify(PairingCurve::Bls12381), Err(BlsError::Equation));
    assert_eq!(hashed(&other, (MESSAGE, MinPublicKey::TAG)), [false, false]);
    let text = [&MESSAGE[..31], b"?"].concat();
    assert_eq!(hashed(&raw, (&text, MinPublicKey::TAG)), [false, false]);
    let name = [MinPublicKey::TAG, b"_"].concat();
    assert_eq!(hashed(&raw, (MESSAGE, &name)), [false, false]);
    let mut torsion = raw.clone();
    torsion.signature = outside(PairingCurve::Bls12381);
    assert_eq!(torsion.verify(PairingCurve::Bls12381), Err(BlsError::NotInSubgroup));
    assert_eq!(hashed(&torsion, (MESSAGE, MinPublicKey::TAG)), [false, false]);
}
