//! A scheme that only tests have, and that nothing in this crate treats in a way of its own.

use muster_schemes::signature::SignatureError;

use super::{preimage::Preimage, *};
use crate::{Rejection, Signature};

/// Members 1 and 3 of four sign, each of weight 1.
fn case_of(mode: Mode) -> Case {
    let shape = fit(&request(Scheme::Preimage, 4, 3, mode));
    let mut rng = rng(7);
    let secrets: Vec<_> = (0..4).map(|_| Preimage::keygen(&mut rng)).collect();
    let members: Vec<_> = secrets.iter().map(|key| (Preimage::public_key(key), 1)).collect();
    let committee = Committee::new(&members).expect("distinct keys");
    let message = Fr::from(0xfeed);
    let mut sign = |member: usize| -> (usize, Signature) {
        (member, Preimage::sign(&secrets[member], &message, &mut rng).into())
    };
    let signatures = Signatures::Independent(vec![sign(1), sign(3)]);
    let key_set_root = shape.tree(&committee).expect("it fits").root();
    let message = message.into();
    let statement = Statement { key_set_root, threshold: 2, message, signers: None };
    Case { shape, statement, committee, signatures }
}

fn list(case: &mut Case) -> &mut [(usize, Signature)] {
    match &mut case.signatures {
        Signatures::Independent(list) => list,
        Signatures::Aggregate { .. } => panic!("an aggregate"),
    }
}

#[test]
fn a_new_scheme_goes_all_the_way() {
    assert_eq!("toy-preimage".parse(), Ok(Scheme::Preimage));
    assert!(Scheme::Preimage.description().equation.contains("muster.toy.preimage.v1"));
    let suite = Scheme::Preimage.suite();
    for mode in [Mode::Path, Mode::WholeSet] {
        let mut case = case_of(mode);
        assert_eq!(case.shape.mode, mode);
        for member in case.committee.members() {
            let bytes = suite.encode_key(&member.public_key).expect("a key of the scheme");
            assert_eq!(suite.decode_key(&bytes).as_ref(), Ok(&member.public_key));
        }
        for (_, signature) in list(&mut case) {
            *signature = suite.decode_signature(&signature.to_bytes()).expect("it was encoded");
        }
        let circuit = case.circuit().expect("the signatures are good");
        let public = case.statement.public_inputs();
        assert_accepts_its_own(&circuit, &case.shape, &public, &[]);
        case.statement.threshold = 3;
        let weight = Rejection::Weight { weight: 2, threshold: 3 };
        assert_eq!(case.witness().err(), Some(weight.into()));
    }
}

#[test]
fn its_bad_signatures_are_named() {
    let suite = Scheme::Preimage.suite();
    let mut case = case_of(Mode::Path);
    let (member, signature) = &mut list(&mut case)[0];
    let mut bytes = signature.to_bytes();
    bytes[31] ^= 1;
    *signature = suite.decode_signature(&bytes).expect("an element");
    let rule = SignatureError::Equation;
    let bad = Rejection::Signature { member: *member, rule };
    assert_eq!(case.witness().err(), Some(bad.into()));
    let rule = suite.decode_signature(&[0xff; 32]).err();
    assert_eq!(rule, Some(SignatureError::ScalarNotReduced));
}
