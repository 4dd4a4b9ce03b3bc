//! Keys in the first group.

use blst::min_pk;
use muster_testing::sampled;

use super::*;

pub(super) type Raw = RawSigned<BasePoint, TwistPoint>;

/// What is said of a signature where the words of a point are public.
pub(super) fn of_point(curve: PairingCurve, raw: &Raw, point: &TwistPoint) -> [bool; 2] {
    let (holds, circuit) = built_of_point(curve, raw, point);
    [holds, circuit.is_satisfied()]
}

fn built_of_point(curve: PairingCurve, raw: &Raw, point: &TwistPoint) -> (bool, TestCircuit) {
    built(room(curve, degree(curve), vec![]), |ctx| {
        let equations = PairingEquations::new(curve);
        let chip = ctx.chips.foreign();
        let public = public(ctx, curve, point.as_flattened());
        let key = AssignedGroupPoint::new(chip, &equations, &raw.key);
        let signed = AssignedSigned {
            key,
            message: raw.message.public(ctx, &equations, &public),
            signature: AssignedTwistPoint::new(chip, &equations, &raw.signature),
        };
        BasePoint::assert_verifies(&signed, ctx, &equations).is_ok()
    })
}

/// The message is the third multiple of the generator, the secret is 5.
pub(super) fn by_point(curve: PairingCurve) -> Raw {
    let [message, signature] = [3, 15].map(|factor| twist_point(curve, factor));
    Raw { key: point(curve, 5, false), message, signature }
}

/// What somebody does to a signature.
type Change<'a> = &'a dyn Fn(&mut Raw);

#[test]
fn bn254_points() {
    let curve = PairingCurve::Bn254;
    let raw = by_point(curve);
    assert_eq!(raw.verify(curve), Ok(()));
    assert_eq!(of_point(curve, &raw, &raw.message), [true, true]);

    let [other, torsion, off] = [BlsError::Equation, BlsError::NotInSubgroup, BlsError::NotOnCurve];
    let changes: [(Change<'_>, BlsError); 11] = [
        (&|raw| raw.key = point(curve, 6, false), other),
        (&|raw| raw.key = point(curve, 5, true), other),
        (&|raw| raw.message = twist_point(curve, 4), other),
        (&|raw| raw.signature = twist_point(curve, 16), other),
        (&|raw| raw.message = outside(curve), torsion),
        (&|raw| raw.signature = outside(curve), torsion),
        // Off the curve, as is what stands for the identity.
        (&|raw| raw.key[1] += 1u8, off),
        (&|raw| raw.signature[0][1] += 1u8, off),
        (&|raw| raw.key = <_>::default(), off),
        (&|raw| raw.message = <_>::default(), off),
        (&|raw| raw.signature = <_>::default(), off),
    ];
    for (number, (change, error)) in sampled(changes.into_iter().enumerate(), 3) {
        let mut raw = raw.clone();
        change(&mut raw);
        let verdicts = (raw.verify(curve), of_point(curve, &raw, &raw.message));
        assert_eq!(verdicts, (Err(error), [false, false]), "change {number}");
    }
}

/// What is said of a signature of BLS12-381 on a message that is hashed with this tag.
fn hashed(raw: &Raw, text: &[u8], name: &[u8]) -> [bool; 2] {
    let curve = PairingCurve::Bls12381;
    verdicts(room_to_hash(curve, 15, TwistPoint::hash_equations(curve)), |ctx| {
        let equations = PairingEquations::new(curve);
        let chip = ctx.chips.foreign();
        let text = message(ctx, text);
        let signed = AssignedSigned {
            key: AssignedGroupPoint::new(chip, &equations, &raw.key),
            message: TwistPoint::hash(ctx, &equations, &text, &tag(name)),
            signature: AssignedTwistPoint::new(chip, &equations, &raw.signature),
        };
        BasePoint::assert_verifies(&signed, ctx, &equations).is_ok()
    })
}

#[test]
fn bls12381() {
    let (key, signature) = signed::<MinPkBasicBls12381>(5);
    assert!(key.verify(MESSAGE, &signature));
    let raw = Raw::of(&key, MESSAGE, &signature);
    assert_eq!(raw.verify(PairingCurve::Bls12381), Ok(()));
    assert_eq!(hashed(&raw, MESSAGE, MinPkBasicBls12381::TAG), [true, true]);

    let (other_key, _) = signed::<MinPkBasicBls12381>(6);
    let other = Raw::of(&other_key, MESSAGE, &signature);
    assert_eq!(other.verify(PairingCurve::Bls12381), Err(BlsError::Equation));
    assert_eq!(hashed(&other, MESSAGE, MinPkBasicBls12381::TAG), [false, false]);
    let text = [&MESSAGE[..31], b"?"].concat();
    assert_eq!(hashed(&raw, &text, MinPkBasicBls12381::TAG), [false, false]);
    let mut torsion = raw.clone();
    torsion.signature = outside(PairingCurve::Bls12381);
    assert_eq!(torsion.verify(PairingCurve::Bls12381), Err(BlsError::NotInSubgroup));
    assert_eq!(hashed(&torsion, MESSAGE, MinPkBasicBls12381::TAG), [false, false]);
}

/// A good signature with a component of a small order is another point, and is no signature: the four relations of where its
/// way ends refuse it, and the equation, since the pairing is none of such a point.
#[test]
fn signatures_with_a_torsion_component_are_refused() {
    let refused = Err(BlsError::NotInSubgroup);
    let curve = PairingCurve::Bls12381;
    let (key, signature) = signed::<MinPkBasicBls12381>(5);
    let mut raw = Raw::of(&key, MESSAGE, &signature);
    raw.signature = with_twist_torsion(curve, &raw.signature);
    assert_eq!(raw.verify(curve), refused);
    assert_eq!(hashed(&raw, MESSAGE, MinPkBasicBls12381::TAG), [false, false]);
    for curve in PairingCurve::ALL {
        let mut raw = by_point(curve);
        raw.signature = with_twist_torsion(curve, &raw.signature);
        assert_eq!(raw.verify(curve), refused, "{curve}");
        let (holds, circuit) = built_of_point(curve, &raw, &raw.message);
        assert_eq!((holds, circuit.false_relations()), (false, Some(5)), "{curve}");
    }
}

/// A signature by the secret 1 is its message: both pairings cancel line by line, wherever the point is. Nothing but the test
/// of the subgroup refuses one outside.
#[test]
fn nothing_but_the_subgroup_refuses_points_that_sign_themselves() {
    for curve in PairingCurve::ALL {
        let verdicts = |signed: TwistPoint| {
            let raw =
                Raw { key: point(curve, 1, false), message: signed.clone(), signature: signed };
            (raw.verify(curve), of_point(curve, &raw, &raw.message))
        };
        let good = twist_point(curve, 3);
        let refused = (Err(BlsError::NotInSubgroup), [false, false]);
        assert_eq!(verdicts(with_twist_torsion(curve, &good)), refused, "{curve}");
        assert_eq!(verdicts(outside(curve)), refused, "{curve}");
        assert_eq!(verdicts(good), (Ok(()), [true, true]), "{curve}");
    }
}

/// Signatures of Ethereum are others than those of the suite, by their tag.
#[test]
fn tags_are_kept_apart() {
    let secret = min_pk::SecretKey::key_gen(&[5; 32], &[]).expect("it is long enough");
    let key = PublicKey::from_bytes(&secret.sk_to_pk().to_bytes()).expect("a key");
    let signed = |tag: &[u8]| {
        let signature = secret.sign(MESSAGE, tag, &[]).to_bytes();
        let signature = Signature::from_bytes(&signature).expect("a signature");
        Raw::of::<MinPkBasicBls12381>(&key, MESSAGE, &signature)
    };
    let [standard, ethereum] = [MinPkBasicBls12381::TAG, tags::ETHEREUM].map(signed);
    assert_eq!(hashed(&standard, MESSAGE, MinPkBasicBls12381::TAG), [true, true]);
    assert_eq!(hashed(&ethereum, MESSAGE, tags::ETHEREUM), [true, true]);
    assert_eq!(hashed(&standard, MESSAGE, tags::ETHEREUM), [false, false]);
    assert_eq!(hashed(&ethereum, MESSAGE, MinPkBasicBls12381::TAG), [false, false]);
}
