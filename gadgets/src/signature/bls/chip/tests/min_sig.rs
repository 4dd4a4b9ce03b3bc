//! Keys in the second group, messages that are hashed.

use super::*;
use muster_schemes::hash::to_curve::{Bls12381G1, Bn254G1};

pub(super) type Raw = RawSigned<TwistPoint, BasePoint>;

/// What is said of a signature on the point that `point` makes.
fn said(
    (curve, layout): (PairingCurve, Layout),
    raw: &Raw,
    point: impl FnOnce(&mut Context<Fr>, &Chips, &PairingEquations) -> MessagePoint<AssignedGroupPoint>,
) -> [bool; 2] {
    verdicts(layout, |ctx, chips| {
        let equations = PairingEquations::new(curve);
        let chip = chips.foreign();
        let signed = AssignedSigned {
            key: AssignedTwistPoint::new(chip, &equations, &raw.key),
            message: point(ctx, chips, &equations),
            signature: AssignedGroupPoint::new(chip, &equations, &raw.signature),
        };
        signed.assert_verifies(ctx, chips, &equations).is_ok()
    })
}

/// What is said where the words of a point are public.
pub(super) fn of_point(curve: PairingCurve, raw: &Raw, point: &BasePoint) -> [bool; 2] {
    said((curve, room(curve, degree(curve), vec![])), raw, |ctx, chips, equations| {
        let public = public(ctx, curve, point);
        MessagePoint::<AssignedGroupPoint>::public(ctx, chips, equations, &raw.message, &public)
    })
}

/// The message is the third multiple of the generator, the secret is 5.
pub(super) fn by_point(curve: PairingCurve) -> Raw {
    let [message, signature] = [3, 15].map(|factor| point(curve, factor, false));
    Raw { key: twist_point(curve, 5), message, signature }
}

/// What is said of a signature on a message that is hashed, with the standard tag if no other is given.
fn hashed<H>(k: u32, raw: &Raw, text: &[u8], other: Option<&[u8]>) -> [bool; 2]
where
    H: Hashed<Point = AssignedGroupPoint>,
{
    let layout = room_to_hash(H::CURVE, k, H::equations());
    said((H::CURVE, layout), raw, |ctx, chips, equations| {
        let text = message(ctx, text);
        match other {
            None => H::hash(ctx, chips, equations, &text),
            Some(name) => H::hash_with_tag(ctx, chips, equations, &text, &tag(name)),
        }
    })
}

/// Signatures of a suite whose circuit hashes with `H`.
fn agrees<S, H>(k: u32)
where
    S: Suite + Coordinates<RawKey = TwistPoint, RawPoint = BasePoint>,
    H: Hashed<Point = AssignedGroupPoint>,
{
    let (key, signature) = signed::<S>(5);
    assert!(key.verify(MESSAGE, &signature));
    let raw = Raw::of(&key, MESSAGE, &signature);
    assert_eq!(raw.verify(S::CURVE), Ok(()));
    assert_eq!(hashed::<H>(k, &raw, MESSAGE, None), [true, true]);

    let (other_key, other_signature) = signed::<S>(6);
    let other = Raw::of(&other_key, MESSAGE, &signature);
    assert!(!other_key.verify(MESSAGE, &signature));
    assert_eq!(other.verify(S::CURVE), Err(BlsError::Equation));
    assert_eq!(hashed::<H>(k, &other, MESSAGE, None), [false, false]);
    let other = Raw::of(&key, MESSAGE, &other_signature);
    assert_eq!(hashed::<H>(k, &other, MESSAGE, None), [false, false]);
    let mut negative = raw.clone();
    negative.signature = opposite(S::CURVE, &raw.signature);
    assert_eq!(negative.verify(S::CURVE), Err(BlsError::Equation));
    assert_eq!(hashed::<H>(k, &negative, MESSAGE, None), [false, false]);
    // Another message, and another tag.
    let text = [&MESSAGE[..31], b"?"].concat();
    assert_eq!(hashed::<H>(k, &raw, &text, None), [false, false]);
    let name = S::TAG.iter().rev().copied().collect::<Vec<_>>();
    assert_eq!(hashed::<H>(k, &raw, MESSAGE, Some(&name)), [false, false]);
    // A key outside the subgroup.
    let mut torsion = raw.clone();
    torsion.key = outside(S::CURVE);
    assert_eq!(torsion.verify(S::CURVE), Err(BlsError::NotInSubgroup));
    assert_eq!(hashed::<H>(k, &torsion, MESSAGE, None), [false, false]);
}

#[test]
fn bn254() {
    agrees::<Bn254, Bn254G1>(14);
}

#[test]
fn bls12381() {
    agrees::<MinSignature, Bls12381G1>(15);
}

/// A component outside the group makes no difference to a pairing: without the test of the group it would be a second
/// signature.
#[test]
fn signatures_with_a_torsion_component_are_refused() {
    let (key, signature) = signed::<MinSignature>(5);
    let mut raw = Raw::of(&key, MESSAGE, &signature);
    raw.signature = with_torsion(&raw.signature);
    assert_eq!(raw.verify(PairingCurve::Bls12381), Err(BlsError::NotInSubgroup));
    assert_eq!(hashed::<Bls12381G1>(15, &raw, MESSAGE, None), [false, false]);
}

/// A sum of signatures is one by the sum of the keys.
#[test]
fn sums_verify() {
    let signed = [5, 7].map(signed::<Bn254>);
    let one = [<Bn254 as Groups>::Scalar::ONE; 2];
    let signature = Signature::combine(&signed.map(|signed| signed.1), &one).expect("a sum");
    let secret = SecretKey::<Bn254>::from_scalar(&12u64.into()).expect("it is not 0");
    let raw = Raw::of(&secret.public_key(), MESSAGE, &signature);
    assert_eq!(raw.verify(PairingCurve::Bn254), Ok(()));
    assert_eq!(hashed::<Bn254G1>(14, &raw, MESSAGE, None), [true, true]);
}
