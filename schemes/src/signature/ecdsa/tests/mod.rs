//! ECDSA: published vectors, the common suite, the crates k256 and p256, and what must not verify.

mod oracles;
mod published;

use num_bigint::BigUint;

use super::*;
use crate::curve::weierstrass::{to_bytes, Curve, Point, PointError};
use crate::signature::{tests::digest_suite, Rule, SignatureError, SignatureScheme};

fn bytes(hex: &str) -> [u8; 32] {
    hex::decode(hex).unwrap().try_into().unwrap()
}

/// A key, a digest and its signature.
fn sample<C: Suite>(seed: u8) -> (SecretKey<C>, [u8; 32], Signature) {
    let secret = SecretKey::<C>::from_seed(&[seed; 32]).unwrap();
    let message = [seed.wrapping_add(1); 32];
    let signature = Ecdsa::<C>::sign_recoverable(&secret, &message).0;
    (secret, message, signature)
}

#[test]
fn suite() {
    digest_suite::run::<EcdsaSecp256k1>(to_bytes(Curve::Secp256k1.n()));
    digest_suite::run::<EcdsaP256>(to_bytes(Curve::P256.n()));
}

fn integers_out_of_range_are_named<C: Suite>() {
    let n = C::CURVE.n();
    let (_, _, signature) = sample::<C>(1);
    let (r, s) = (signature.r(), signature.s());
    for bad in [BigUint::default(), n.clone(), n + 1u8, (BigUint::from(1u8) << 256) - 1u8] {
        let bad = to_bytes(&bad);
        for (r, s, name) in [(bad, s, 'r'), (r, bad, 's')] {
            let error = Err(SignatureError::OutOfRange(name));
            assert_eq!(Signature::new(C::CURVE, &r, &s), error);
            assert_eq!(Ecdsa::<C>::decode_signature(&[r, s].concat()), error);
        }
    }
    let (one, greatest) = (to_bytes(&BigUint::from(1u8)), to_bytes(&(n - 1u8)));
    assert!(Signature::new(C::CURVE, &one, &greatest).unwrap().is_high());
    assert!(!Signature::new(C::CURVE, &greatest, &one).unwrap().is_high());
    let half = |s: &BigUint| Signature::new(C::CURVE, &one, &to_bytes(s)).unwrap().is_high();
    assert!(!half(&(n >> 1u8)) && half(&((n >> 1u8) + 1u8)));
}

fn the_rule_decides_about_the_other_s<C: Suite>() {
    let verify = Ecdsa::<C>::verify_with;
    for seed in 0..8 {
        let (secret, message, signature) = sample::<C>(seed);
        let key = secret.public_key();
        let other = signature.negate();
        assert_eq!(other.negate(), signature);
        let (low, high) = if signature.is_high() { (other, signature) } else { (signature, other) };
        assert_eq!(verify(Rule::LowS, &key, &message, &low), Ok(()));
        assert_eq!(verify(Rule::LowS, &key, &message, &high), Err(SignatureError::HighS));
        assert_eq!(verify(Rule::AnyS, &key, &message, &low), Ok(()));
        assert_eq!(verify(Rule::AnyS, &key, &message, &high), Ok(()));
        let default = Ecdsa::<C>::verify(&key, &message, &high);
        assert_eq!(default, verify(Ecdsa::<C>::RULE, &key, &message, &high));
        // The other s is a signature by the opposite R.
        let nonce = nonce_point(&key, &message, &low).unwrap();
        assert_eq!(nonce_point(&key, &message, &high), Some(-nonce));
        assert_eq!(nonce_point(&-key, &message, &low), None);
    }
}

fn recovery<C: Suite>() {
    for seed in 0..8 {
        let secret = SecretKey::<C>::from_seed(&[seed; 32]).unwrap();
        let (key, message) = (secret.public_key(), [seed; 32]);
        let (signature, id) = Ecdsa::<C>::sign_recoverable(&secret, &message);
        let recovered = Ecdsa::<C>::recover(&message, &signature, id);
        assert_eq!(recovered, Ok(key));
        assert_eq!(recovered.unwrap().address(), key.address());
        assert_eq!(Ecdsa::<C>::recover(&message, &signature.negate(), id.negate()), Ok(key));
        // The other parity gives another key, under which the signature verifies too.
        let other = Ecdsa::<C>::recover(&message, &signature, id.negate()).unwrap();
        assert_ne!(other.address(), key.address());
        assert_eq!(Ecdsa::<C>::verify_with(Rule::AnyS, &other, &message, &signature), Ok(()));
        assert_ne!(Ecdsa::<C>::recover(&[0xaa; 32], &signature, id), Ok(key));
        // r + n is above p for all but the least r.
        let above = RecoveryId { is_above_order: true, ..id };
        let error = Err(SignatureError::NotRecoverable);
        assert_eq!(Ecdsa::<C>::recover(&message, &signature, above), error);
        for v in [id.to_byte(), id.to_byte() - 27] {
            let encoded = [&signature.to_bytes()[..], &[v]].concat();
            assert_eq!(decode_recoverable(C::CURVE, &encoded), Ok((signature, id)));
        }
        let encoded = encode_recoverable(&signature, id);
        assert_eq!(decode_recoverable(C::CURVE, &encoded), Ok((signature, id)));
    }
}

/// R with an x that is not below n: r = x - n, and the key is whatever it makes valid.
fn a_nonce_above_the_order<C: Suite>() {
    let n = C::CURVE.n();
    let mut r = BigUint::from(1u8);
    while Point::from_x(C::CURVE, &to_bytes(&(n + &r)), false).is_err() {
        r += 1u8;
    }
    let (message, s) = ([9; 32], to_bytes(&BigUint::from(77u8)));
    let signature = Signature::new(C::CURVE, &to_bytes(&r), &s).unwrap();
    for is_odd in [false, true] {
        let id = RecoveryId { is_odd, is_above_order: true };
        assert_eq!(RecoveryId::from_byte(id.to_byte()), Ok(id));
        let key = Ecdsa::<C>::recover(&message, &signature, id).unwrap();
        assert_eq!(Ecdsa::<C>::verify(&key, &message, &signature), Ok(()));
        let nonce = nonce_point(&key, &message, &signature).unwrap();
        assert_eq!(BigUint::from_bytes_be(&nonce.x()), n + &r);
        assert_eq!(nonce.is_odd(), is_odd);
    }
}

/// z·G + r·A = s·R over the integers of the witness.
fn the_nonce_point_satisfies_the_equation<C: Suite>() {
    let (secret, message, signature) = sample::<C>(3);
    let (key, parameters) = (secret.public_key(), C::CURVE.parameters());
    let nonce = nonce_point(&key, &message, &signature).unwrap();
    let [z, r, s] = [message, signature.r(), signature.s()].map(|b| BigUint::from_bytes_be(&b));
    let left = parameters
        .add(&parameters.mul(&parameters.generator(), &z), &parameters.mul(&key.to_affine(), &r));
    assert_eq!(left, parameters.mul(&nonce.to_affine(), &s));
    assert_eq!(nonce_point(&key, &[0; 32], &signature), None);
}

/// u1·G + u2·A is the identity: then there is no R, and no r may match.
fn an_identity_for_r_is_refused<C: Suite>() {
    let secret = SecretKey::<C>::from_seed(&[3; 32]).unwrap();
    let (d, n) = (BigUint::from_bytes_be(secret.to_bytes().as_ref()), C::CURVE.n());
    let r = BigUint::from(5u8);
    let z = to_bytes(&((n - (&r * d) % n) % n));
    let signature = Signature::new(C::CURVE, &to_bytes(&r), &to_bytes(&r)).unwrap();
    let key = secret.public_key();
    assert_eq!(Ecdsa::<C>::verify(&key, &z, &signature), Err(SignatureError::Equation));
    assert_eq!(nonce_point(&key, &z, &signature), None);
}

fn bad_keys_are_named<C: Suite>() {
    let p = C::CURVE.p();
    let decode = Ecdsa::<C>::decode_public_key;
    let uncompressed = |x: &[u8; 32], y: &[u8; 32]| [&[4], &x[..], &y[..]].concat();
    let generator = Point::generator(C::CURVE);
    let (x, y) = (generator.x(), generator.y());
    let mut y_off = y;
    y_off[31] ^= 1;
    let other = Point::generator(match C::CURVE {
        Curve::Secp256k1 => Curve::P256,
        Curve::P256 | Curve::Edwards25519 => Curve::Secp256k1,
    });
    // No point of the curve has this x; two points of its quadratic twist do.
    let twist = (1u8..).map(|x| to_bytes(&BigUint::from(x)));
    let twist = twist.clone().find(|x| Point::from_x(C::CURVE, x, false).is_err()).unwrap();
    let off_curve = PointError::OffCurve(C::CURVE);
    let bad = [
        (uncompressed(&[0; 32], &[0; 32]), PointError::Identity),
        (vec![0], PointError::Identity),
        (uncompressed(&x, &y_off), off_curve),
        (uncompressed(&other.x(), &other.y()), off_curve),
        (uncompressed(&twist, &x), off_curve),
        ([&[2], &twist[..]].concat(), off_curve),
        (uncompressed(&to_bytes(p), &y), PointError::NonCanonical('x')),
        (uncompressed(&x, &[0xff; 32]), PointError::NonCanonical('y')),
        ([&[3], &to_bytes(p)[..]].concat(), PointError::NonCanonical('x')),
        ([&[6], &x[..], &y[..]].concat(), PointError::Tag(6)),
        (x.to_vec(), PointError::WrongLength(32)),
    ];
    for (encoded, error) in bad {
        assert_eq!(decode(&encoded), Err(SignatureError::Key(error)), "{encoded:?}");
    }
    assert_eq!(decode(&uncompressed(&x, &y)), Ok(generator));
}

#[test]
fn integers() {
    integers_out_of_range_are_named::<k256::Secp256k1>();
    integers_out_of_range_are_named::<p256::NistP256>();
}

#[test]
fn rules() {
    the_rule_decides_about_the_other_s::<k256::Secp256k1>();
    the_rule_decides_about_the_other_s::<p256::NistP256>();
    assert_eq!((EcdsaSecp256k1::RULE, EcdsaP256::RULE), (Rule::LowS, Rule::AnyS));
}

#[test]
fn recoveries() {
    recovery::<k256::Secp256k1>();
    recovery::<p256::NistP256>();
    for byte in [4, 26, 31, 255] {
        let expected = SignatureError::RecoveryByte(byte);
        let encoded = [&[1; 64][..], &[byte]].concat();
        assert_eq!(decode_recoverable(Curve::P256, &encoded), Err(expected));
    }
    for found in [0, 64, 66] {
        let expected = SignatureError::WrongLength { expected: 65, found };
        assert_eq!(decode_recoverable(Curve::P256, &vec![1; found]), Err(expected));
    }
}

/// What `muster schemes` says of v is what the parser takes.
#[test]
fn the_description_names_every_recovery_byte() {
    let read: Vec<u8> = (0..=255).filter(|byte| RecoveryId::from_byte(*byte).is_ok()).collect();
    assert_eq!(read, [0, 1, 2, 3, 27, 28, 29, 30]);
    assert_eq!(recovery_in_words(), "0 to 3 or 27 to 30");
    let error = SignatureError::RecoveryByte(4).to_string();
    assert_eq!(error, "the recovery byte is 4, not 0 to 3 or 27 to 30");
    let [with, without] = [EcdsaSecp256k1::description(), EcdsaP256::description()];
    assert!(with.signature.ends_with("65: then v, 0 to 3 or 27 to 30"), "{}", with.signature);
    assert!(!without.signature.contains(" v,"), "{}", without.signature);
    assert!(with.signature_rules.contains("(--rule low-s, the default)"));
    assert!(without.signature_rules.contains("(--rule any-s, the default)"));
}

#[test]
fn nonces() {
    a_nonce_above_the_order::<k256::Secp256k1>();
    a_nonce_above_the_order::<p256::NistP256>();
    the_nonce_point_satisfies_the_equation::<k256::Secp256k1>();
    the_nonce_point_satisfies_the_equation::<p256::NistP256>();
    an_identity_for_r_is_refused::<k256::Secp256k1>();
    an_identity_for_r_is_refused::<p256::NistP256>();
}

#[test]
fn keys() {
    bad_keys_are_named::<k256::Secp256k1>();
    bad_keys_are_named::<p256::NistP256>();
}

#[test]
fn the_curves_do_not_mix() {
    let (secret, message, signature) = sample::<k256::Secp256k1>(1);
    let (other_secret, _, other) = sample::<p256::NistP256>(1);
    let (key, other_key) = (secret.public_key(), other_secret.public_key());
    let (expected, found) = (Curve::Secp256k1, Curve::P256);
    assert_eq!(
        EcdsaSecp256k1::verify(&other_key, &message, &signature),
        Err(SignatureError::Key(PointError::WrongCurve { expected, found }))
    );
    let error = SignatureError::WrongCurve { expected, found };
    assert_eq!(EcdsaSecp256k1::verify(&key, &message, &other), Err(error));
    let id = RecoveryId { is_odd: false, is_above_order: false };
    assert_eq!(EcdsaSecp256k1::recover(&message, &other, id), Err(error));
    assert_eq!(nonce_point(&other_key, &message, &signature), None);
}

#[test]
fn secret_keys() {
    let secret = SecretKey::<p256::NistP256>::from_seed(&[1; 32]).unwrap();
    let again = SecretKey::<p256::NistP256>::from_bytes(secret.to_bytes().as_ref()).unwrap();
    assert_eq!(secret.public_key(), again.public_key());
    let koblitz = SecretKey::<k256::Secp256k1>::from_seed(&[1; 32]).unwrap();
    assert_ne!(secret.to_bytes(), koblitz.to_bytes());
    for bad in [[0; 32], to_bytes(Curve::P256.n()), [0xff; 32]] {
        let error = SecretKey::<p256::NistP256>::from_bytes(&bad).err();
        assert_eq!(error, Some(SignatureError::SecretKey));
    }
    let error = SecretKey::<p256::NistP256>::from_bytes(&[1; 31]).err();
    assert_eq!(error, Some(SignatureError::WrongLength { expected: 32, found: 31 }));
    let text = format!("{secret:?}");
    let digits = format!("{:?}", &secret.to_bytes()[..8]);
    let digits = digits.trim_end_matches(']');
    assert!(text.contains("public_key") && !text.contains(digits), "{text}");
}
