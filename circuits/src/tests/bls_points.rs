//! BLS on points that are public, of schemes that hash.

use muster_gadgets::signature::bls::member::CiphersuiteChip;
use muster_schemes::signature::{
    bls::{
        member::MinPkBn254, BlsError, Ciphersuite, HashedMessage, MinPkPopBls12381,
        MinSigPopBls12381, MinSigPopBn254, PointMessage, SignedPoint,
    },
    SignatureError, SignedMessage,
};

use super::{
    bls::{scalar, scheme_of, signed_under, Signed},
    *,
};
use crate::{Message, MessageForm, PointHash, PublicMessage, Rejection};

/// A suite that hashes.
trait Hashes: CiphersuiteChip<Message = HashedMessage<Self>> {}

impl Hashes for MinSigPopBn254 {}
impl Hashes for MinPkPopBls12381 {}
impl Hashes for MinSigPopBls12381 {}

fn shape<S: Hashes>() -> Shape {
    let scheme = S::SCHEME.parse().expect("a scheme");
    let wanted = request(scheme, 4, 2, Mode::Path);
    fit(&Request { message: Some(MessageForm::Point), ..wanted })
}

/// What such bytes are hashed to.
fn point<S: Hashes>(byte: u8) -> HashedMessage<S> {
    HashedMessage::Point(S::signed_point(&[byte; 32].into(), PointHash::default()))
}

/// Member 2 signs, and a slot is not used.
fn signed<S: Hashes>() -> Signed<S> {
    Signed::about(shape::<S>(), &[2], point::<S>(7))
}

/// And no other: each word by itself, other points.
#[test]
fn a_statement_is_about_the_point() {
    is_about_the_point::<MinSigPopBn254>();
    is_about_the_point::<MinSigPopBls12381>();
    is_about_the_point::<MinPkPopBls12381>();
}

fn is_about_the_point<S: Hashes>() {
    let case = signed::<S>().case;
    let Case { shape, statement, .. } = &case;
    assert_eq!(shape.public_message(), PublicMessage::Point(S::GROUP));
    assert_eq!(shape.public_inputs(), 2 + S::GROUP.inputs());
    let public = statement.public_inputs();
    let others = [HashedMessage::Point(SignedPoint::default()), point::<S>(8)].map(|other| {
        let message = other.to_message();
        Statement { message, ..statement.clone() }.public_inputs()
    });
    let circuit = case.circuit().expect("the signature is good");
    assert_accepts_its_own(&circuit, shape, &public, &others);
}

/// A prover who checks nothing: a signature on another point, and another point in place of the public one.
#[test]
fn the_point_that_is_signed_is_the_public_one() {
    signs_the_public_one::<MinSigPopBn254>();
    signs_the_public_one::<MinSigPopBls12381>();
    signs_the_public_one::<MinPkPopBls12381>();
}

fn signs_the_public_one<S: Hashes>() {
    let signed = signed::<S>();
    let scheme = scheme_of::<S>(&signed.case.shape);
    let (message, other) = (point::<S>(7), HashedMessage::Point(SignedPoint::default()));
    let by = |message| signed_under(&scheme, &[scalar::<S>(2)], message);
    assert!(signed.holds(&signed.inputs(&by(&message))));
    assert!(!signed.holds(&signed.inputs(&by(&other))));
    let mut forged = signed.inputs(&by(&other));
    forged.message = other;
    assert!(!signed.holds(&forged));
}

#[test]
fn points_have_one_key() {
    let shape = shape::<MinSigPopBn254>();
    let messages = [point(7), HashedMessage::Point(SignedPoint::default())];
    let mut circuits = vec![shape.keygen_circuit()];
    for message in messages {
        let case = Signed::<MinSigPopBn254>::about(shape.clone(), &[1, 3], message).case;
        circuits.push(case.circuit().expect("the signature is good"));
    }
    keys::assert_one_key(&shape, &circuits);
}

/// Natively: messages of other forms and of other groups, and signatures on others.
#[test]
fn points_are_judged_by_their_form() {
    let case = signed::<MinSigPopBn254>().case;
    let verdict = |message: Message, form: MessageForm| {
        let Case { statement, committee, signatures, .. } = &case;
        let wanted = request(Scheme::BlsBn254MinSig, 4, 2, Mode::Path);
        let terms = Request { message: Some(form), ..wanted }.terms().expect("it has this form");
        let statement = Statement { message, ..statement.clone() };
        terms.verify(&statement, committee, signatures).map(drop)
    };
    let own = point::<MinSigPopBn254>(7).to_message();
    assert_eq!(verdict(own.clone(), MessageForm::Point), Ok(()));
    let digest = Message::Digest([7; 32]);
    assert_eq!(verdict(digest.clone(), MessageForm::Public), Ok(()));
    for (message, form) in [(own, MessageForm::Public), (digest, MessageForm::Point)] {
        assert_eq!(verdict(message, form), Err(Error::OtherForm(form)));
    }
    let other = SignedPoint::<MinPkBn254>::default().to_message();
    let wrong = Err(Error::WrongMessage(Scheme::BlsBn254MinSig));
    assert_eq!(verdict(other, MessageForm::Point), wrong);
    let aggregate = Rejection::Aggregate { members: vec![2], rule: SignatureError::Equation };
    let other = point::<MinSigPopBn254>(8).to_message();
    assert_eq!(verdict(other, MessageForm::Point), Err(aggregate.into()));
}

/// What commands read has no form yet.
#[test]
fn points_are_read_from_their_coordinates() {
    let scheme = Scheme::BlsBls12381;
    let suite = shape::<MinPkPopBls12381>().suite().expect("it has this form");
    let point = point::<MinPkPopBls12381>(7).to_message();
    let read = |bytes: &[u8]| scheme.message_from_bytes(bytes).expect("any bytes");
    assert_eq!(suite.stated(&read(&point.to_bytes())), Ok(point.clone()));
    assert_eq!(suite.stated(&point), Ok(point));
    let group = MinPkPopBls12381::GROUP;
    for bytes in [vec![7; 32], vec![0; 192], vec![7; 192], vec![7; 191]] {
        let fault = PointMessage::from_bytes(group, &bytes).expect_err("no point");
        assert_eq!(suite.stated(&read(&bytes)), Err(Error::NoPoint { group, fault }));
    }
    let fault = BlsError::Length { expected: 192, found: 32 };
    assert_eq!(PointMessage::from_bytes(group, &[7; 32]), Err(fault));
    let form = MessageForm::Point;
    for scheme in [Scheme::BlsBn254, Scheme::Ed25519, Scheme::Schnorr, Scheme::EcdsaP256] {
        let wanted = Request { message: Some(form), ..request(scheme, 4, 2, Mode::Path) };
        assert_eq!(wanted.suite(), Err(Error::Form { scheme, form }));
    }
}
