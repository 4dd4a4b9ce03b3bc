//! Schemes over curves of other fields: what is accepted, and what is refused by name.

use std::any::Any;

use halo2_base::halo2_proofs::halo2curves::ff::{Field, PrimeField};
use muster_gadgets::signature::{foreign::ExceptionalCase, instructions::Verified};
use muster_schemes::signature::{bip340, ecdsa};
use muster_schemes::{
    curve::weierstrass::{Address, Curve, Point, PointError},
    membership::{EmptyKind, EmptyPlace, KeySetError, PublicKey},
    signature::{
        ecdsa::{EcdsaP256, EcdsaSecp256k1},
        SignatureError, SignedMessage,
    },
};
use num_bigint::BigUint;

use super::*;
use crate::{KeyKind, Message, Rejection, Rule, Signature};

mod choices;
mod forged;
mod meetings;
mod whole_set;

/// The curve of a scheme.
fn curve_of(scheme: Scheme) -> Curve {
    if scheme == Scheme::EcdsaP256 {
        Curve::P256
    } else {
        Curve::Secp256k1
    }
}

/// 32 big-endian bytes.
fn to_bytes(number: &BigUint) -> [u8; 32] {
    let digits = number.to_bytes_be();
    let mut bytes = [0; 32];
    bytes[32 - digits.len()..].copy_from_slice(&digits);
    bytes
}

/// The circuit of `shape`, filled with these inputs, right or wrong, and whether there is a witness.
fn fill_foreign(
    shape: &Shape,
    inputs: &ForeignInputs,
) -> (GateCircuit, Result<(), ExceptionalCase>) {
    struct Fill<'a>(&'a Shape, &'a dyn Any);

    impl SchemeVisitor for Fill<'_> {
        type Output = (GateCircuit, Result<(), ExceptionalCase>);

        fn visit<S: SignatureInstructions>(self, scheme: S) -> Self::Output {
            let inputs = self.1.downcast_ref::<InputsOf<S>>().expect("inputs of the scheme");
            filled(self.0, &scheme, inputs)
        }
    }

    shape.suite().expect("a shape that was fitted").visit(Fill(shape, inputs))
}

/// All choices of scheme and naming.
pub(super) const KINDS: [(Scheme, KeyKind); 4] = [
    (Scheme::EcdsaSecp256k1, KeyKind::Coordinates),
    (Scheme::EcdsaSecp256k1, KeyKind::Address),
    (Scheme::EcdsaP256, KeyKind::Coordinates),
    (Scheme::SchnorrSecp256k1, KeyKind::Coordinates),
];
const DIGEST: [u8; 32] = [0xd1; 32];

/// The secret key of a member, by its number.
fn secret(number: u8) -> [u8; 32] {
    let mut bytes = [7; 32];
    bytes[31] = number;
    bytes
}

/// A member's key and signature of a digest.
fn signer(
    (scheme, keys): (Scheme, KeyKind),
    number: u8,
    digest: &[u8; 32],
) -> (PublicKey, Signature) {
    let secret = secret(number);
    let valid = "the secret key is below the order";
    match (scheme, keys) {
        (Scheme::SchnorrSecp256k1, _) => {
            let secret = bip340::SecretKey::from_bytes(&secret).expect(valid);
            (secret.public_key().into(), secret.sign(digest, &[0; 32]).into())
        }
        (Scheme::EcdsaP256, _) => {
            let secret = ecdsa::SecretKey::from_bytes(&secret).expect(valid);
            let (signature, _) = EcdsaP256::sign_recoverable(&secret, digest);
            (secret.public_key().into(), signature.into())
        }
        (_, KeyKind::Coordinates) => {
            let secret = ecdsa::SecretKey::from_bytes(&secret).expect(valid);
            let (signature, _) = EcdsaSecp256k1::sign_recoverable(&secret, digest);
            (secret.public_key().into(), signature.into())
        }
        (_, KeyKind::Address) => {
            let secret = ecdsa::SecretKey::from_bytes(&secret).expect(valid);
            let signature = EcdsaSecp256k1::sign_recoverable(&secret, digest);
            (secret.public_key().address().into(), signature.into())
        }
    }
}

fn wanted((scheme, keys): (Scheme, KeyKind)) -> Request {
    Request { keys, ..Request::new(scheme, 6, 3) }
}

/// A shape that is quick to check. The tables of Keccak take 7,776 rows.
pub(super) fn small((scheme, keys): (Scheme, KeyKind), capacity: usize, slots: usize) -> Request {
    let degree = (keys == KeyKind::Address).then_some(13);
    Request { keys, degree, ..Request::new(scheme, capacity, slots) }
}

/// Members of weight `1 + index` of whom some sign; the threshold is their weight.
fn foreign_case(kind: (Scheme, KeyKind), signers: &[usize]) -> Case {
    case_of(fit(&wanted(kind)), kind, signers)
}

/// The same under this shape.
pub(super) fn case_of(shape: Shape, kind: (Scheme, KeyKind), signers: &[usize]) -> Case {
    let members = (0..shape.capacity as u8).map(|i| (signer(kind, i, &DIGEST).0, 1 + u64::from(i)));
    let committee = Committee::new(&members.collect::<Vec<_>>()).expect("distinct keys");
    let list = signers.iter().map(|&i| (i, signer(kind, i as u8, &DIGEST).1)).collect();
    let mask = || SignerMask::new(shape.capacity, signers.iter().copied()).expect("members");
    let statement = Statement {
        key_set_root: shape.tree(&committee).expect("it fits").root(),
        threshold: signers.iter().map(|i| 1 + *i as u64).sum(),
        message: DIGEST.into(),
        signers: shape.mask.then(mask),
    };
    Case { shape, statement, committee, signatures: Signatures::Independent(list) }
}

impl Case {
    fn list(&mut self) -> &mut Vec<(usize, Signature)> {
        let Signatures::Independent(list) = &mut self.signatures else { unreachable!() };
        list
    }

    fn verdict(&self) -> Result<(), Error> {
        verify(&self.shape, &self.statement, &self.committee, &self.signatures)
    }

    #[track_caller]
    fn assert_rejected(&self, rejection: Rejection) {
        assert_eq!(self.verdict(), Err(Error::Rejected(rejection)));
    }

    /// What the circuit is filled with, for signatures that are good but perhaps under another root or
    /// threshold than the statement's.
    fn foreign(&self) -> ForeignInputs {
        struct Open<'a>(&'a Case);

        impl SchemeVisitor for Open<'_> {
            type Output = Option<Box<dyn Any>>;

            fn visit<S: SignatureInstructions>(self, scheme: S) -> Self::Output {
                let Case { shape, statement, committee, signatures } = self.0;
                let Signatures::Independent(list) = signatures else { return None };
                let mut list = list.clone();
                list.sort_by_key(|(member, _)| *member);
                let keys: Vec<_> =
                    list.iter().map(|(i, _)| committee.members()[*i].public_key.clone()).collect();
                let members = list.iter().map(|(member, _)| *member).collect::<Vec<_>>();
                let list: Vec<_> = list.into_iter().map(|(_, signature)| signature).collect();
                let message = S::Message::of(&statement.message)?;
                let Verified { keys, signatures } =
                    scheme.verify_all(&statement.key_set_root, &keys, &message, &list).ok()?;
                let is_path = shape.mode == Mode::Path;
                let slot = |(member, public_key): (usize, S::RawKey)| threshold::Slot {
                    index: member as u64,
                    public_key,
                    weight: committee.members()[member].weight,
                    path: is_path.then(|| self.0.path(member)),
                };
                let slots = members.into_iter().zip(keys).map(slot).collect();
                let (key_set_root, threshold) = (statement.key_set_root, statement.threshold);
                let leaves = if is_path { vec![] } else { committee.set().leaves() };
                let inputs: InputsOf<S> = threshold::Inputs {
                    key_set_root,
                    threshold,
                    message,
                    slots,
                    signatures,
                    leaves,
                    whole: Whole::default(),
                    rest: None,
                    unused_key: vec![],
                    mask: statement.signers.iter().flat_map(SignerMask::words).collect(),
                };
                Some(Box::new(inputs.padded(shape, &scheme)))
            }
        }

        let suite = self.shape.suite().expect("a shape that was fitted");
        let inputs = suite.visit(Open(self)).expect("the signatures are good");
        *inputs.downcast().expect("the scheme is over a curve of another field")
    }
}

#[test]
fn all_kinds_are_accepted() {
    // Each public input is altered once, under one kind.
    for (place, kind) in KINDS.into_iter().enumerate() {
        for signers in [&[3, 0, 5][..], &[2]] {
            assert_eq!(foreign_case(kind, signers).verdict(), Ok(()), "{kind:?}");
        }
        let mut case = foreign_case(kind, &[2]);
        case.shape = fit(&small(kind, 6, 1));
        assert_eq!(case.verdict(), Ok(()), "{kind:?}");
        let Case { shape, statement, .. } = &case;
        let circuit = || case.circuit().expect("it fits");
        let public = statement.public_inputs();
        assert_eq!(public.len(), 4);
        assert!(is_satisfied(&circuit(), shape, &public), "{kind:?}");
        let mut other = public;
        other[place] += Fr::one();
        assert!(!is_satisfied(&circuit(), shape, other), "{kind:?}");
    }
}

#[test]
fn inputs_are_those_of_the_members_and_then_of_the_padding_signer() {
    for kind in KINDS {
        let case = foreign_case(kind, &[4, 1]);
        let ForeignInputs { slots, signatures, threshold, message, .. } = case.foreign();
        assert_eq!((slots.len(), threshold, message), (3, 7, DIGEST));
        for (slot, index) in slots.iter().zip([1, 4]) {
            assert_eq!(slot.weight, 1 + index);
            let path = slot.path.as_ref().expect("a path");
            assert_eq!((path.path.index * 4 + path.position) as u64, index);
            assert_eq!(path.root(), case.statement.key_set_root);
        }
        let path = slots[2].path.as_ref().expect("a path");
        assert_eq!((slots[2].weight, &path.leaf.weights[..]), (0, &[0; 4][..]));
        let curve = curve_of(kind.0);
        let point = |(x, y): &RawKey| {
            Point::from_coordinates(curve, &to_bytes(x), &to_bytes(y)).expect("on the curve")
        };
        for (slot, signature) in slots.iter().zip(&signatures) {
            let (key, nonce) = (point(&slot.public_key), point(&signature.nonce));
            let path = slot.path.as_ref().expect("a path");
            let name = match kind.1 {
                KeyKind::Coordinates => PublicKey::from(key).name(),
                KeyKind::Address => PublicKey::from(key.address()).name(),
            };
            assert_eq!(path.leaf.keys[path.position][0], name);
            let s = &to_bytes(&signature.s);
            let (x, r) =
                (&to_bytes(&signature.nonce.0), &to_bytes(&(&signature.nonce.0 % curve.n())));
            if kind.0 == Scheme::SchnorrSecp256k1 {
                let signature = bip340::Signature::new(x, s).expect("well formed");
                assert_eq!(nonce, signature.nonce_point());
                let key = bip340::PublicKey::from_point(key).expect("on the curve");
                assert_eq!(bip340::Bip340::verify(&key, &DIGEST, &signature), Ok(()));
                assert!(!key.point().is_odd());
            } else {
                let signature = ecdsa::Signature::new(curve, r, s).expect("well formed");
                assert_eq!(ecdsa::nonce_point(&key, &DIGEST, &signature), Some(nonce));
            }
        }
        assert_eq!(point(&slots[2].public_key), Point::generator(curve));
    }
}

#[test]
fn signers_and_thresholds_that_do_not_count() {
    for kind in KINDS {
        let good = foreign_case(kind, &[1, 2]);
        let mut case = foreign_case(kind, &[1, 2]);
        case.list()[1].0 = 1;
        case.assert_rejected(Rejection::DuplicateSigner(1));
        case.list()[1].0 = 6;
        case.assert_rejected(Rejection::NotAMember { member: 6, members: 6 });
        let mut case = foreign_case(kind, &[1, 2]);
        for threshold in [0, 1 << 60] {
            case.statement.threshold = threshold;
            case.assert_rejected(Rejection::Threshold(threshold));
        }
        case.statement.threshold = 6;
        case.assert_rejected(Rejection::Weight { weight: 5, threshold: 6 });
        let mut case = foreign_case(kind, &[1, 2]);
        case.statement.key_set_root += Fr::one();
        case.assert_rejected(Rejection::Root);
        // More signatures than slots: the heaviest are taken.
        let mut case = good;
        let all = (0..4).map(|i| (i, signer(kind, i as u8, &DIGEST).1)).collect();
        *case.list() = all;
        case.statement.threshold = 9;
        assert_eq!(case.verdict(), Ok(()));
        case.statement.threshold = 10;
        let too_few = Error::TooFewSlots { signers: 4, slots: 3, weight: 9, threshold: 10 };
        assert_eq!(case.verdict(), Err(too_few));
    }
}

#[test]
fn signatures_of_something_or_somebody_else() {
    for kind in KINDS {
        // By another member.
        let mut case = foreign_case(kind, &[1, 2]);
        case.list()[0].1 = signer(kind, 3, &DIGEST).1;
        let equation = Rejection::Signature { member: 1, rule: SignatureError::Equation };
        match kind.1 {
            KeyKind::Coordinates => case.assert_rejected(equation.clone()),
            KeyKind::Address => {
                let members = case.committee.members();
                let address = |i: usize| *members[i].public_key.of::<Address>().unwrap();
                let (expected, found) = (address(1), address(3));
                case.assert_rejected(Rejection::Address { member: 1, expected, found });
            }
        }
        // Of another digest: the key that is recovered is anybody's.
        let mut case = foreign_case(kind, &[1]);
        case.statement.message = [0xd2; 32].into();
        match kind.1 {
            KeyKind::Coordinates => case.assert_rejected(equation),
            KeyKind::Address => assert!(matches!(
                case.verdict(),
                Err(Error::Rejected(Rejection::Address { member: 1, .. }))
            )),
        }
    }
}

/// An authority of BEEFY without an address weighs what it weighs, and nobody signs for it.
#[test]
fn nobody_signs_for_an_empty_place() {
    let kind = (Scheme::EcdsaSecp256k1, KeyKind::Address);
    let mut case = foreign_case(kind, &[1, 2]);
    let members = case.committee.members().iter();
    let mut members: Vec<_> = members.map(|one| (one.public_key.clone(), one.weight)).collect();
    let place = EmptyPlace::new(EmptyKind::Beefy, &[0; 20]).expect("no address");
    members[3].0 = place.at(3).into();
    case.committee = Committee::new(&members).expect("distinct names");
    assert_eq!(case.committee.set().total_weight(), 21);
    let root = case.shape.tree(&case.committee).expect("it fits").root();
    assert_ne!(root, case.statement.key_set_root);
    case.statement.key_set_root = root;
    assert_eq!(case.verdict(), Ok(()));
    case.list()[1] = (3, signer(kind, 3, &DIGEST).1);
    case.assert_rejected(Rejection::Signature { member: 3, rule: SignatureError::EmptyPlace });
}
