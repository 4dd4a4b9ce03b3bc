//! Ed25519 with messages that are public themselves.

use muster_schemes::signature::{
    ed25519::{native::sign, SecretKey},
    SignatureError,
};

use super::{keys::assert_one_key, *};
use crate::{Message, MessageForm, PublicMessage, Rejection, SignedBytes};

/// Bytes of an approval of NEAR.
const APPROVAL: usize = 41;
/// Members, of whom one signs.
const MEMBERS: u8 = 3;

fn shape(message: MessageForm) -> Shape {
    let mode = Some(Mode::Path);
    fit(&Request { message: Some(message), mode, ..Request::new(Scheme::Ed25519, 3, 1) })
}

fn plain_shape() -> Shape {
    shape(MessageForm::Bytes { most: APPROVAL })
}

/// An approval: 0, a hash, and a height in little-endian bytes, the last of which are 0.
fn approval() -> Vec<u8> {
    [&[0][..], &[0xa5; 32], &123_456_789u64.to_le_bytes()].concat()
}

/// The message as statements of the shape have it.
fn stated(shape: &Shape, bytes: &[u8]) -> Message {
    let message = SignedBytes::new(bytes).into();
    shape.suite().expect("it was fitted").stated(&message).expect("it is short")
}

/// Member 1 signs these bytes; a statement has this message.
fn signed(shape: &Shape, bytes: &[u8], message: Message) -> Case {
    let secret = |i: u8| SecretKey::from_seed(&std::array::from_fn(|byte| i + byte as u8));
    let members: Vec<_> = (0..MEMBERS).map(|i| (secret(i).public_key(), 1)).collect();
    let committee = Committee::new(&members).expect("distinct keys");
    let signature = sign(&secret(1), bytes);
    let statement = Statement {
        key_set_root: shape.tree(&committee).expect("it fits").root(),
        threshold: 1,
        message,
        signers: None,
    };
    let signatures = Signatures::Independent(vec![(1, signature.into())]);
    Case { shape: shape.clone(), statement, committee, signatures }
}

fn case_of_bytes(bytes: &[u8]) -> Case {
    let shape = plain_shape();
    let message = stated(&shape, bytes);
    signed(&shape, bytes, message)
}

/// Public inputs of the same statement about another message.
fn about(case: &Case, bytes: &[u8]) -> Vec<Fr> {
    let message = stated(&case.shape, bytes);
    Statement { message, ..case.statement.clone() }.public_inputs()
}

#[test]
fn a_statement_is_about_the_bytes_themselves() {
    let bytes = approval();
    let case = case_of_bytes(&bytes);
    let shape = &case.shape;
    assert_eq!((shape.public_message(), shape.public_inputs()), (PublicMessage::Plain, 5));
    assert_eq!(shape.layout.sha256, None);
    let circuit = case.circuit().expect("the signature is good");
    let public = case.statement.public_inputs();
    assert_eq!(public, about(&case, &bytes));
    // The approval ends with zeros: with fewer of them, or more, it is another message.
    assert_eq!(bytes[APPROVAL - 4..], [0; 4]);
    let longer = [&bytes[..], &[0]].concat();
    let others = [&bytes[..APPROVAL - 1], &bytes[..APPROVAL - 4], &longer];
    let mut others = others.map(|other| about(&case, other)).to_vec();
    let digest = Message::from(SignedBytes::new(&bytes)).public_inputs();
    others.push([&public[..2], &digest].concat());
    assert_accepts_its_own(&circuit, shape, &public, &others);
}

#[test]
fn messages_of_all_lengths_have_one_key() {
    let lengths = [0, 5, 40];
    let cases = lengths.map(|length| case_of_bytes(&approval()[..length]));
    let mut circuits = vec![plain_shape().keygen_circuit()];
    for case in &cases {
        let circuit = case.circuit().expect("the signature is good");
        assert!(is_satisfied(&circuit, &case.shape, case.statement.public_inputs()));
        circuits.push(circuit);
    }
    assert_one_key(&plain_shape(), &circuits);
}

#[test]
fn messages_that_are_refused_by_name() {
    let (shape, bytes) = (plain_shape(), approval());
    let verdict = |shape: &Shape, signed_bytes: &[u8], message: Message| {
        let Case { statement, committee, signatures, .. } = signed(shape, signed_bytes, message);
        verify(shape, &statement, &committee, &signatures)
    };
    let plain = stated(&shape, &bytes);
    assert_eq!(verdict(&shape, &bytes, plain.clone()), Ok(()));
    // Another form than the shape's, either way.
    let of_digest = self::shape(MessageForm::Sha256 { most: 47 });
    let by_digest = stated(&of_digest, &bytes);
    assert_eq!(verdict(&of_digest, &bytes, by_digest.clone()), Ok(()));
    let other_form = |shape: &Shape| Err(Error::OtherForm(shape.message));
    assert_eq!(verdict(&shape, &bytes, by_digest), other_form(&shape));
    assert_eq!(verdict(&of_digest, &bytes, plain), other_form(&of_digest));
    let wrong = Err(Error::WrongMessage(Scheme::Ed25519));
    assert_eq!(verdict(&shape, &bytes, [7; 32].into()), wrong);
    // One byte more than the circuit takes, and more than can be public.
    let longer = [&bytes[..], &[0]].concat();
    let long = Err(Error::LongMessage { bytes: APPROVAL + 1, most: APPROVAL });
    assert_eq!(verdict(&shape, &longer, stated(&shape, &longer)), long);
    let suite = shape.suite().expect("it was fitted");
    let longest = Message::from(SignedBytes::new(&[0; 65]));
    let long = Err(Error::LongMessage { bytes: 65, most: 64 });
    assert_eq!(suite.stated(&longest), long);
    // Another message than what is signed, by a zero or by a byte.
    let mut other = bytes.clone();
    other[0] ^= 1;
    let equation = Rejection::Signature { member: 1, rule: SignatureError::Equation };
    for stated_bytes in [&bytes[..APPROVAL - 1], &other] {
        let verdict = verdict(&shape, &bytes, stated(&shape, stated_bytes));
        assert_eq!(verdict, Err(equation.clone().into()));
    }
}
