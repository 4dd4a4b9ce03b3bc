//! Points that are signed.

use ff::{Field, PrimeField};
use halo2curves::bn256::Fr;
use num_bigint::BigUint;

use super::rng;
use crate::{
    curve::pairing::{
        samples::{outside, with_torsion},
        PairingCurve,
    },
    signature::{
        bls::{
            member::MinPkBn254, public_words, BlsError, Ciphersuite, HashedMessage, MessageGroup,
            MinPkPopBls12381, MinSigPopBls12381, MinSigPopBn254, PointMessage, SecretKey,
            SignedPoint,
        },
        Message, PublicMessage, SignedMessage,
    },
};

/// The third multiple of the generator.
fn point<S: Ciphersuite>() -> SignedPoint<S> {
    let secret = SecretKey::<S>::from_scalar(&3.into()).expect("not 0");
    SignedPoint(SignedPoint::<S>::default().signed_by(&secret).0)
}

#[test]
fn points_go_there_and_back() {
    goes_there_and_back::<MinSigPopBn254>(64, 4);
    goes_there_and_back::<MinPkBn254>(128, 8);
    goes_there_and_back::<MinSigPopBls12381>(96, 6);
    goes_there_and_back::<MinPkPopBls12381>(192, 12);
}

fn goes_there_and_back<S: Ciphersuite>(bytes: usize, inputs: usize) {
    let bits = S::CURVE.parameters().p.bits() as usize;
    assert_eq!(S::GROUP.words(), bits.div_ceil(128), "{}", S::GROUP);
    assert_eq!((S::GROUP.bytes(), S::GROUP.inputs()), (bytes, inputs));
    for point in [point::<S>(), SignedPoint::default(), SignedPoint::random(&mut rng(1))] {
        let message = point.to_message();
        assert_eq!(message.kind(), PublicMessage::Point(S::GROUP));
        assert_eq!(message.to_bytes().len(), bytes);
        assert_eq!(SignedPoint::from_bytes(&message.to_bytes()), Some(point));
        assert_eq!(<SignedPoint<S> as SignedMessage>::of(&message), Some(point));
        let hashed = HashedMessage::<S>::of(&message);
        assert_eq!(hashed, Some(HashedMessage::Point(point)));
        assert_eq!(hashed.map(|hashed| hashed.to_message()), Some(message.clone()));
        let (public, words) = (
            message.public_inputs(),
            public_words(S::CURVE, S::point_numbers(&point.coordinates())),
        );
        assert_eq!((public.len(), words.len()), (inputs, inputs));
        for (public, word) in public.iter().zip(words) {
            assert_eq!(BigUint::from_bytes_le(&public.to_repr()), word);
        }
        assert_eq!(Message::from_public_inputs(&public), Some(message.clone()));
        assert_eq!(message.public(), message);
        assert!(message.digest().is_none() && message.signed_bytes().is_none());
    }
    assert_eq!(<SignedPoint<S> as SignedMessage>::of(&Message::Digest([1; 32])), None);
    assert_eq!(<[u8; 32]>::of(&point::<S>().to_message()), None);
}

/// A point is read by the scheme whose signatures are in its group, and by no other.
#[test]
fn groups_are_kept_apart() {
    let messages = [
        point::<MinSigPopBn254>().to_message(),
        point::<MinPkBn254>().to_message(),
        point::<MinSigPopBls12381>().to_message(),
        point::<MinPkPopBls12381>().to_message(),
    ];
    let readers = [
        |message: &Message| HashedMessage::<MinSigPopBn254>::of(message).is_some(),
        |message: &Message| <SignedPoint<MinPkBn254> as SignedMessage>::of(message).is_some(),
        |message: &Message| HashedMessage::<MinSigPopBls12381>::of(message).is_some(),
        |message: &Message| HashedMessage::<MinPkPopBls12381>::of(message).is_some(),
    ];
    for (i, message) in messages.iter().enumerate() {
        for (j, reads) in readers.iter().enumerate() {
            assert_eq!(reads(message), i == j, "{i} {j}");
        }
    }
}

/// In the bytes of EIP-197 imaginary parts come first, and in the words real ones.
#[test]
fn words_are_in_their_order() {
    let message = point::<MinPkBn254>().to_message();
    let (bytes, words) = (message.to_bytes(), message.public_inputs());
    let word = |at: usize| {
        let bytes: [u8; 16] = bytes[16 * at..16 * (at + 1)].try_into().expect("as many");
        Fr::from_u128(u128::from_be_bytes(bytes))
    };
    assert_eq!(words, [2, 3, 0, 1, 6, 7, 4, 5].map(word));
}

/// The encoding without compression, as blst writes it.
#[test]
fn bytes_are_those_of_blst() {
    let secret = blst::min_sig::SecretKey::key_gen(&[1; 32], &[]).expect("32 bytes are enough");
    let signed = secret.sign(b"point", b"tag", &[]).serialize();
    let read = PointMessage::from_bytes(MinSigPopBls12381::GROUP, &signed).expect("a point");
    assert_eq!(read.to_bytes(), signed);
    let secret = blst::min_pk::SecretKey::key_gen(&[1; 32], &[]).expect("32 bytes are enough");
    let signed = secret.sign(b"point", b"tag", &[]).serialize();
    let read = PointMessage::from_bytes(MinPkPopBls12381::GROUP, &signed).expect("a point");
    assert_eq!(read.to_bytes(), signed);
}

#[test]
fn what_is_no_point_is_refused() {
    for group in MessageGroup::ALL {
        let refused = |bytes: &[u8]| PointMessage::from_bytes(group, bytes).unwrap_err();
        let expected = group.bytes();
        assert_eq!(refused(&vec![0; expected]), BlsError::Identity, "{group}");
        assert_eq!(refused(&vec![1; expected]), BlsError::NotOnCurve, "{group}");
        assert_eq!(refused(&vec![0xff; expected]), BlsError::NotOnCurve, "{group}");
        for found in [0, expected - 1, expected + 1] {
            assert_eq!(refused(&vec![0; found]), BlsError::Length { expected, found });
        }
        // The same residues, not reduced.
        let generator = PointMessage::generator(group).to_bytes();
        let each = group.words() * 16;
        for at in (0..expected).step_by(each) {
            let p = &group.curve().parameters().p;
            let number = BigUint::from_bytes_be(&generator[at..at + each]) + p;
            let number = number.to_bytes_be();
            let mut other = generator.clone();
            other[at + each - number.len()..at + each].copy_from_slice(&number);
            assert_eq!(refused(&other), BlsError::NotOnCurve, "{group} {at}");
        }
        let outside: Vec<BigUint> = match (group.curve(), group.is_on_twist()) {
            (curve, true) => outside(curve).into_iter().flatten().collect(),
            (PairingCurve::Bls12381, false) => {
                with_torsion(&PairingCurve::Bls12381.parameters().generator).into()
            }
            // All points of the curve are in the group.
            (PairingCurve::Bn254, false) => continue,
        };
        let bytes = group.encode(&outside);
        assert_eq!(refused(&bytes), BlsError::NotInSubgroup, "{group}");
    }
}

#[test]
fn words_of_no_point_are_refused() {
    for group in MessageGroup::ALL {
        let public = PointMessage::generator(group).public_inputs();
        for place in 0..public.len() {
            // Another point, and more than 128 bits.
            for by in [Fr::one(), Fr::from(2).pow([128])] {
                let mut other = public.clone();
                other[place] += by;
                assert_eq!(Message::from_public_inputs(&other), None, "{group} {place}");
            }
        }
        assert_eq!(Message::from_public_inputs(&public[1..]), None);
        assert_eq!(Message::from_public_inputs(&vec![Fr::zero(); public.len()]), None);
    }
}
