//! The mode whose slots hold the members who did not sign: seven of eight keys of BLS, or none.

use halo2_base::halo2_proofs::halo2curves::{bls12_381, ff::Field};
use muster_gadgets::{
    curve::pairing::BasePoint,
    membership::PublicKey,
    signature::{bls::member::OwnedKey, instructions::AddsKeys},
};

use super::{
    bls::{holds, scalar, scheme, secret, signed, BlsInputs, MESSAGE},
    *,
};

/// Members of weight `1 + index` of whom some are absent; the threshold is the weight of all others.
fn case_of(members: usize, slots: usize, absent: &[usize]) -> Case {
    let request = Request {
        absent: Some(slots),
        mode: Some(Mode::Complement),
        ..Request::new(Scheme::BlsBls12381, members, members)
    };
    let committee = committee(members, 0);
    let signers: Vec<_> = (0..members).filter(|member| !absent.contains(member)).collect();
    let scalars: Vec<_> = signers.iter().map(|member| scalar(*member as u64)).collect();
    let threshold = signers.iter().map(|member| 1 + *member as u64).sum();
    let signatures = Signatures::Aggregate { members: signers, signature: signed(&scalars) };
    let shape = fit(&request);
    let key_set_root = shape.tree(&committee).expect("it fits").root();
    let statement = Statement { key_set_root, threshold, message: MESSAGE.into() };
    Case { shape, statement, committee, signatures }
}

fn committee(members: usize, first: u64) -> Committee {
    let key = |i: u64| (OwnedKey::of(&secret(scalar(first + i))), 1 + i);
    Committee::new(&(0..members as u64).map(key).collect::<Vec<_>>()).expect("distinct keys")
}

/// The key of a secret that anybody may have.
fn key_of(secret_key: bls12_381::Fr) -> BasePoint {
    OwnedKey::of(&secret(secret_key)).coordinates()
}

/// The sum of the secrets of all members but some.
fn all_but(members: usize, absent: &[usize]) -> bls12_381::Fr {
    let signers = (0..members).filter(|member| !absent.contains(member));
    signers.map(|member| scalar(member as u64)).sum()
}

/// What a prover fills in who says that `absent` did not sign, and signs with `rest` for all others.
fn inputs_of(case: &Case, absent: &[usize], rest: bls12_381::Fr) -> BlsInputs {
    let tree = case.shape.tree(&case.committee).expect("it fits");
    let slot = |member: &usize| {
        let entry = &case.committee.members()[*member];
        inputs::Slot {
            index: *member as u64,
            public_key: entry.public_key.of::<OwnedKey>().expect("a key of BLS").coordinates(),
            weight: entry.weight,
            path: Some(case.path(*member)),
        }
    };
    let inputs = BlsInputs {
        key_set_root: case.statement.key_set_root,
        threshold: case.statement.threshold,
        message: MESSAGE,
        slots: absent.iter().map(slot).collect(),
        signatures: vec![signed(&[rest]).of().copied()],
        leaves: vec![],
        whole: *tree.whole().expect("keys add up"),
        rest: Some(key_of(rest)),
        unused_name: Fr::zero(),
    };
    inputs.padded(&case.shape, &scheme())
}

/// Two of eight absent, with a slot that is not used; none at all; three, which is as many as there are slots; and all but one.
/// Refused with any public input altered.
#[test]
fn the_rest_has_signed() {
    for (members, slots, absent) in
        [(8, 3, &[2, 5][..]), (8, 3, &[]), (8, 3, &[0, 6, 7]), (4, 3, &[0, 1, 3])]
    {
        let case = case_of(members, slots, absent);
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

/// What the forgeries below change.
#[test]
fn honest_inputs_hold() {
    let case = case_of(8, 3, &[2, 5]);
    let honest = inputs_of(&case, &[2, 5], all_but(8, &[2, 5]));
    assert!(holds(&case, &honest));
    let own = case.witness().expect("it holds");
    assert_eq!(own.select(&case.shape).expect("slots").taken(), [0, 1, 3, 4, 6, 7]);
}

/// Whoever is in no slot has signed, and whoever is in one counts for nothing.
#[test]
fn nobody_counts_who_did_not_sign() {
    let case = case_of(8, 3, &[2, 5]);
    let honest = all_but(8, &[2, 5]);
    // Member 5 is not named, with the key of those who signed and with that of all others.
    let mut forged = inputs_of(&case, &[2], honest);
    assert!(!holds(&case, &forged));
    forged.rest = Some(key_of(all_but(8, &[2])));
    assert!(!holds(&case, &forged));
    // Member 5 is in a slot without a weight.
    forged = inputs_of(&case, &[2], honest);
    let key = case.committee.members()[5].public_key.clone();
    let raw = scheme().key_of(&[&key]).expect("a key");
    forged.slots[1] = inputs::Slot::unused(&case.shape, 1, raw, key.name());
    assert!(!holds(&case, &forged));
    // A threshold that they do not reach together.
    let mut forged = inputs_of(&case, &[2, 5], honest);
    forged.threshold += 1;
    let mut claim = case;
    claim.statement.threshold += 1;
    assert!(!holds(&claim, &forged));
}

/// Members 2, 5 and 6, or 2 and 5 and 5 once more, while all but 2 and 5 signed; and by whoever knows all secrets.
#[test]
fn the_absent_are_those_who_did_not_sign() {
    let mut case = case_of(8, 3, &[2, 5, 6]);
    case.statement.threshold = 1;
    for absent in [[2, 5, 6], [2, 5, 5]] {
        let is_honest = absent[2] == 6;
        let twice = if is_honest { bls12_381::Fr::ZERO } else { scalar(5) };
        let rest = all_but(8, &absent) - twice;
        assert_eq!(holds(&case, &inputs_of(&case, &absent, rest)), is_honest);
        let mut others = inputs_of(&case, &absent, all_but(8, &[2, 5]));
        assert!(!holds(&case, &others));
        others.rest = Some(key_of(rest));
        assert!(!holds(&case, &others));
    }
}

/// The key of the rest has somebody's own secret, and what is in a slot makes up for it.
#[test]
fn no_key_is_made_up() {
    let case = case_of(8, 3, &[2, 5]);
    let own = scalar(77);
    let made_up = all_but(8, &[2, 5]) - own;
    let name = PublicKey::from(OwnedKey::of(&secret(made_up))).name();
    // In a slot that weighs nothing, so that it is not used: the circuit takes a generator from the rest for it.
    let mut forged = inputs_of(&case, &[2, 5], own + bls12_381::Fr::ONE);
    forged.slots[2] = inputs::Slot::unused(&case.shape, 2, key_of(made_up), name);
    assert!(!holds(&case, &forged));
    // In the place of a member's.
    let mut forged = inputs_of(&case, &[2, 5], own);
    forged.slots[1].public_key = key_of(made_up + scalar(5));
    assert!(!holds(&case, &forged));
    // Nowhere: the sum is another one.
    assert!(!holds(&case, &inputs_of(&case, &[2, 5], own)));
}

/// Each part of the root by itself, and that of another set.
#[test]
fn the_root_says_what_all_come_to() {
    let case = case_of(8, 3, &[2, 5]);
    let honest = inputs_of(&case, &[2, 5], all_but(8, &[2, 5]));
    let own = scalar(77);
    let mut forged = inputs_of(&case, &[2, 5], own);
    let sum = own + scalar(2) + scalar(5) + bls12_381::Fr::ONE;
    forged.rest = Some(key_of(own + bls12_381::Fr::ONE));
    forged.signatures = vec![signed(&[own + bls12_381::Fr::ONE]).of().copied()];
    forged.whole.key = PublicKey::from(OwnedKey::of(&secret(sum))).name();
    assert!(!holds(&case, &forged));
    // A root of such parts is that of no committee.
    let mut other = case_of(8, 3, &[2, 5]);
    other.statement.key_set_root = forged.whole.root();
    assert_eq!(other.witness().err(), Some(crate::Rejection::Root.into()));
    let mut heavier = honest.clone();
    heavier.whole.weight += 1;
    heavier.threshold += 1;
    let mut claim = case_of(8, 3, &[2, 5]);
    claim.statement.threshold += 1;
    assert!(!holds(&claim, &heavier));
    // Members of another set, with the same keys and other weights.
    let foreign = Case { committee: committee(8, 8), ..case_of(8, 3, &[2, 5]) };
    let mut forged = honest.clone();
    forged.slots[1].path = Some(foreign.path(5));
    assert!(!holds(&case, &forged));
    forged = inputs_of(&foreign, &[2, 5], all_but(8, &[2, 5]));
    forged.whole = honest.whole;
    assert!(!holds(&case, &forged));
}

#[test]
fn more_absent_than_slots() {
    let case = case_of(8, 3, &[0, 2, 5, 6]);
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
