//! BLS on bytes that are public by their SHA-256.

use muster_gadgets::signature::bls::member::CiphersuiteChip;
use muster_schemes::signature::{
    bls::{
        member::{Bls, OwnedKey},
        HashedMessage, MinPkPopBls12381, MinSigPopBn254,
    },
    Choices, SignatureError,
};

use super::{
    bls::{key, scalar, signed, BlsInputs},
    keys::assert_one_key,
    *,
};
use crate::{KeyKind, Message, MessageForm, PublicMessage, Rejection, SignedBytes};

/// The most bytes of a message.
const MOST: usize = 40;
const FORM: MessageForm = MessageForm::Sha256 { most: MOST };

fn wanted(scheme: Scheme, form: MessageForm) -> Request {
    Request { message: Some(form), ..request(scheme, 3, 2, Mode::Path) }
}

/// Keys in G2 of BN254: the smallest circuit that hashes.
fn shape() -> Shape {
    fit(&wanted(Scheme::BlsBn254MinSig, FORM))
}

/// Bytes without zeros.
fn bytes(length: usize) -> Vec<u8> {
    (1..=length).map(|i| i as u8 | 0x80).collect()
}

fn by_digest(bytes: &[u8]) -> Message {
    SignedBytes::new(bytes).into()
}

fn committee<S: CiphersuiteChip>() -> Committee {
    let member = |i: u64| (key::<S>(scalar::<S>(i)), 1);
    Committee::new(&(0..3).map(member).collect::<Vec<_>>()).expect("distinct keys")
}

/// Members 0 and 2 sign these bytes.
fn signatures<S>(bytes: &[u8]) -> Signatures
where
    S: CiphersuiteChip<Message = HashedMessage<S>>,
{
    let message = SignedBytes::new(bytes).into();
    let signature = signed::<S>(&[0, 2].map(scalar::<S>), &message);
    Signatures::Aggregate { members: vec![0, 2], signature }
}

/// They do, and a statement says so.
fn case_of(bytes: &[u8]) -> Case {
    under(shape(), bytes)
}

/// The same under this shape.
fn under(shape: Shape, bytes: &[u8]) -> Case {
    let committee = committee::<MinSigPopBn254>();
    let mask = || SignerMask::new(3, [0, 2]).expect("members");
    let statement = Statement {
        key_set_root: shape.tree(&committee).expect("it fits").root(),
        threshold: 2,
        message: by_digest(bytes),
        signers: shape.mask.then(mask),
    };
    Case { shape, statement, committee, signatures: signatures::<MinSigPopBn254>(bytes) }
}

/// And refused for any other: each half by itself, both in the other order, another message, and the bytes themselves.
#[test]
fn a_statement_is_about_the_digest() {
    let message = bytes(33);
    let case = case_of(&message);
    let Case { shape, statement, .. } = &case;
    assert_eq!((shape.public_message(), shape.public_inputs()), (PublicMessage::Digest, 4));
    let circuit = case.circuit().expect("the signature is good");
    let public = statement.public_inputs();
    let digest = Message::Digest(SignedBytes::new(&message).digest());
    assert_eq!(public, Statement { message: digest, ..statement.clone() }.public_inputs());
    let swapped = vec![public[0], public[1], public[3], public[2]];
    let [shorter, bytes] =
        [by_digest(&message[..32]), Message::Digest(message[..32].try_into().unwrap())]
            .map(|message| Statement { message, ..statement.clone() }.public_inputs());
    assert_accepts_its_own(&circuit, shape, &public, &[swapped, shorter, bytes]);
}

/// The mask stands behind the two halves of the digest.
#[test]
fn signers_of_bytes_are_named() {
    let shape = fit(&Request { mask: true, ..wanted(Scheme::BlsBn254MinSig, FORM) });
    assert_eq!((shape.mask_inputs(), shape.public_inputs()), (4..5, 5));
    let case = under(shape.clone(), &bytes(33));
    let public = case.statement.public_inputs();
    assert_eq!(public[4], Fr::from(0b101));
    let swapped = vec![public[0], public[1], public[4], public[2], public[3]];
    assert_accepts_its_own(&case.circuit().expect("it fits"), &shape, &public, &[swapped]);
}

/// A prover who checks nothing: signatures on other bytes than those whose digest is public.
#[test]
fn the_bytes_that_are_signed_are_those_of_the_digest() {
    let (message, other) = (bytes(33), bytes(32));
    let (case, theirs) = (case_of(&message), case_of(&other));
    let choices = Choices::new::<Bls<MinSigPopBn254>>(KeyKind::Coordinates, None, Some(FORM));
    let scheme = Bls::<MinSigPopBn254>::with(choices.expect("it has this form"));
    let holds = |written: &[u8], by: &Case, public: &Case| {
        let slot = |member: usize| {
            let entry = &case.committee.members()[member];
            let key = entry.public_key.of::<OwnedKey<MinSigPopBn254>>().expect("a key of BLS");
            let (public_key, path) = (key.coordinates(), Some(case.path(member)));
            threshold::Slot { index: member as u64, public_key, weight: entry.weight, path }
        };
        let Signatures::Aggregate { signature, members } = &by.signatures else {
            panic!("one by all")
        };
        let tree = case.shape.tree(&case.committee).expect("it fits");
        let inputs = BlsInputs::<MinSigPopBn254> {
            key_set_root: case.statement.key_set_root,
            threshold: case.statement.threshold,
            message: SignedBytes::new(written).into(),
            slots: members.iter().map(|member| slot(*member)).collect(),
            signatures: vec![signature.of().copied()],
            leaves: vec![],
            whole: *tree.whole().expect("keys add up"),
            rest: None,
            unused_key: vec![],
            mask: vec![],
        };
        let circuit = filled(&case.shape, &scheme, &inputs).0;
        is_satisfied(&circuit, &case.shape, public.statement.public_inputs())
    };
    assert!(holds(&message, &case, &case));
    assert!(holds(&other, &theirs, &theirs));
    assert!(!holds(&message, &theirs, &case));
    assert!(!holds(&other, &theirs, &case));
    // Longer than the circuit takes.
    let long = bytes(MOST + 1);
    assert!(!holds(&long, &case_of(&long), &case_of(&long)));
}

#[test]
fn messages_of_all_lengths_have_one_key() {
    let shape = shape();
    let mut circuits = vec![shape.keygen_circuit()];
    for length in [0, 32, MOST] {
        let case = case_of(&bytes(length));
        let circuit = case.circuit().expect("the signature is good");
        assert!(is_satisfied(&circuit, &shape, case.statement.public_inputs()), "{length}");
        circuits.push(circuit);
    }
    assert_one_key(&shape, &circuits);
}

/// Natively, which takes no circuit: lengths up to the bound, and every refusal.
#[test]
fn messages_are_judged_by_their_form() {
    let committee = committee::<MinPkPopBls12381>();
    let verdict = |form: MessageForm, bytes: &[u8], message: Message| {
        let terms = wanted(Scheme::BlsBls12381, form).terms().expect("it has this form");
        let key_set_root = terms.tree(&committee).expect("it fits").root();
        let statement = Statement { key_set_root, threshold: 2, message, signers: None };
        terms.verify(&statement, &committee, &signatures::<MinPkPopBls12381>(bytes)).map(drop)
    };
    let summaries = MessageForm::Sha256 { most: 1024 };
    for length in [0, 1, 31, 32, 33, 627, 1024] {
        let bytes = bytes(length);
        assert_eq!(verdict(summaries, &bytes, by_digest(&bytes)), Ok(()), "{length}");
    }
    let long = bytes(1025);
    let error = Err(Error::LongMessage { bytes: 1025, most: 1024 });
    assert_eq!(verdict(summaries, &long, by_digest(&long)), error);
    // 32 bytes that are public themselves are signed, too, but each form takes its own.
    let word: [u8; 32] = bytes(32).try_into().expect("as many");
    assert_eq!(verdict(MessageForm::Public, &word, word.into()), Ok(()));
    for (form, message) in [(MessageForm::Public, by_digest(&word)), (summaries, word.into())] {
        assert_eq!(verdict(form, &word, message), Err(Error::OtherForm(form)));
    }
    // Signatures on other bytes: one more, one less, and the digest in place of what it is of.
    let aggregate = Rejection::Aggregate { members: vec![0, 2], rule: SignatureError::Equation };
    let refused = Err(aggregate.into());
    let digest = SignedBytes::new(&word).digest();
    for signed in [&bytes(33)[..], &word[..31], &digest] {
        assert_eq!(verdict(summaries, signed, by_digest(&word)), refused);
    }
    assert_eq!(verdict(MessageForm::Public, &digest, word.into()), refused);
    let wrong = Err(Error::WrongMessage(Scheme::BlsBls12381));
    assert_eq!(verdict(summaries, &word, Fr::one().into()), wrong);
}

/// What commands read has no form yet.
#[test]
fn messages_are_stated_in_the_form_of_the_circuit() {
    let scheme = Scheme::BlsBls12381MinSig;
    let suite = |form| wanted(scheme, form).suite().expect("it has this form");
    let read = |bytes: &[u8]| scheme.message_from_bytes(bytes).expect("any bytes");
    let word = bytes(32);
    let digest = Message::Digest(word.clone().try_into().expect("32 bytes"));
    assert_eq!(read(&word), digest);
    assert_eq!(suite(MessageForm::Public).stated(&read(&word)), Ok(digest));
    assert_eq!(suite(FORM).stated(&read(&word)), Ok(by_digest(&word)));
    for length in [0, 31, 33, 627] {
        let bytes = bytes(length);
        assert_eq!(suite(FORM).stated(&read(&bytes)), Ok(by_digest(&bytes)));
        let refused = Err(Error::OtherLength(length));
        assert_eq!(suite(MessageForm::Public).stated(&read(&bytes)), refused);
    }
    let other = MessageForm::Bytes { most: 41 };
    assert_eq!(wanted(scheme, other).suite(), Err(Error::Form { scheme, form: other }));
    let points = wanted(Scheme::BlsBn254, FORM);
    assert_eq!(points.suite(), Err(Error::Form { scheme: Scheme::BlsBn254, form: FORM }));
}
