//! One suite for every scheme that signs digests of 32 bytes: what must verify and what must not.

use std::fmt::Debug;

use super::suite::rng;
use crate::signature::{SignatureError, SignatureScheme};

/// Runs the suite for a scheme with signatures of 64 bytes and the big-endian order `n` of its
/// group.
pub(crate) fn run<S>(n: [u8; 32])
where
    S: SignatureScheme<Message = [u8; 32], Signature: PartialEq>,
    S::PublicKey: Debug,
{
    accepts::<S>();
    refuses_other_messages_and_keys::<S>();
    refuses_every_flipped_bit::<S>();
    refuses_bad_encodings::<S>(n);
}

fn sample<S: SignatureScheme<Message = [u8; 32]>>(
    seed: u64,
) -> (S::PublicKey, [u8; 32], S::Signature) {
    let mut rng = rng(seed);
    let secret_key = S::keygen(&mut rng);
    let mut message = [0; 32];
    rand_core::RngCore::fill_bytes(&mut rng, &mut message);
    let signature = S::sign(&secret_key, &message, &mut rng);
    (S::public_key(&secret_key), message, signature)
}

fn accepts<S: SignatureScheme<Message = [u8; 32], Signature: PartialEq>>() {
    for seed in 0..8 {
        let (key, message, signature) = sample::<S>(seed);
        assert_eq!(S::verify(&key, &message, &signature), Ok(()));
        let bytes = S::encode_signature(&signature);
        assert_eq!(bytes.len(), 64);
        assert_eq!(S::decode_signature(&bytes), Ok(signature));
        assert_eq!(S::decode_public_key(&S::encode_public_key(&key)), Ok(key));
    }
    let secret_key = S::secret_key_from_seed(&[7; 32]).unwrap();
    for message in [[0; 32], [1; 32], [0xff; 32]] {
        let signature = S::sign(&secret_key, &message, &mut rng(1));
        assert_eq!(S::verify(&S::public_key(&secret_key), &message, &signature), Ok(()));
    }
}

fn refuses_other_messages_and_keys<S: SignatureScheme<Message = [u8; 32]>>() {
    let (key, message, signature) = sample::<S>(1);
    let (other_key, other_message, other) = sample::<S>(2);
    let refused = Err(SignatureError::Equation);
    assert_eq!(S::verify(&other_key, &message, &signature), refused);
    assert_eq!(S::verify(&key, &other_message, &signature), refused);
    assert_eq!(S::verify(&key, &message, &other), refused);
    let mut swapped = S::encode_signature(&signature);
    swapped[..32].copy_from_slice(&S::encode_signature(&other)[..32]);
    let swapped = S::decode_signature(&swapped).unwrap();
    assert_eq!(S::verify(&key, &message, &swapped), refused);
}

fn refuses_every_flipped_bit<S: SignatureScheme<Message = [u8; 32]>>() {
    let (key, message, signature) = sample::<S>(3);
    let (key_bytes, bytes) = (S::encode_public_key(&key), S::encode_signature(&signature));
    let flip = |bytes: &[u8], bit: usize| {
        let mut bytes = bytes.to_vec();
        bytes[bit / 8] ^= 1 << (bit % 8);
        bytes
    };
    for bit in 0..8 * bytes.len() {
        let verdict =
            S::decode_signature(&flip(&bytes, bit)).and_then(|s| S::verify(&key, &message, &s));
        assert!(verdict.is_err(), "bit {bit} of the signature");
    }
    for bit in 0..8 * key_bytes.len() {
        let verdict = S::decode_public_key(&flip(&key_bytes, bit))
            .and_then(|k| S::verify(&k, &message, &signature));
        assert!(verdict.is_err(), "bit {bit} of the key");
    }
    for bit in 0..256 {
        let message: [u8; 32] = flip(&message, bit).try_into().unwrap();
        assert_eq!(S::verify(&key, &message, &signature), Err(SignatureError::Equation), "{bit}");
    }
}

fn refuses_bad_encodings<S: SignatureScheme<Message = [u8; 32]>>(n: [u8; 32]) {
    let (key, _, signature) = sample::<S>(4);
    let bytes = S::encode_signature(&signature);
    let mut above = n;
    above[31] += 1;
    for s in [n, above, [0xff; 32]] {
        let mut bytes = bytes.clone();
        bytes[32..].copy_from_slice(&s);
        let error = S::decode_signature(&bytes).err();
        let named = [SignatureError::OutOfRange('s'), SignatureError::ScalarNotReduced];
        assert!(error.is_some_and(|error| named.contains(&error)), "{error:?}");
    }
    for r in [[0; 32], [0xff; 32]] {
        let mut bytes = bytes.clone();
        bytes[..32].copy_from_slice(&r);
        assert!(S::decode_signature(&bytes).is_err());
    }
    for found in [0, 63, 65] {
        let expected = SignatureError::WrongLength { expected: 64, found };
        assert_eq!(S::decode_signature(&vec![1; found]).err(), Some(expected));
    }
    let key_bytes = S::encode_public_key(&key);
    for length in [0, 1, key_bytes.len() - 1] {
        assert!(S::decode_public_key(&key_bytes[..length]).is_err());
    }
    assert!(S::decode_public_key(&[key_bytes, vec![0]].concat()).is_err());
}
