//! The mode whose slots hold the members who did not sign, of BLS.

use halo2_base::halo2_proofs::halo2curves::ff::Field;
use muster_gadgets::signature::{bls::member::CiphersuiteChip, instructions::AddsKeys};
use muster_schemes::{
    membership::PublicKey,
    signature::{
        bls::{
            member::{MinPkBn254, OwnedKey},
            Ciphersuite, MinPkPopBls12381, MinSigPopBls12381, MinSigPopBn254,
        },
        SignedMessage,
    },
};
use muster_testing::sampled;

use super::{
    bls::{key, scalar, scheme, signed, BlsInputs, Signed},
    *,
};

type RawKey<S> = <S as Ciphersuite>::RawKey;

/// Slots for so many absent of so many members.
pub(super) fn wanted(scheme: Scheme, members: usize, slots: usize) -> Request {
    Request { absent: Some(slots), ..request(scheme, members, members, Mode::Complement) }
}

/// Members of weight `1 + index` of whom some are absent; the threshold is the weight of all others.
pub(super) fn case_of<S: CiphersuiteChip>(
    members: usize,
    slots: usize,
    absent: &[usize],
) -> Signed<S> {
    let scheme: Scheme = S::SCHEME.parse().expect("a scheme");
    under(fit(&wanted(scheme, members, slots)), members, absent)
}

/// The same under this shape.
pub(super) fn under<S: CiphersuiteChip>(
    shape: Shape,
    members: usize,
    absent: &[usize],
) -> Signed<S> {
    let committee = committee::<S>(members, |member| 1 + member);
    let signers: Vec<_> = (0..members).filter(|member| !absent.contains(member)).collect();
    let scalars: Vec<_> = signers.iter().map(|member| scalar::<S>(*member as u64)).collect();
    let message = S::Message::random(&mut rng(6));
    let mask = SignerMask::new(shape.capacity, signers.iter().copied()).expect("members");
    let statement = Statement {
        key_set_root: shape.tree(&committee).expect("it fits").root(),
        threshold: signers.iter().map(|member| 1 + *member as u64).sum(),
        message: message.to_message(),
        signers: shape.mask.then_some(mask),
    };
    let signature = signed::<S>(&scalars, &message);
    let signatures = Signatures::Aggregate { members: signers, signature };
    Signed { case: Case { shape, statement, committee, signatures }, message }
}

/// Two of eight with three slots.
fn two_of_eight<S: CiphersuiteChip>() -> Signed<S> {
    case_of(8, 3, &[2, 5])
}

fn committee<S: CiphersuiteChip>(members: usize, weight: fn(u64) -> u64) -> Committee {
    let member = |i: u64| (key::<S>(scalar::<S>(i)), weight(i));
    Committee::new(&(0..members as u64).map(member).collect::<Vec<_>>()).expect("distinct keys")
}

/// The sum of the secrets of all of eight members but some.
fn all_but<S: CiphersuiteChip>(absent: &[usize]) -> S::Scalar {
    let signers = (0..8).filter(|member| !absent.contains(member));
    signers.map(|member| scalar::<S>(member as u64)).sum()
}

fn name<S: CiphersuiteChip>(secret: S::Scalar) -> Fr {
    PublicKey::from(key::<S>(secret)).name()
}

impl<S: CiphersuiteChip> Signed<S> {
    /// What a prover fills in who says that these did not sign, and signs with `rest` for all others.
    pub(super) fn without(&self, absent: &[usize], rest: S::Scalar) -> BlsInputs<S> {
        let case = &self.case;
        let tree = case.shape.tree(&case.committee).expect("it fits");
        let slot = |member: &usize| {
            let entry = &case.committee.members()[*member];
            let key = entry.public_key.of::<OwnedKey<S>>().expect("a key of BLS");
            let (public_key, path) = (key.coordinates(), Some(case.path(*member)));
            threshold::Slot { index: *member as u64, public_key, weight: entry.weight, path }
        };
        let inputs = BlsInputs::<S> {
            key_set_root: case.statement.key_set_root,
            threshold: case.statement.threshold,
            message: self.message.clone(),
            slots: absent.iter().map(slot).collect(),
            signatures: vec![signed::<S>(&[rest], &self.message).of().copied()],
            leaves: vec![],
            whole: *tree.whole().expect("keys add up"),
            rest: Some(self.key(rest, absent.len())),
            unused_key: vec![],
            mask: case.statement.signers.iter().flat_map(SignerMask::words).collect(),
        };
        inputs.padded(&case.shape, &scheme::<S>())
    }

    /// The key of a secret, less the generator in each slot behind so many.
    fn key(&self, secret: S::Scalar, used: usize) -> RawKey<S> {
        let key = PublicKey::from(key::<S>(secret));
        scheme::<S>().key_of(&[&key], self.case.shape.slots - used).expect("a key")
    }
}

/// Two of eight absent, with a slot that is not used; none at all; three, which is as many as there are slots; and all but one.
/// Refused with any public input altered.
#[test]
fn the_rest_has_signed() {
    let cases = [(8, 3, &[][..]), (8, 3, &[0, 6, 7]), (4, 3, &[0, 1, 3])];
    for (members, slots, absent) in sampled(cases, 2) {
        let honest = case_of::<MinPkPopBls12381>(members, slots, absent).case;
        let public = vec![honest.statement.public_inputs()];
        let circuit = honest.circuit().expect("it fits");
        let judge = Judge::new(honest.shape.degree(), &circuit, public);
        assert!(judge.failures().is_empty(), "{absent:?}");
    }
    let suites: [fn(); 4] = [
        accepts_its_own::<MinPkPopBls12381>,
        accepts_its_own::<MinSigPopBls12381>,
        accepts_its_own::<MinSigPopBn254>,
        accepts_its_own::<MinPkBn254>,
    ];
    sampled(suites, 4).into_iter().for_each(|accepts| accepts());
}

fn accepts_its_own<S: CiphersuiteChip>() {
    let Case { shape, statement, .. } = &two_of_eight::<S>().case;
    assert_eq!((shape.mode, shape.slots), (Mode::Complement, 3));
    let witness = two_of_eight::<S>().case.witness().expect("it holds");
    assert_eq!(witness.select(shape).expect("slots").taken(), [0, 1, 3, 4, 6, 7]);
    let circuit = shape.circuit(&witness, false).expect("it fits");
    assert_accepts_its_own(&circuit, shape, &statement.public_inputs(), &[]);
}

/// Whoever is in no slot has signed, and whoever is in one counts for nothing.
#[test]
fn nobody_counts_who_did_not_sign() {
    type S = MinPkPopBls12381;
    let mut case = two_of_eight::<S>();
    let honest = all_but::<S>(&[2, 5]);
    assert!(case.holds(&case.without(&[2, 5], honest)));
    // Member 5 is not named, with the key of those who signed and with that of all others.
    let mut forged = case.without(&[2], honest);
    assert!(!case.holds(&forged));
    forged.rest = Some(case.key(all_but::<S>(&[2]), 1));
    assert!(!case.holds(&forged));
    // Member 5 is in a slot without a weight, for which the circuit takes a message's point from the signature.
    let member = &case.case.committee.members()[5].public_key;
    let own = scheme::<S>().key_of(&[member], 0).expect("a key");
    forged = case.without(&[2], honest + <S as Ciphersuite>::Scalar::ONE);
    let parts = member.of::<OwnedKey<S>>().expect("a key of BLS").parts();
    forged.slots[1] = threshold::Slot::unused(&case.case.shape, 1, own, &parts);
    forged.rest = Some(case.key(honest, 2));
    assert!(!case.holds(&forged));
    // A threshold that they do not reach together.
    let mut forged = case.without(&[2, 5], honest);
    forged.threshold += 1;
    case.case.statement.threshold += 1;
    assert!(!case.holds(&forged));
}

/// Members 2, 5 and 6, or 2 and 5 and 5 once more, while all but 2 and 5 signed; and by whoever knows all secrets.
#[test]
fn the_absent_are_those_who_did_not_sign() {
    let suites: [fn(); 2] =
        [names_the_absent::<MinPkPopBls12381>, names_the_absent::<MinSigPopBn254>];
    sampled(suites, 2).into_iter().for_each(|names| names());
}

fn names_the_absent<S: CiphersuiteChip>() {
    let mut case = case_of::<S>(8, 3, &[2, 5, 6]);
    case.case.statement.threshold = 1;
    for absent in [[2, 5, 6], [2, 5, 5]] {
        let is_honest = absent[2] == 6;
        let twice = if is_honest { S::Scalar::ZERO } else { scalar::<S>(5) };
        let rest = all_but::<S>(&absent) - twice;
        assert_eq!(case.holds(&case.without(&absent, rest)), is_honest, "{}", S::SCHEME);
        let mut others = case.without(&absent, all_but::<S>(&[2, 5]));
        assert!(!case.holds(&others), "{} {absent:?}", S::SCHEME);
        others.rest = Some(case.key(rest, 3));
        assert!(!case.holds(&others), "{} {absent:?}", S::SCHEME);
    }
}

/// The key of the rest has somebody's own secret, and what is in a slot makes up for it.
#[test]
fn no_key_is_made_up() {
    let refusals: [fn(); 2] =
        [refuses_made_up_keys::<MinPkPopBls12381>, refuses_made_up_keys::<MinSigPopBls12381>];
    sampled(refusals, 2).into_iter().for_each(|refuses| refuses());
}

fn refuses_made_up_keys<S: CiphersuiteChip>() {
    let case = two_of_eight::<S>();
    let own = scalar::<S>(77);
    let made_up = all_but::<S>(&[2, 5]) - own;
    // In a slot that weighs nothing: the circuit takes a message's point from the signature for it.
    let mut forged = case.without(&[2, 5], own + S::Scalar::ONE);
    let slot = case.key(made_up, 3);
    let parts = key::<S>(made_up).parts();
    forged.slots[2] = threshold::Slot::unused(&case.case.shape, 2, slot, &parts);
    assert!(!case.holds(&forged), "{}", S::SCHEME);
    // In the place of a member's.
    let mut forged = case.without(&[2, 5], own);
    forged.slots[1].public_key = case.key(made_up + scalar::<S>(5), 3);
    assert!(!case.holds(&forged), "{}", S::SCHEME);
    // Nowhere: the sum is another one.
    assert!(!case.holds(&case.without(&[2, 5], own)), "{}", S::SCHEME);
}

/// Each part of the root by itself, and that of another set.
#[test]
fn the_root_says_what_all_come_to() {
    type S = MinPkPopBls12381;
    let mut case = two_of_eight::<S>();
    let honest = case.without(&[2, 5], all_but::<S>(&[2, 5]));
    let own = scalar::<S>(77);
    let mut forged = case.without(&[2, 5], own);
    forged.whole.key = name::<S>(own + scalar::<S>(2) + scalar::<S>(5));
    assert!(!case.holds(&forged));
    // A root of such parts, for which it would hold, is that of no committee.
    let mut other = two_of_eight::<S>();
    other.case.statement.key_set_root = forged.whole.root();
    forged.key_set_root = forged.whole.root();
    assert!(other.holds(&forged));
    assert_eq!(other.case.witness().err(), Some(crate::Rejection::Root.into()));
    // The same members with less weight, in another set.
    let foreign = Case { committee: committee::<S>(8, |_| 1), ..two_of_eight::<S>().case };
    let mut forged = honest.clone();
    forged.slots[1].path = Some(foreign.path(5));
    assert!(!case.holds(&forged));
    let foreign = Signed { case: foreign, message: case.message.clone() };
    let mut forged = foreign.without(&[2, 5], all_but::<S>(&[2, 5]));
    forged.whole = honest.whole;
    assert!(!case.holds(&forged));
    // More weight than all have.
    let mut heavier = honest;
    heavier.whole.weight += 1;
    heavier.threshold += 1;
    case.case.statement.threshold += 1;
    assert!(!case.holds(&heavier));
}

#[test]
fn more_absent_than_slots() {
    let Signed { case, .. } = case_of::<MinPkPopBls12381>(8, 3, &[0, 2, 5, 6]);
    assert!(case.witness().is_ok());
    assert_eq!(case.circuit().err(), Some(Error::TooManyAbsent { absent: 4, slots: 3 }));
}

#[test]
fn only_keys_that_add_up_have_a_complement() {
    for scheme in Scheme::ALL {
        let request = Request {
            absent: Some(2),
            mode: Some(Mode::Complement),
            ..Request::new(*scheme, 4, 2)
        };
        let shape = Shape::fit(&request);
        assert_eq!(shape.is_ok(), scheme.adds_keys(), "{scheme}");
        if !scheme.adds_keys() {
            assert_eq!(shape, Err(Error::Mode(*scheme)));
            let shape = Shape { mode: Mode::Complement, ..fit(&Request::new(*scheme, 4, 2)) };
            assert_eq!(shape.check(), Err(Error::Mode(*scheme)));
        }
    }
    // It may be known all the same how many will be absent.
    let known = Request { absent: Some(2), ..Request::new(Scheme::Schnorr, 4, 2) };
    assert!(!fit(&known).mode.holds_absent());
    let request = |absent, slots| Request {
        absent,
        mode: Some(Mode::Complement),
        ..Request::new(Scheme::BlsBls12381, 4, slots)
    };
    assert_eq!(Shape::fit(&request(None, 2)), Err(Error::NoAbsent));
    assert_eq!(Shape::fit(&request(Some(crate::MAX_SLOTS + 1), 2)), Err(Error::Slots));
}
