//! Messages of any number of bytes.

use halo2curves::bn256::Fr;
use rand::RngCore;

use super::*;
use crate::signature::{
    Choices, KeyKind, Message, MessageForm, NoSuchChoice, SignedBytes, SignedMessage,
    MAX_MESSAGE_BYTES,
};

/// From none to a kilobyte; a checkpoint's summary of Sui has 627.
const LENGTHS: [usize; 7] = [0, 1, 31, 32, 33, 627, 1024];

fn drawn(length: usize) -> Vec<u8> {
    let mut bytes = vec![0; length];
    muster_testing::rng().fill_bytes(&mut bytes);
    bytes
}

fn hashed(bytes: &[u8]) -> HashedBytes {
    SignedBytes::new(bytes).into()
}

#[test]
fn all_lengths_are_signed() {
    signs_all_lengths::<ProvenPublicKey>();
    signs_all_lengths::<ProvenSignature>();
    signs_all_lengths::<ProvenBn254>();
}

fn signs_all_lengths<S: MemberSuite<Message = HashedBytes>>() {
    let (key, rng) = (key::<S>(1), &mut muster_testing::rng());
    let refused = Err(SignatureError::Equation);
    for length in LENGTHS {
        let bytes = drawn(length);
        let message = hashed(&bytes);
        let signed = Bls::<S>::sign(&secret(1), &message, rng);
        assert_eq!(Bls::<S>::verify(&key, &message, &signed), Ok(()), "{length}");
        let encoded = Bls::<S>::encode_signature(&signed);
        assert_eq!(Bls::<S>::decode_signature(&encoded), Ok(signed));
        // A byte more, a byte less, another byte, and what is public of it.
        let mut others = vec![[&bytes[..], &[0]].concat(), message.signed().digest().to_vec()];
        if let Some(before) = length.checked_sub(1) {
            others.push(bytes[..before].to_vec());
            others.push(bytes.clone());
            others[3][before / 2] ^= 1;
        }
        for other in others {
            assert_eq!(Bls::<S>::verify(&key, &hashed(&other), &signed), refused, "{length}");
        }
    }
}

/// By blst alone.
#[test]
fn signatures_are_those_of_blst() {
    let tags = [
        b"BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_",
        b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_POP_",
    ];
    let (min_pk, min_sig) = (secret::<ProvenPublicKey>(1), secret::<ProvenSignature>(1));
    for length in LENGTHS {
        let message = drawn(length);
        let other = blst::min_pk::SecretKey::key_gen(&[1; 32], &[]).expect("32 bytes are enough");
        let signed = other.sign(&message, tags[0], &[]);
        assert_eq!(min_pk.sign(&message).to_bytes(), signed.to_bytes(), "{length}");
        let other = blst::min_sig::SecretKey::key_gen(&[1; 32], &[]).expect("32 bytes are enough");
        let signed = other.sign(&message, tags[1], &[]);
        assert_eq!(min_sig.sign(&message).to_bytes(), signed.to_bytes(), "{length}");
    }
}

/// Suites that hash take two forms, that of points takes one.
#[test]
fn forms_are_choices() {
    fn takes<S: MemberSuite>(form: MessageForm) -> bool {
        let choices = Choices::new::<Bls<S>>(KeyKind::Coordinates, None, Some(form));
        let scheme = choices.map(Bls::<S>::new);
        assert_eq!(scheme.as_ref().err(), (!S::takes(&form)).then_some(&NoSuchChoice::Form(form)));
        scheme.is_ok_and(|scheme| scheme.form() == form)
    }
    let of_bytes = [1, 1024, MAX_MESSAGE_BYTES].map(|most| MessageForm::Sha256 { most });
    for form in of_bytes {
        assert!(takes::<ProvenPublicKey>(form) && takes::<ProvenSignature>(form));
        assert!(takes::<ProvenBn254>(form) && !takes::<Bn254PublicKey>(form));
    }
    let others = [MessageForm::Bytes { most: 41 }, MessageForm::CometbftPrecommit];
    for form in others {
        assert!(!takes::<ProvenPublicKey>(form) && !takes::<Bn254PublicKey>(form));
    }
    assert!(takes::<ProvenBn254>(MessageForm::Public));
    assert!(takes::<Bn254PublicKey>(MessageForm::Public));
    let default = Bls::<ProvenSignature>::new(Choices::default());
    assert_eq!(default.form(), MessageForm::Public);
}

#[test]
fn random_messages_have_their_form() {
    let rng = &mut muster_testing::rng();
    for (form, length) in [
        (MessageForm::Public, 32),
        (MessageForm::Sha256 { most: 5 }, 5),
        (MessageForm::Sha256 { most: 700 }, 32),
    ] {
        let message = ProvenBn254::random_message(form, rng);
        assert_eq!(message.bytes().len(), length, "{form}");
    }
}

/// Without a form 32 bytes are public themselves; a form says of them, too, what is public.
#[test]
fn forms_say_what_is_public() {
    let (form, digest) = (MessageForm::Sha256 { most: 700 }, [7; 32]);
    let read = HashedBytes::from_bytes(&digest).expect("any bytes");
    assert_eq!(read, digest.into());
    assert_eq!(read.to_message(), Message::Digest(digest));
    assert_eq!(HashedBytes::of(&read.to_message()), Some(read.clone()));
    let by_digest = Message::Bytes(SignedBytes::new(&digest));
    assert_eq!(read.to_message().in_form(form), Some(by_digest.clone()));
    assert_eq!(HashedBytes::of(&by_digest), Some(read));
    assert_eq!(by_digest.in_form(MessageForm::Public), Some(Message::Digest(digest)));
    for length in [0, 31, 33, 627] {
        let read = HashedBytes::from_bytes(&drawn(length)).expect("any bytes");
        let message = read.to_message();
        assert_eq!(message, Message::Bytes(read.signed().clone()));
        assert_eq!(HashedBytes::of(&message), Some(read));
        assert_eq!(message.in_form(MessageForm::Public), None, "{length}");
        assert_eq!(message.in_form(form), Some(message.clone()));
    }
    assert_eq!(HashedBytes::of(&Fr::one().into()), None);
}
