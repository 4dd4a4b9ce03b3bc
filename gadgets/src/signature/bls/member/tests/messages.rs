//! Messages of any number of bytes.

use halo2curves::bn256::Fr;
use rand::RngCore;

use super::*;
use crate::signature::instructions::NativeInstructions;
use muster_schemes::hash::to_curve::bn254::find_point;
use muster_schemes::signature::{
    Choices, FarPoint, KeyKind, Message, MessageForm, NoSuchChoice, PointHash, SignedBytes,
    SignedMessage, MAX_MESSAGE_BYTES,
};

/// From none to a kilobyte; a checkpoint's summary of Sui has 627.
const LENGTHS: [usize; 7] = [0, 1, 31, 32, 33, 627, 1024];

fn drawn(length: usize) -> Vec<u8> {
    let mut bytes = vec![0; length];
    muster_testing::rng().fill_bytes(&mut bytes);
    bytes
}

fn hashed<S: Possession>(bytes: &[u8]) -> HashedMessage<S> {
    SignedBytes::new(bytes).into()
}

#[test]
fn all_lengths_are_signed() {
    signs_all_lengths::<MinPkPopBls12381>();
    signs_all_lengths::<MinSigPopBls12381>();
    signs_all_lengths::<MinSigPopBn254>();
}

fn signs_all_lengths<S: Possession<Message = HashedMessage<S>>>() {
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
        let mut others =
            vec![[&bytes[..], &[0]].concat(), SignedBytes::new(&bytes).digest().to_vec()];
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

/// By blst alone, under both tags.
#[test]
fn signatures_are_those_of_blst() {
    let tags = [
        (PointHash::Proven, "BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_"),
        (PointHash::Basic, "BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_NUL_"),
    ];
    let (min_pk, min_sig) = (secret::<MinPkPopBls12381>(1), secret::<MinSigPopBls12381>(1));
    for (hash, tag) in tags {
        for length in LENGTHS {
            let message = drawn(length);
            let other = blst::min_pk::SecretKey::key_gen(&[1; 32], &[]).expect("32 bytes");
            let signed = other.sign(&message, tag.as_bytes(), &[]);
            let own = MinPkPopBls12381::sign_message(&min_pk, &hashed(&message), hash);
            assert_eq!(own.to_bytes(), signed.to_bytes(), "{hash} {length}");
            let other = blst::min_sig::SecretKey::key_gen(&[1; 32], &[]).expect("32 bytes");
            let signed = other.sign(&message, tag.replace("G2", "G1").as_bytes(), &[]);
            let own = MinSigPopBls12381::sign_message(&min_sig, &hashed(&message), hash);
            assert_eq!(own.to_bytes(), signed.to_bytes(), "{hash} {length}");
        }
    }
}

/// The point of a message is the signature by the secret 1, and a signature with one hash is none with another.
#[test]
fn hashes_are_kept_apart() {
    let named = |text: &str| text.parse::<PointHash>().expect("a hash");
    let tags = [PointHash::Proven, PointHash::Basic, named("tag:own"), named("tag:other")];
    keeps_apart::<MinPkPopBls12381>(&tags);
    keeps_apart::<MinSigPopBls12381>(&tags);
    let others = [named("keccak:own"), named("keccak:other"), PointHash::Search { most: 64 }];
    keeps_apart::<MinSigPopBn254>(&[&tags[..], &others].concat());
}

fn keeps_apart<S: Possession<Message = HashedMessage<S>>>(hashes: &[PointHash]) {
    let message = hashed::<S>(&drawn(32));
    let one = SecretKey::from_scalar(&S::Scalar::from(1)).expect("not 0");
    let (secret, key) = (secret::<S>(1), key::<S>(1));
    for &own in hashes {
        let point = S::signed_point(&message, own);
        assert_eq!(S::sign_message(&one, &message, own), point.by_one());
        let signed = S::sign_message(&secret, &message, own);
        assert_eq!(point.signed_by(&secret), signed);
        for &other in hashes {
            let holds = S::signed_point(&message, other).is_signed(key.key(), &signed);
            assert_eq!(holds, own == other, "{own} {other}");
        }
    }
    assert_eq!(Bls::<S>::sign(&secret, &message, &mut muster_testing::rng()), {
        S::sign_message(&secret, &message, PointHash::Proven)
    });
}

/// Suites that hash take three forms, that of points takes one.
#[test]
fn forms_are_choices() {
    fn takes<S: Possession>(form: MessageForm) -> bool {
        let choices = Choices::new::<Bls<S>>(KeyKind::Coordinates, None, Some(form));
        let scheme = choices.map(Bls::<S>::new);
        assert_eq!(scheme.as_ref().err(), (!S::takes(&form)).then_some(&NoSuchChoice::Form(form)));
        scheme.is_ok_and(|scheme| scheme.form() == form)
    }
    let of_bytes = [1, 1024, MAX_MESSAGE_BYTES].map(|most| MessageForm::Sha256 { most });
    for form in of_bytes {
        assert!(takes::<MinPkPopBls12381>(form) && takes::<MinSigPopBls12381>(form));
        assert!(takes::<MinSigPopBn254>(form) && !takes::<MinPkBn254>(form));
    }
    assert!(takes::<MinPkPopBls12381>(MessageForm::Point));
    assert!(takes::<MinSigPopBls12381>(MessageForm::Point));
    assert!(takes::<MinSigPopBn254>(MessageForm::Point));
    assert!(!takes::<MinPkBn254>(MessageForm::Point));
    let others = [MessageForm::Bytes { most: 41 }, MessageForm::CometbftPrecommit];
    for form in others {
        assert!(!takes::<MinPkPopBls12381>(form) && !takes::<MinPkBn254>(form));
    }
    assert!(takes::<MinSigPopBn254>(MessageForm::Public));
    assert!(takes::<MinPkBn254>(MessageForm::Public));
    let default = Bls::<MinSigPopBls12381>::new(Choices::default());
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
        let message = MinSigPopBn254::random_message(form, rng);
        assert_eq!(message.bytes().expect("bytes").bytes().len(), length, "{form}");
    }
    let drawn = || MinSigPopBn254::random_message(MessageForm::Point, &mut muster_testing::rng());
    assert!(matches!(drawn(), HashedMessage::Point(_)));
}

/// Without a form 32 bytes are public themselves; a form says of them, too, what is public.
#[test]
fn forms_say_what_is_public() {
    let (form, digest) = (MessageForm::Sha256 { most: 700 }, [7; 32]);
    let read = HashedMessage::<MinSigPopBn254>::from_bytes(&digest).expect("any bytes");
    assert_eq!(read, digest.into());
    assert_eq!(read.to_message(), Message::Digest(digest));
    assert_eq!(HashedMessage::<MinSigPopBn254>::of(&read.to_message()), Some(read.clone()));
    let by_digest = Message::Bytes(SignedBytes::new(&digest));
    assert_eq!(read.to_message().in_form(form), Some(by_digest.clone()));
    assert_eq!(HashedMessage::<MinSigPopBn254>::of(&by_digest), Some(read));
    assert_eq!(by_digest.in_form(MessageForm::Public), Some(Message::Digest(digest)));
    for length in [0, 31, 33, 627] {
        let read = HashedMessage::<MinSigPopBn254>::from_bytes(&drawn(length)).expect("any bytes");
        let message = read.to_message();
        assert_eq!(message, Message::Bytes(read.bytes().expect("bytes").clone()));
        assert_eq!(HashedMessage::<MinSigPopBn254>::of(&message), Some(read));
        assert_eq!(message.in_form(MessageForm::Public), None, "{length}");
        assert_eq!(message.in_form(form), Some(message.clone()));
    }
    assert_eq!(HashedMessage::<MinSigPopBn254>::of(&Fr::one().into()), None);
}

/// The point that bytes are hashed to has the signatures that they have, and no other point has.
#[test]
fn points_are_signed_as_what_is_hashed_to_them() {
    signs_points::<MinPkPopBls12381>();
    signs_points::<MinSigPopBls12381>();
    signs_points::<MinSigPopBn254>();
}

fn signs_points<S: Possession<Message = HashedMessage<S>>>() {
    let (key, rng) = (key::<S>(1), &mut muster_testing::rng());
    let bytes = hashed::<S>(&drawn(33));
    let point = HashedMessage::Point(S::signed_point(&bytes, PointHash::default()));
    let signed = Bls::<S>::sign(&secret(1), &bytes, rng);
    assert_eq!(Bls::<S>::sign(&secret(1), &point, rng), signed);
    assert_eq!(Bls::<S>::verify(&key, &point, &signed), Ok(()));
    let refused = Err(SignatureError::Equation);
    for other in [SignedPoint::default(), SignedPoint::random(rng)] {
        let other = HashedMessage::Point(other);
        assert_eq!(Bls::<S>::verify(&key, &other, &signed), refused);
        let signed = Bls::<S>::sign(&secret(1), &other, rng);
        assert_eq!(Bls::<S>::verify(&key, &other, &signed), Ok(()));
        assert_eq!(Bls::<S>::verify(&key, &bytes, &signed), refused);
    }
    let Message::Point(stated) = point.to_message() else { panic!("a point") };
    for form in [MessageForm::Public, MessageForm::Sha256 { most: 40 }] {
        assert_eq!(bytes.to_message().in_form(form).is_some(), form != MessageForm::Public);
    }
    assert_eq!(bytes.to_message().in_form(MessageForm::Point), None);
    assert_eq!(hashed::<S>(&[7; 32]).to_message().in_form(MessageForm::Point), None);
    assert_eq!(Message::Point(stated).in_form(MessageForm::Point), Some(point.to_message()));
}

/// What EigenLayer's contracts find is what is signed, and a message is refused that is further away than the circuit looks.
#[test]
fn points_of_contracts_are_signed() {
    let mut found = [false; 4];
    for byte in 0..=255 {
        let bytes = [byte; 32];
        let (point, passed) = find_point(&bytes);
        found[passed.min(3)] = true;
        let message = HashedMessage::from(bytes);
        for most in 1..=4 {
            let hash = PointHash::Search { most };
            let signed = MinSigPopBn254::signed_point(&message, hash);
            assert_eq!(signed.by_one().to_bytes(), MinSigPopBn254::encode_signature(&point));
            let far = (passed >= most).then_some(FarPoint { passed, most });
            assert_eq!(MinSigPopBn254::check_distance(&message, hash).err(), far);
        }
        assert_eq!(MinSigPopBn254::check_distance(&message, PointHash::Proven), Ok(()));
    }
    assert_eq!(found, [true; 4]);
    let choices = Choices::default().with_hash::<Bn254MinSig>(PointHash::Search { most: 1 });
    let scheme = Bn254MinSig::new(choices.expect("it has this hash"));
    for _ in 0..20 {
        let message = scheme.random_message(&mut muster_testing::rng());
        assert_eq!(scheme.check_message(&message), Ok(()));
    }
}
