//! Points of G2 of BN254 that are signed.

use ff::{Field, PrimeField};
use halo2curves::bn256::Fr;

use super::rng;
use crate::{
    curve::pairing::{tests::outside, PairingCurve},
    signature::{
        bls::{BlsError, Bn254, PointMessage, SecretKey},
        Message, SignedMessage,
    },
};

/// The third multiple of the generator.
fn point() -> PointMessage {
    let secret = SecretKey::<Bn254>::from_scalar(&3.into()).unwrap();
    PointMessage::from_bytes(&secret.public_key().to_bytes()).unwrap()
}

#[test]
fn points_go_there_and_back() {
    for point in [point(), PointMessage::default(), PointMessage::random(&mut rng(1))] {
        assert_eq!(PointMessage::from_bytes(point.bytes()), Ok(point));
        let message = point.to_message();
        assert_eq!(message.to_bytes(), point.bytes());
        assert_eq!(PointMessage::of(&message), Some(point));
        let public = message.public_inputs();
        assert_eq!(public.len(), 8);
        assert_eq!(Message::from_public_inputs(&public), Some(message.clone()));
        assert_eq!(message.public(), message);
        assert!(message.digest().is_none() && message.signed_bytes().is_none());
    }
    assert_eq!(PointMessage::of(&Message::Digest([1; 32])), None);
    assert_eq!(<[u8; 32]>::of(&point().to_message()), None);
}

/// In the bytes of EIP-197 imaginary parts come first, and in the words real ones.
#[test]
fn words_are_in_their_order() {
    let (bytes, words) = (*point().bytes(), point().to_message().public_inputs());
    let word = |at: usize| {
        let bytes: [u8; 16] = bytes[16 * at..16 * (at + 1)].try_into().unwrap();
        Fr::from_u128(u128::from_be_bytes(bytes))
    };
    assert_eq!(words, [2, 3, 0, 1, 6, 7, 4, 5].map(word));
}

#[test]
fn what_is_no_point_is_refused() {
    let refused = |bytes: &[u8]| PointMessage::from_bytes(bytes).unwrap_err();
    assert_eq!(refused(&[0; 128]), BlsError::Identity);
    assert_eq!(refused(&[1; 128]), BlsError::NotOnCurve);
    assert_eq!(refused(&[0xff; 128]), BlsError::NotOnCurve);
    assert_eq!(refused(&[0; 127]), BlsError::Length { expected: 128, found: 127 });
    let [x, y] = outside(PairingCurve::Bn254);
    let parts = [&x[1], &x[0], &y[1], &y[0]].map(|part| {
        let bytes = part.to_bytes_be();
        [vec![0; 32 - bytes.len()], bytes].concat()
    });
    assert_eq!(refused(&parts.concat()), BlsError::NotInSubgroup);
    let read = <PointMessage as SignedMessage>::from_bytes;
    assert_eq!((read(&parts.concat()), read(point().bytes())), (None, Some(point())));
}

#[test]
fn words_of_no_point_are_refused() {
    let public = point().to_message().public_inputs();
    for place in 0..public.len() {
        // Another point, and more than 128 bits.
        for by in [Fr::one(), Fr::from(2).pow([128])] {
            let mut other = public.clone();
            other[place] += by;
            assert_eq!(Message::from_public_inputs(&other), None, "{place}");
        }
    }
    assert_eq!(Message::from_public_inputs(&public[1..]), None);
    assert_eq!(Message::from_public_inputs(&[Fr::zero(); 8]), None);
}
