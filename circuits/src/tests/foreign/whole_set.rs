//! Sets that are hashed as a whole, with keys whose scheme has no other use for the Edwards gate.

use super::{
    forged::{slot, take, Claim},
    *,
};

fn wanted(kind: (Scheme, KeyKind), slots: usize) -> Request {
    Request { mode: Some(Mode::WholeSet), ..small(kind, 6, slots) }
}

#[test]
fn all_kinds_are_accepted() {
    for (place, kind) in KINDS.into_iter().enumerate() {
        let shape = fit(&wanted(kind, 2));
        assert_eq!((shape.mode, shape.layout.edwards_lanes), (Mode::WholeSet, 1));
        for signers in [&[3, 5][..], &[2]] {
            let case = case_of(shape.clone(), kind, signers);
            assert_eq!(case.verdict(), Ok(()), "{kind:?}");
            let public = case.statement.public_inputs();
            let circuit = || case.circuit().expect("it fits");
            assert!(is_satisfied(&circuit(), &shape, &public), "{kind:?}");
            let mut other = public;
            other[place] += Fr::one();
            assert!(!is_satisfied(&circuit(), &shape, other), "{kind:?}");
        }
    }
}

#[test]
fn signers_who_are_no_members_or_count_twice() {
    let kind = KINDS[0];
    let claim = Claim::of(kind, &wanted(kind, 2), &[1, 3]);
    assert!(claim.holds());
    claim.assert_refused_after("twice", |inputs| {
        inputs.slots[1] = inputs.slots[0].clone();
        inputs.signatures[1] = inputs.signatures[0].clone();
        inputs.threshold = 4;
    });
    claim.assert_refused_after("out of order", |inputs| {
        inputs.slots.swap(0, 1);
        inputs.signatures.swap(0, 1);
    });
    claim.assert_refused_after("by another's index", |inputs| inputs.slots[0].index = 2);
    claim.assert_refused_after("with another weight", |inputs| {
        inputs.slots[0].weight += 1;
        inputs.threshold += 1;
    });
    let stranger = slot(kind, 50, &DIGEST);
    claim.assert_refused_after("a stranger", |inputs| take(inputs, &stranger));
    claim.assert_refused_after("another set", |inputs| inputs.leaves[0].weights[1] += 1);
    claim.assert_refused_after("another root", |inputs| inputs.key_set_root += Fr::one());
}

/// Entries behind the members name whom the prover likes, and count for nothing.
#[test]
fn a_slot_that_is_not_used_has_no_weight() {
    let kind = KINDS[0];
    let claim = Claim::of(kind, &wanted(kind, 2), &[1]);
    assert!(claim.holds());
    claim.assert_refused_after("with a weight", |inputs| {
        inputs.slots[1].weight = 5;
        inputs.threshold = 7;
    });
    claim.assert_refused_after("with a member's index", |inputs| inputs.slots[1].index = 3);
    claim.assert_refused_after("with another name than its key's", |inputs| {
        inputs.unused_key[0] += Fr::one();
    });
    let stranger = slot(kind, 50, &DIGEST);
    let name = stranger.0.path.as_ref().map(|way| way.leaf.keys[way.position][0]);
    let with_a_stranger = |threshold: u64| {
        move |inputs: &mut ForeignInputs| {
            inputs.slots[1].public_key = stranger.0.public_key.clone();
            inputs.signatures[1] = stranger.1.clone();
            inputs.unused_key = vec![name.expect("a path")];
            inputs.threshold = threshold;
        }
    };
    let mut harmless = claim.clone();
    with_a_stranger.clone()(2)(&mut harmless.inputs);
    assert!(harmless.holds(), "the member alone counts");
    claim.assert_refused_after("a stranger who counts", with_a_stranger(3));
}

/// With a set of a few keys a lane more is never worth it; asked for, it is taken.
#[test]
fn the_mode_is_the_cheaper_one_or_the_one_asked_for() {
    for kind in KINDS {
        assert_eq!(fit(&small(kind, 6, 3)).mode, Mode::Path);
        assert_eq!(fit(&wanted(kind, 3)).mode, Mode::WholeSet);
    }
}
