//! The crates `ed25519-consensus` (ZIP 215) and `ed25519-dalek` (`verify_strict`), on edge values.

use curve25519_dalek::constants::EIGHT_TORSION;
use ed25519_dalek::Signer;
use rand::Rng;

use super::{super::vectors::small_orders, *};

fn consensus(key: &[u8; 32], message: &[u8], signature: &[u8; 64]) -> bool {
    ed25519_consensus::VerificationKey::try_from(*key)
        .is_ok_and(|key| key.verify(&(*signature).into(), message).is_ok())
}

fn verify_strict(key: &[u8; 32], message: &[u8], signature: &[u8; 64]) -> bool {
    let signature = ed25519_dalek::Signature::from_bytes(signature);
    ed25519_dalek::VerifyingKey::from_bytes(key)
        .is_ok_and(|key| key.verify_strict(message, &signature).is_ok())
}

/// Compares all verdicts on one signature; which rules accept it.
fn compare(key: &[u8; 32], message: &[u8], signature: &[u8; 64]) -> [bool; 3] {
    let context = format!("{} {}", hex::encode(key), hex::encode(signature));
    let zip215 = consensus(key, message, signature);
    assert_eq!(raw(Rule::Zip215, key, message, signature), zip215, "{context}");
    let is_canonical = |bytes: &[u8]| {
        let bytes = bytes.try_into().unwrap();
        EncodedPoint::decode(bytes).is_ok_and(|point| point.is_canonical())
    };
    let rfc8032 = zip215 && is_canonical(key) && is_canonical(&signature[..32]);
    assert_eq!(raw(Rule::Rfc8032, key, message, signature), rfc8032, "{context}");
    let verdict = |rule| {
        let (key, signature) = (PublicKey::from_bytes(key)?, Signature::from_bytes(signature)?);
        native::verify(rule, &key, message, &signature)
    };
    let verdicts = [0, 1, 2].map(|rule| verdict(RULES[rule]).is_ok());
    match PublicKey::from_bytes(key) {
        Ok(key) => {
            assert_eq!(verdicts[..2], [zip215, rfc8032], "{context}");
            // A key that `strict` admits gets the verdict of `verify_strict`; any other, none.
            let strict = key.check(Rule::Strict).is_ok()
                && verify_strict(&key.to_bytes(), message, signature);
            assert_eq!(verdicts[2], strict, "{context}");
        }
        Err(_) => assert_eq!(verdicts, [false; 3], "{context}"),
    }
    verdicts
}

/// An encoding of some point or of none, biased to those of small order.
fn encoding(rng: &mut impl Rng) -> [u8; 32] {
    match rng.gen_range(0..3) {
        0 => small_orders()[rng.gen_range(0..14)],
        1 => {
            let mut bytes = [0xff; 32];
            bytes[0] = rng.r#gen();
            bytes[31] ^= rng.r#gen::<u8>() & 0x80;
            bytes
        }
        _ => rng.r#gen(),
    }
}

#[test]
fn signatures_are_those_of_the_oracles() {
    let mut rng = muster_testing::rng();
    for _ in 0..64 {
        let seed: [u8; 32] = rng.r#gen();
        let message: Vec<u8> = (0..rng.gen_range(0..200)).map(|_| rng.r#gen()).collect();
        let (ours, dalek) =
            (SecretKey::from_seed(&seed), ed25519_dalek::SigningKey::from_bytes(&seed));
        assert_eq!(ours.public_key().to_bytes(), dalek.verifying_key().to_bytes());
        let signature = native::sign(&ours, &message).to_bytes();
        assert_eq!(signature, dalek.sign(&message).to_bytes());
        let consensus = ed25519_consensus::SigningKey::from(seed).sign(&message);
        assert_eq!(signature, consensus.to_bytes());
        assert_eq!(compare(&ours.public_key().to_bytes(), &message, &signature), [true; 3]);
    }
}

/// Signatures with parts of small order in A and R, good or with one byte changed.
#[test]
fn verdicts_on_mixed_orders() {
    let mut rng = muster_testing::rng();
    let mut accepted = [0; 3];
    for number in 0..400u16 {
        let secret_key = secret_key(&mut rng);
        let message = number.to_be_bytes();
        let shift = [0, 1].map(|_| EIGHT_TORSION[rng.gen_range(0..8) * rng.gen_range(0..2)]);
        let (key, signature) = shifted(&secret_key, &message, shift);
        let (mut key, mut signature) = (key.to_bytes(), signature.to_bytes());
        match rng.gen_range(0..8) {
            0 => key[rng.gen_range(0..32)] ^= 1 << rng.gen_range(0..8),
            1 => signature[rng.gen_range(0..64)] ^= 1 << rng.gen_range(0..8),
            _ => {}
        }
        let verdicts = compare(&key, &message, &signature);
        accepted.iter_mut().zip(verdicts).for_each(|(sum, verdict)| *sum += u32::from(verdict));
    }
    let [zip215, rfc8032, strict] = accepted;
    assert!(zip215 >= rfc8032 && rfc8032 > 2 * strict && strict > 20, "{accepted:?}");
}

/// Any encodings at all, with s = 0, s = k·a or random.
#[test]
fn verdicts_on_any_encodings() {
    let mut rng = muster_testing::rng();
    let mut accepted = 0;
    for _ in 0..2_000 {
        let secret_key = secret_key(&mut rng);
        let honest = secret_key.public_key().to_bytes();
        let key = if rng.r#gen() { honest } else { encoding(&mut rng) };
        let nonce = encoding(&mut rng);
        let k = native::challenge(&nonce, &key, b"m");
        let s = match rng.gen_range(0..3) {
            0 => [0; 32],
            1 => (Scalar::from_bytes_mod_order_wide(&k) * secret_key.scalar()).to_bytes(),
            _ => rng.r#gen(),
        };
        let mut signature = [0; 64];
        signature[..32].copy_from_slice(&nonce);
        signature[32..].copy_from_slice(&s);
        accepted += u32::from(compare(&key, b"m", &signature)[0]);
    }
    assert!(accepted > 20, "{accepted}");
}
