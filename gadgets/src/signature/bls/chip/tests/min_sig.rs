//! Keys in the second group, messages that are hashed.

use super::*;

pub(super) type Raw = RawSigned<TwistPoint, BasePoint>;

/// What is said of a signature on the point that `point` makes.
fn said(
    (curve, layout): (PairingCurve, Layout),
    raw: &Raw,
    point: impl FnOnce(&mut GateContext, &PairingEquations) -> MessagePoint<AssignedGroupPoint>,
) -> [bool; 2] {
    verdicts(layout, |ctx| {
        let equations = PairingEquations::new(curve);
        let chip = ctx.chips.foreign();
        let signed = AssignedSigned {
            key: AssignedTwistPoint::new(chip, &equations, &raw.key),
            message: point(ctx, &equations),
            signature: AssignedGroupPoint::new(chip, &equations, &raw.signature),
        };
        TwistPoint::assert_verifies(&signed, ctx, &equations).is_ok()
    })
}

/// What is said where the words of a point are public.
pub(super) fn of_point(curve: PairingCurve, raw: &Raw, point: &BasePoint) -> [bool; 2] {
    said((curve, room(curve, degree(curve), vec![])), raw, |ctx, equations| {
        let public = public(ctx, curve, point);
        raw.message.public(ctx, equations, &public)
    })
}

/// The message is the third multiple of the generator, the secret is 5.
pub(super) fn by_point(curve: PairingCurve) -> Raw {
    let [message, signature] = [3, 15].map(|factor| point(curve, factor, false));
    Raw { key: twist_point(curve, 5), message, signature }
}

/// What is said of a signature of a suite on a message that is hashed, with this tag.
fn hashed<S: Ciphersuite>(k: u32, raw: &Raw, text: &[u8], name: &[u8]) -> [bool; 2] {
    let layout = room_to_hash(S::CURVE, k, BasePoint::hash_equations(S::CURVE));
    said((S::CURVE, layout), raw, |ctx, equations| {
        let text = message(ctx, text);
        BasePoint::hash(ctx, equations, &text, &tag(name))
    })
}

/// Signatures of a suite, in circuit.
fn agrees<S>(k: u32)
where
    S: Ciphersuite<Signed = [u8], RawKey = TwistPoint, RawPoint = BasePoint>,
{
    let (key, signature) = signed::<S>(5);
    assert!(key.verify(MESSAGE, &signature));
    let raw = Raw::of(&key, MESSAGE, &signature);
    assert_eq!(raw.verify(S::CURVE), Ok(()));
    assert_eq!(hashed::<S>(k, &raw, MESSAGE, S::TAG), [true, true]);

    let (other_key, other_signature) = signed::<S>(6);
    let other = Raw::of(&other_key, MESSAGE, &signature);
    assert!(!other_key.verify(MESSAGE, &signature));
    assert_eq!(other.verify(S::CURVE), Err(BlsError::Equation));
    assert_eq!(hashed::<S>(k, &other, MESSAGE, S::TAG), [false, false]);
    let other = Raw::of(&key, MESSAGE, &other_signature);
    assert_eq!(hashed::<S>(k, &other, MESSAGE, S::TAG), [false, false]);
    let mut negative = raw.clone();
    negative.signature = opposite(S::CURVE, &raw.signature);
    assert_eq!(negative.verify(S::CURVE), Err(BlsError::Equation));
    assert_eq!(hashed::<S>(k, &negative, MESSAGE, S::TAG), [false, false]);
    // Another message, and another tag.
    let text = [&MESSAGE[..31], b"?"].concat();
    assert_eq!(hashed::<S>(k, &raw, &text, S::TAG), [false, false]);
    let name = S::TAG.iter().rev().copied().collect::<Vec<_>>();
    assert_eq!(hashed::<S>(k, &raw, MESSAGE, &name), [false, false]);
    // A key outside the subgroup.
    let mut torsion = raw.clone();
    torsion.key = outside(S::CURVE);
    assert_eq!(torsion.verify(S::CURVE), Err(BlsError::NotInSubgroup));
    assert_eq!(hashed::<S>(k, &torsion, MESSAGE, S::TAG), [false, false]);
}

#[test]
fn bn254() {
    agrees::<MinSigBasicBn254>(14);
}

#[test]
fn bls12381() {
    agrees::<MinSigBasicBls12381>(15);
}

/// A component outside the group makes no difference to a pairing: without the test of the group it would be a second
/// signature.
#[test]
fn signatures_with_a_torsion_component_are_refused() {
    let (key, signature) = signed::<MinSigBasicBls12381>(5);
    let mut raw = Raw::of(&key, MESSAGE, &signature);
    raw.signature = with_torsion(&raw.signature);
    assert_eq!(raw.verify(PairingCurve::Bls12381), Err(BlsError::NotInSubgroup));
    assert_eq!(
        hashed::<MinSigBasicBls12381>(15, &raw, MESSAGE, MinSigBasicBls12381::TAG),
        [false, false]
    );
}

/// A sum of signatures is one by the sum of the keys.
#[test]
fn sums_verify() {
    let signed = [5, 7].map(signed::<MinSigBasicBn254>);
    let one = [<MinSigBasicBn254 as Ciphersuite>::Scalar::ONE; 2];
    let signature = Signature::combine(&signed.map(|signed| signed.1), &one).expect("a sum");
    let secret = SecretKey::<MinSigBasicBn254>::from_scalar(&12u64.into()).expect("it is not 0");
    let raw = Raw::of(&secret.public_key(), MESSAGE, &signature);
    assert_eq!(raw.verify(PairingCurve::Bn254), Ok(()));
    assert_eq!(hashed::<MinSigBasicBn254>(14, &raw, MESSAGE, MinSigBasicBn254::TAG), [true, true]);
}
