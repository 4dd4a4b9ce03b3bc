//! Signatures that no rule accepts, encodings, and what is printed.

use num_bigint::BigUint;
use sha2::{Digest, Sha256};

use super::*;
use crate::signature::{
    ed25519::PointError, Choices, KeyKind, Message, MessageForm, NoSuchChoice, SignatureError,
    SignedBytes, SignedMessage, MAX_MESSAGE_BYTES,
};

/// l, little-endian: 2^252 + 27742317777372353535851937790883648493.
fn order() -> BigUint {
    BigUint::from_bytes_le((-Scalar::ONE).as_bytes()) + 1u8
}

fn sample(rng: &mut (impl RngCore + CryptoRng)) -> (PublicKey, [u8; 41], Signature) {
    let secret_key = secret_key(rng);
    let mut message = [0; 41];
    rng.fill_bytes(&mut message);
    (secret_key.public_key(), message, native::sign(&secret_key, &message))
}

/// Whether any rule accepts.
fn accepted(key: &[u8], message: &[u8], signature: &[u8]) -> bool {
    let verdict = |rule| {
        let (key, signature) = (PublicKey::from_bytes(key)?, Signature::from_bytes(signature)?);
        native::verify(rule, &key, message, &signature)
    };
    RULES.iter().any(|rule| verdict(*rule).is_ok())
}

#[test]
fn accepts_what_was_signed() {
    let mut rng = muster_testing::rng();
    for length in [0, 1, 32, 41, 47, 48, 64, 111, 112, 1000] {
        let (secret_key, message) = (secret_key(&mut rng), vec![7; length]);
        let key = secret_key.public_key();
        let signature = native::sign(&secret_key, &message);
        for rule in RULES {
            assert_eq!(native::verify(*rule, &key, &message, &signature), Ok(()), "{length}");
        }
        assert_eq!(Signature::from_bytes(&signature.to_bytes()), Ok(signature));
        assert_eq!(PublicKey::from_bytes(&key.to_bytes()), Ok(key));
        let signed = SignedBytes::new(&message);
        assert_eq!(Ed25519::sign(&secret_key, &signed, &mut rng), signature);
        assert_eq!(Ed25519::verify(&key, &signed, &signature), Ok(()));
    }
}

#[test]
fn refuses_others() {
    let mut rng = muster_testing::rng();
    let ((key, message, signature), (other_key, _, other)) = (sample(&mut rng), sample(&mut rng));
    let (key, signature) = (key.to_bytes(), signature.to_bytes());
    assert!(accepted(&key, &message, &signature));
    assert!(!accepted(&other_key.to_bytes(), &message, &signature));
    assert!(!accepted(&key, &message, &other.to_bytes()));
    let swapped = [&other.to_bytes()[..32], &signature[32..]].concat();
    assert!(!accepted(&key, &message, &swapped));
    let opposite = EncodedPoint::from(-EncodedPoint::decode(&key).unwrap().point());
    assert!(!accepted(opposite.bytes(), &message, &signature));
    for length in [0, 40] {
        assert!(!accepted(&key, &message[..length], &signature));
    }
    assert!(!accepted(&key, &[&message[..], &[0]].concat(), &signature));
}

#[test]
fn refuses_every_flipped_bit() {
    let mut rng = muster_testing::rng();
    let (key, message, signature) = sample(&mut rng);
    let parts = [key.to_bytes().to_vec(), message.to_vec(), signature.to_bytes().to_vec()];
    for part in 0..parts.len() {
        for bit in 0..8 * parts[part].len() {
            let mut parts = parts.clone();
            parts[part][bit / 8] ^= 1 << (bit % 8);
            let [key, message, signature] = &parts;
            assert!(!accepted(key, message, signature), "bit {bit} of part {part}");
        }
    }
}

#[test]
fn refuses_s_from_l_on() {
    let mut rng = muster_testing::rng();
    let (key, message, signature) = sample(&mut rng);
    let bytes = signature.to_bytes();
    let s = BigUint::from_bytes_le(&signature.s());
    let greatest = (BigUint::from(1u8) << 256) - 1u8;
    for s in [order(), order() + 1u8, &s + order(), &s + order() * 2u8, greatest] {
        let mut forged = bytes;
        forged[32..].copy_from_slice(&crate::curve::weierstrass::to_bytes(&s));
        forged[32..].reverse();
        assert_eq!(Signature::from_bytes(&forged), Err(SignatureError::ScalarNotReduced));
        assert!(!accepted(&key.to_bytes(), &message, &forged));
    }
    for s in [-*signature.scalar(), signature.scalar() + Scalar::ONE, Scalar::ZERO] {
        let forged = Signature::new(*signature.nonce(), s).to_bytes();
        assert!(!accepted(&key.to_bytes(), &message, &forged));
    }
}

#[test]
fn refuses_bad_encodings() {
    let mut rng = muster_testing::rng();
    let (key, message, signature) = sample(&mut rng);
    for found in [0, 31, 33, 64] {
        let wrong = SignatureError::WrongLength { expected: 32, found };
        assert_eq!(PublicKey::from_bytes(&vec![1; found]), Err(wrong));
        assert_eq!(SecretKey::from_bytes(&vec![1; found]).err(), Some(wrong));
    }
    for found in [0, 32, 63, 65] {
        let wrong = SignatureError::WrongLength { expected: 64, found };
        assert_eq!(Signature::from_bytes(&vec![1; found]), Err(wrong));
    }
    // No x belongs to y = 2.
    let mut off_curve = [0; 32];
    off_curve[0] = 2;
    let off = PointError::OffCurve;
    assert_eq!(PublicKey::from_bytes(&off_curve), Err(SignatureError::Ed25519Key(off)));
    let mut forged = signature.to_bytes();
    forged[..32].copy_from_slice(&off_curve);
    assert_eq!(Signature::from_bytes(&forged), Err(SignatureError::Ed25519Nonce(off)));
    assert!(!accepted(&key.to_bytes(), &message, &forged));
}

/// A = R = the identity and s = 0: the equation holds for every message.
#[test]
fn refuses_the_identity_as_a_key() {
    let mut identity = [0; 32];
    identity[0] = 1;
    let mut signature = [0; 64];
    signature[0] = 1;
    assert!([Rule::Zip215, Rule::Rfc8032]
        .iter()
        .all(|rule| raw(*rule, &identity, b"any", &signature)));
    assert!(!accepted(&identity, b"any", &signature));
}

/// The scheme's value takes its own rules alone; the default is in its words.
#[test]
fn rules_are_choices() {
    let named = |rule| Choices::new::<Ed25519>(KeyKind::Coordinates, Some(rule), None);
    for rule in RULES {
        assert_eq!(Ed25519::new(named(*rule).unwrap()).rule(), *rule);
    }
    for rule in [Rule::LowS, Rule::AnyS] {
        assert_eq!(named(rule), Err(NoSuchChoice::Rule(rule)));
    }
    assert_eq!(Ed25519::default().rule(), Rule::Zip215);
    let said = Ed25519::description().signature_rules;
    for rule in RULES {
        assert!(said.contains(&format!("--rule {}", rule.name())), "{said}");
    }
    assert!(said.contains("--rule zip215, the default"), "{said}");
    let addresses = Choices::new::<Ed25519>(KeyKind::Address, None, None);
    assert_eq!(addresses, Err(NoSuchChoice::Keys(KeyKind::Address)));
}

/// What is public of a message is its SHA-256.
#[test]
fn messages_are_public_by_a_digest() {
    let named = |form| Choices::new::<Ed25519>(KeyKind::Coordinates, None, Some(form));
    assert_eq!(named(MessageForm::Public), Err(NoSuchChoice::Form(MessageForm::Public)));
    for most in [1, 41, MAX_MESSAGE_BYTES] {
        let form = MessageForm::Sha256 { most };
        assert_eq!(named(form).unwrap().form(), Some(form));
    }
    // NEAR: a discriminant, the hash of the next block, and the height plus 2.
    let mut approval = vec![0];
    approval.extend([0xa5; 32]);
    approval.extend(123_456_789u64.to_le_bytes());
    let message = SignedBytes::new(&approval).to_message();
    let digest: [u8; 32] = Sha256::digest(&approval).into();
    assert_eq!(message.public_inputs(), Message::from(digest).public_inputs());
    assert!(matches!(Ed25519::FORM, MessageForm::Sha256 { most } if most >= approval.len()));
}

#[test]
fn secrets_are_wiped_and_not_printed() {
    fn wiped<T: zeroize::ZeroizeOnDrop>(_: &T) {}
    let secret_key = SecretKey::from_seed(&[0xab; 32]);
    wiped(&secret_key);
    let printed = format!("{secret_key:?}");
    assert!(!printed.contains("abab") && !printed.contains("171, 171"), "{printed}");
    assert!(printed.contains(&hex::encode(secret_key.public_key().to_bytes())), "{printed}");
    assert_eq!(secret_key.to_bytes()[..], [0xab; 32]);
    assert_eq!(SecretKey::from_bytes(&[0xab; 32]).unwrap().public_key(), secret_key.public_key());
}
