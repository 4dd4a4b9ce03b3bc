//! Committees in which a key has several seats.

use muster_schemes::{
    curve::edwards::Scalar,
    membership::{KeySetError, Seats},
    signature::{
        bls::{
            member::{MinPkBn254, OwnedKey},
            Ciphersuite,
        },
        SignatureError, SignedMessage,
    },
};
use muster_testing::sampled;

use super::{
    bls::{key, scalar, signed, Signed},
    *,
};
use crate::{Rejection, Suite};

type S = MinPkBn254;

/// Whose key each member has: members 1 and 2 are seats of one.
const OWNERS: [u64; 4] = [0, 1, 1, 2];
const ALL: [Mode; 3] = [Mode::Path, Mode::WholeSet, Mode::Complement];

fn members() -> Vec<(OwnedKey<S>, u64)> {
    let members = OWNERS.into_iter().zip(1..);
    members.map(|(owner, weight)| (key::<S>(scalar::<S>(owner)), weight)).collect()
}

/// The secrets of these owners, each as often as it is there.
fn secrets(owners: &[u64]) -> Vec<<S as Ciphersuite>::Scalar> {
    owners.iter().map(|owner| scalar::<S>(*owner)).collect()
}

/// Slots for three signers, or for two who are absent.
fn wanted(mode: Mode) -> Request {
    let absent = (mode == Mode::Complement).then_some(2);
    Request { absent, ..request(Scheme::BlsBn254, 4, 3, mode) }
}

/// These members sign, of weight `1 + index`; the threshold is what they weigh.
fn case_of(mode: Mode, signers: &[usize]) -> Signed<S> {
    under(fit(&wanted(mode)), signers)
}

/// The same under this shape.
fn under(shape: Shape, signers: &[usize]) -> Signed<S> {
    let message = SignedMessage::random(&mut rng(7));
    let committee = Committee::with_seats(&members(), Seats::Several).expect("keys add up");
    let owners: Vec<_> = signers.iter().map(|member| OWNERS[*member]).collect();
    let signature = signed::<S>(&secrets(&owners), &message);
    let signatures = Signatures::Aggregate { members: signers.to_vec(), signature };
    let mask = || SignerMask::new(OWNERS.len(), signers.iter().copied()).expect("members");
    let statement = Statement {
        key_set_root: shape.tree(&committee).expect("it fits").root(),
        threshold: signers.iter().map(|member| 1 + *member as u64).sum(),
        message: message.to_message(),
        signers: shape.mask.then(mask),
    };
    Signed { case: Case { shape, statement, committee, signatures }, message }
}

impl Signed<S> {
    /// Whether a signature by these owners is accepted for the members who are counted: natively and in circuit alike.
    fn holds_by_owners(&self, owners: &[u64]) -> bool {
        let secrets = secrets(owners);
        let signature = signed::<S>(&secrets, &self.message);
        let Case { shape, statement, committee, signatures } = &self.case;
        let members = signatures.members();
        let holds = if shape.mode.holds_absent() {
            let absent: Vec<_> = (0..4).filter(|member| !members.contains(member)).collect();
            self.holds(&self.without(&absent, secrets.into_iter().sum()))
        } else {
            self.holds(&self.inputs(&signature))
        };
        let signatures = Signatures::Aggregate { members: members.clone(), signature };
        let rejection = Rejection::Aggregate { members, rule: SignatureError::Equation };
        let said = verify(shape, statement, committee, &signatures);
        assert_eq!(said.err(), (!holds).then(|| rejection.into()), "{:?} {owners:?}", shape.mode);
        holds
    }
}

#[test]
fn a_key_has_several_seats_only_if_that_is_asked_for_and_keys_add_up() {
    let expected = KeySetError::DuplicateKey { first: 1, second: 2 };
    assert_eq!(Committee::new(&members()).err(), Some(expected.into()));
    let point = SubgroupPoint::mul_generator(&Scalar::from(1_000)).expect("not zero");
    for members in [&[(point, 1)][..], &[(point, 1), (point, 2)]] {
        let refused = Committee::with_seats(members, Seats::Several).err();
        assert_eq!(refused, Some(KeySetError::Seats.into()));
    }
}

/// By both seats of a key, by one, and by none.
#[test]
fn seats_sign() {
    let signing = [&[1, 2, 3][..], &[2, 3], &[0, 3]];
    let cases = ALL.into_iter().flat_map(|mode| signing.map(|signers| (mode, signers)));
    for (mode, signers) in sampled(cases, 3) {
        let case = case_of(mode, signers).case;
        let (circuit, public) = (case.circuit(), case.statement.public_inputs());
        let circuit = circuit.expect("it fits");
        assert!(is_satisfied(&circuit, &case.shape, public), "{mode:?} {signers:?}");
    }
}

/// A mask has a bit for each seat: where a key signs for one of two it says for which.
#[test]
fn seats_are_named_one_by_one() {
    for mode in ALL {
        let shape = fit(&Request { mask: true, ..wanted(mode) });
        let signing = [(&[1, 3][..], 0b1010), (&[2, 3], 0b1100), (&[1, 2, 3], 0b1110)];
        for (signers, word) in sampled(signing, 3) {
            let case = under(shape.clone(), signers).case;
            let public = case.statement.public_inputs();
            let named = |word: u64| {
                let mut other = public.clone();
                other[shape.mask_inputs()].copy_from_slice(&[Fr::from(word)]);
                other
            };
            assert_eq!(named(word), public);
            let others: Vec<_> = (0..16).filter(|other| *other != word).map(named).collect();
            assert_accepts_its_own(&case.circuit().expect("it fits"), &shape, &public, &others);
        }
    }
}

/// A key is in the signature as often as seats of it are counted.
#[test]
fn seats_count_as_often_as_their_key_signs() {
    for mode in sampled(ALL, 2) {
        let both = case_of(mode, &[1, 2, 3]);
        assert!(both.holds_by_owners(&[1, 1, 2]), "{mode:?}");
        assert!(!both.holds_by_owners(&[1, 2]), "{mode:?}: once");
        assert!(!both.holds_by_owners(&[1, 1, 1, 2]), "{mode:?}: thrice");
        let one = case_of(mode, &[2, 3]);
        assert!(one.holds_by_owners(&[1, 2]), "{mode:?}");
        assert!(!one.holds_by_owners(&[1, 1, 2]), "{mode:?}: twice");
        assert!(!one.holds_by_owners(&[2]), "{mode:?}: not at all");
    }
}

/// A seat at a time, so that a key is there once for each of its seats.
#[test]
fn single_signatures_add_up() {
    let Signed { case, message } = case_of(Mode::Complement, &[1, 2, 3]);
    let Case { shape, statement, committee, .. } = &case;
    let one = |(member, owner): (usize, u64)| (member, signed::<S>(&secrets(&[owner]), &message));
    let add = |suite: Suite, signed: &[(usize, u64)]| {
        let signed: Vec<_> = signed.iter().copied().map(one).collect();
        suite.add_up(committee, &statement.message, &signed)
    };
    let suite = shape.scheme.suite();
    let sum = add(suite, &[(3, 2), (1, 1), (2, 1)]).expect("all signed");
    assert_eq!(sum.members(), [3, 1, 2]);
    assert_eq!(verify(shape, statement, committee, &sum), Ok(()));
    let refused = |signed: &[(usize, u64)]| match add(suite, signed) {
        Err(Error::Rejected(rejection)) => rejection,
        other => panic!("{other:?}"),
    };
    let rule = SignatureError::Equation;
    assert_eq!(refused(&[(2, 1), (3, 1)]), Rejection::Signature { member: 3, rule });
    assert_eq!(refused(&[(2, 1), (2, 1)]), Rejection::DuplicateSigner(2));
    assert_eq!(refused(&[(4, 1)]), Rejection::NotAMember { member: 4, members: 4 });
    for scheme in [Scheme::Schnorr, Scheme::Musig, Scheme::BlsBn254MinSig] {
        assert!(add(scheme.suite(), &[(2, 1)]).is_err(), "{scheme}");
    }
}

/// One seat in two slots, where both together have enough weight and the signature is right.
#[test]
fn a_seat_is_in_one_slot() {
    for mode in [Mode::Path, Mode::WholeSet] {
        let mut claimed = case_of(mode, &[1, 2, 3]);
        let signature = signed::<S>(&secrets(&[1, 1, 2]), &claimed.message);
        assert!(claimed.holds(&claimed.inputs(&signature)), "{mode:?}");
        let (members, signature) = (vec![2, 2, 3], signature);
        claimed.case.signatures = Signatures::Aggregate { members, signature: signature.clone() };
        assert!(!claimed.holds(&claimed.inputs(&signature)), "{mode:?}");
        let rejection = Rejection::DuplicateSigner(2);
        assert_eq!(claimed.case.witness().err(), Some(rejection.into()));
    }
    let claimed = case_of(Mode::Complement, &[0, 3]);
    for (absent, holds) in [([1, 2], true), ([1, 1], false)] {
        let rest = secrets(&[0, 2]).into_iter().sum();
        assert_eq!(claimed.holds(&claimed.without(&absent, rest)), holds, "{absent:?}");
    }
}

/// Seats of one key have weights of their own.
#[test]
fn a_seat_has_its_own_weight() {
    let mut claimed = case_of(Mode::WholeSet, &[1, 3]);
    let signature = signed::<S>(&secrets(&[1, 2]), &claimed.message);
    let mut forged = claimed.inputs(&signature);
    assert!(claimed.holds(&forged));
    // That of member 2.
    forged.slots[0].weight += 1;
    claimed.case.statement.threshold += 1;
    forged.threshold += 1;
    assert!(!claimed.holds(&forged));
}
