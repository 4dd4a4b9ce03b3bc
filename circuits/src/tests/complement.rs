//! The mode whose slots hold the members who did not sign: seven of eight keys of BLS, or none.

use halo2_base::halo2_proofs::halo2curves::ff::Field;
use muster_gadgets::{
    membership::PublicKey,
    signature::{
        bls::{
            member::{Bn254PublicKey, MemberInstructions, OwnedKey},
            ProvenBn254, ProvenPublicKey, ProvenSignature,
        },
        instructions::AddsKeys,
        SignedMessage,
    },
};

use super::{
    bls::{key, scalar, scheme, signed, BlsInputs, Signed},
    *,
};

/// The suite of tests that do not ask about another one.
type S = ProvenPublicKey;
type Scalar = <S as muster_gadgets::signature::bls::Groups>::Scalar;

/// Members of weight `1 + index` of whom some are absent; the threshold is the weight of all others.
fn case_of<S: MemberInstructions>(members: usize, slots: usize, absent: &[usize]) -> Signed<S> {
    let request = Request {
        absent: Some(slots),
        mode: Some(Mode::Complement),
        ..Request::new(S::SCHEME.parse().expect("a scheme"), members, members)
    };
    let (committee, message) = (committee::<S>(members, 0), S::Message::random(&mut rng(5)));
    let signers: Vec<_> = (0..members).filter(|member| !absent.contains(member)).collect();
    let scalars: Vec<_> = signers.iter().map(|member| scalar::<S>(*member as u64)).collect();
    let threshold = signers.iter().map(|member| 1 + *member as u64).sum();
    let signature = signed::<S>(&scalars, &message);
    let signatures = Signatures::Aggregate { members: signers, signature };
    let shape = fit(&request);
    let key_set_root = shape.tree(&committee).expect("it fits").root();
    let statement = Statement { key_set_root, threshold, message: message.to_message() };
    Signed { case: Case { shape, statement, committee, signatures }, message }
}

fn committee<S: MemberInstructions>(members: usize, first: u64) -> Committee {
    let member = |i: u64| (key::<S>(scalar::<S>(first + i)), 1 + i);
    Committee::new(&(0..members as u64).map(member).collect::<Vec<_>>()).expect("distinct keys")
}

/// The key of a secret that anybody may have.
fn key_of<S: MemberInstructions>(secret_key: S::Scalar) -> S::RawKey {
    key::<S>(secret_key).coordinates()
}

/// The sum of the secrets of all members but some.
fn all_but<S: MemberInstructions>(members: usize, absent: &[usize]) -> S::Scalar {
    let signers = (0..members).filter(|member| !absent.contains(member));
    signers.map(|member| scalar::<S>(member as u64)).sum()
}

/// What a prover fills in who says that `absent` did not sign, and signs with `rest` for all others.
fn inputs_of<S: MemberInstructions>(
    Signed { case, message }: &Signed<S>,
    absent: &[usize],
    rest: S::Scalar,
) -> BlsInputs<S> {
    let tree = case.shape.tree(&case.committee).expect("it fits");
    let slot = |member: &usize| {
        let entry = &case.committee.members()[*member];
        inputs::Slot {
            index: *member as u64,
            public_key: entry.public_key.of::<OwnedKey<S>>().expect("a key of BLS").coordinates(),
            weight: entry.weight,
            path: Some(case.path(*member)),
        }
    };
    let inputs = BlsInputs::<S> {
        key_set_root: case.statement.key_set_root,
        threshold: case.statement.threshold,
        message: message.clone(),
        slots: absent.iter().map(slot).collect(),
        signatures: vec![signed::<S>(&[rest], message).of().copied()],
        leaves: vec![],
        whole: *tree.whole().expect("keys add up"),
        rest: Some(key_of::<S>(rest)),
        unused_name: Fr::zero(),
    };
    inputs.padded(&case.shape, &scheme::<S>())
}

/// Two of eight absent, with a slot that is not used; none at all; three, which is as many as there are slots; and all but one.
/// Refused with any public input altered.
#[test]
fn the_rest_has_signed() {
    for (members, slots, absent) in
        [(8, 3, &[2, 5][..]), (8, 3, &[]), (8, 3, &[0, 6, 7]), (4, 3, &[0, 1, 3])]
    {
        let Signed { case, .. } = case_of::<S>(members, slots, absent);
        let Case { shape, statement, .. } = &case;
        assert_eq!((shape.mode, shape.slots), (Mode::Complement, slots));
        let (circuit, public) = (case.circuit().expect("it fits"), statement.public_inputs());
        assert!(is_satisfied(&circuit, shape, &public), "{absent:?}");
        if absent.len() < 2 {
            continue;
        }
        for place in 0..public.len() {
            let mut other = public.clone();
            other[place] += Fr::one();
            assert!(!is_satisfied(&circuit, shape, other), "{absent:?}: {place}");
        }
    }
}

/// One of four absent, and one slot that is not used; refused if nobody is named.
#[test]
fn the_rest_has_signed_in_other_suites() {
    fn holds<S: MemberInstructions>() {
        let (case, rest) = (case_of::<S>(4, 2, &[1]), all_but::<S>(4, &[1]));
        assert!(case.holds(&inputs_of::<S>(&case, &[1], rest)), "{}", S::SCHEME);
        assert!(!case.holds(&inputs_of::<S>(&case, &[], rest)), "{}", S::SCHEME);
    }
    holds::<ProvenSignature>();
    holds::<ProvenBn254>();
    holds::<Bn254PublicKey>();
}

/// What the forgeries below change.
#[test]
fn honest_inputs_hold() {
    let case = case_of::<S>(8, 3, &[2, 5]);
    let honest = inputs_of::<S>(&case, &[2, 5], all_but::<S>(8, &[2, 5]));
    assert!(case.holds(&honest));
    let own = case.case.witness().expect("it holds");
    assert_eq!(own.select(&case.case.shape).expect("slots").taken(), [0, 1, 3, 4, 6, 7]);
}

/// Whoever is in no slot has signed, and whoever is in one counts for nothing.
#[test]
fn nobody_counts_who_did_not_sign() {
    let case = case_of::<S>(8, 3, &[2, 5]);
    let honest = all_but::<S>(8, &[2, 5]);
    // Member 5 is not named, with the key of those who signed and with that of all others.
    let mut forged = inputs_of::<S>(&case, &[2], honest);
    assert!(!case.holds(&forged));
    forged.rest = Some(key_of::<S>(all_but::<S>(8, &[2])));
    assert!(!case.holds(&forged));
    // Member 5 is in a slot without a weight.
    forged = inputs_of::<S>(&case, &[2], honest);
    let key = case.case.committee.members()[5].public_key.clone();
    let raw = scheme::<S>().key_of(&[&key]).expect("a key");
    forged.slots[1] = inputs::Slot::unused(&case.case.shape, 1, raw, key.name());
    assert!(!case.holds(&forged));
    // A threshold that they do not reach together.
    let mut forged = inputs_of::<S>(&case, &[2, 5], honest);
    forged.threshold += 1;
    let mut claim = case;
    claim.case.statement.threshold += 1;
    assert!(!claim.holds(&forged));
}

/// Members 2, 5 and 6, or 2 and 5 and 5 once more, while all but 2 and 5 signed; and by whoever knows all secrets.
#[test]
fn the_absent_are_those_who_did_not_sign() {
    let mut case = case_of::<S>(8, 3, &[2, 5, 6]);
    case.case.statement.threshold = 1;
    for absent in [[2, 5, 6], [2, 5, 5]] {
        let is_honest = absent[2] == 6;
        let twice = if is_honest { Scalar::ZERO } else { scalar::<S>(5) };
        let rest = all_but::<S>(8, &absent) - twice;
        assert_eq!(case.holds(&inputs_of::<S>(&case, &absent, rest)), is_honest);
        let mut others = inputs_of::<S>(&case, &absent, all_but::<S>(8, &[2, 5]));
        assert!(!case.holds(&others));
        others.rest = Some(key_of::<S>(rest));
        assert!(!case.holds(&others));
    }
}

/// The key of the rest has somebody's own secret, and what is in a slot makes up for it.
#[test]
fn no_key_is_made_up() {
    let case = case_of::<S>(8, 3, &[2, 5]);
    let own = scalar::<S>(77);
    let made_up = all_but::<S>(8, &[2, 5]) - own;
    let name = PublicKey::from(key::<S>(made_up)).name();
    // In a slot that weighs nothing, so that it is not used: the circuit takes a generator from the rest for it.
    let mut forged = inputs_of::<S>(&case, &[2, 5], own + Scalar::ONE);
    forged.slots[2] = inputs::Slot::unused(&case.case.shape, 2, key_of::<S>(made_up), name);
    assert!(!case.holds(&forged));
    // In the place of a member's.
    let mut forged = inputs_of::<S>(&case, &[2, 5], own);
    forged.slots[1].public_key = key_of::<S>(made_up + scalar::<S>(5));
    assert!(!case.holds(&forged));
    // Nowhere: the sum is another one.
    assert!(!case.holds(&inputs_of::<S>(&case, &[2, 5], own)));
}

/// Each part of the root by itself, and that of another set.
#[test]
fn the_root_says_what_all_come_to() {
    let case = case_of::<S>(8, 3, &[2, 5]);
    let honest = inputs_of::<S>(&case, &[2, 5], all_but::<S>(8, &[2, 5]));
    let own = scalar::<S>(77);
    let mut forged = inputs_of::<S>(&case, &[2, 5], own);
    let sum = own + scalar::<S>(2) + scalar::<S>(5) + Scalar::ONE;
    forged.rest = Some(key_of::<S>(own + Scalar::ONE));
    forged.signatures = vec![signed::<S>(&[own + Scalar::ONE], &case.message).of().copied()];
    forged.whole.key = PublicKey::from(key::<S>(sum)).name();
    assert!(!case.holds(&forged));
    // A root of such parts is that of no committee.
    let mut other = case_of::<S>(8, 3, &[2, 5]);
    other.case.statement.key_set_root = forged.whole.root();
    assert_eq!(other.case.witness().err(), Some(crate::Rejection::Root.into()));
    let mut heavier = honest.clone();
    heavier.whole.weight += 1;
    heavier.threshold += 1;
    let mut claim = case_of::<S>(8, 3, &[2, 5]);
    claim.case.statement.threshold += 1;
    assert!(!claim.holds(&heavier));
    // Members of another set, with the same keys and other weights.
    let mut foreign = case_of::<S>(8, 3, &[2, 5]);
    foreign.case.committee = committee::<S>(8, 8);
    let mut forged = honest.clone();
    forged.slots[1].path = Some(foreign.case.path(5));
    assert!(!case.holds(&forged));
    forged = inputs_of::<S>(&foreign, &[2, 5], all_but::<S>(8, &[2, 5]));
    forged.whole = honest.whole;
    assert!(!case.holds(&forged));
}

#[test]
fn more_absent_than_slots() {
    let case = case_of::<S>(8, 3, &[0, 2, 5, 6]);
    assert!(case.case.witness().is_ok());
    assert_eq!(case.case.circuit().err(), Some(Error::TooManyAbsent { absent: 4, slots: 3 }));
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
            // It may be known all the same how many will be absent.
            let mut shape = fit(&Request { mode: None, degree: None, ..request });
            assert!(!shape.mode.holds_absent(), "{scheme}");
            shape.mode = Mode::Complement;
            assert_eq!(shape.check(), Err(Error::Mode(*scheme)));
        }
    }
    let request = |absent, slots| Request {
        absent,
        mode: Some(Mode::Complement),
        ..Request::new(Scheme::BlsBls12381, 4, slots)
    };
    assert_eq!(Shape::fit(&request(None, 2)), Err(Error::NoAbsent));
    assert_eq!(Shape::fit(&request(Some(crate::MAX_SLOTS + 1), 2)), Err(Error::Slots));
}
