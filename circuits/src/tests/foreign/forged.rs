//! Statements that do not hold, through the circuit: nothing is checked before it is filled. Each
//! refusal is one of constraints, since the witness is that of an honest prover otherwise.

use std::panic::{catch_unwind, AssertUnwindSafe};

use muster_schemes::membership::LeafFormat;
use num_bigint::BigUint;

use super::*;

type Slot = threshold::Slot<RawKey>;

const ECDSA: (Scheme, KeyKind) = KINDS[0];

/// What a circuit is filled with, and its public inputs.
#[derive(Clone)]
pub(super) struct Claim {
    shape: Shape,
    pub(super) inputs: ForeignInputs,
    public: Vec<Fr>,
}

/// Members of weight `1 + index` of a set of four.
fn committee(kind: (Scheme, KeyKind)) -> Committee {
    let members = (0..4).map(|i| (signer(kind, i, &DIGEST).0, 1 + u64::from(i)));
    Committee::new(&members.collect::<Vec<_>>()).expect("distinct keys")
}

impl Claim {
    /// These members sign, as many as there are slots or fewer; the threshold is their weight.
    fn new(kind: (Scheme, KeyKind), slots: usize, signers: &[usize]) -> Self {
        Self::of(kind, &small(kind, 4, slots), signers)
    }

    /// The same in the circuit for this request.
    pub(super) fn of(kind: (Scheme, KeyKind), wanted: &Request, signers: &[usize]) -> Self {
        let shape = fit(wanted);
        let committee = committee(kind);
        let list = signers.iter().map(|&i| (i, signer(kind, i as u8, &DIGEST).1)).collect();
        let signatures = Signatures::Independent(list);
        let statement = Statement {
            key_set_root: shape.tree(&committee).expect("it fits").root(),
            threshold: signers.iter().map(|i| 1 + *i as u64).sum(),
            message: DIGEST.into(),
            signers: None,
        };
        let case = Case { shape, statement, committee, signatures };
        Self { inputs: case.foreign(), public: case.statement.public_inputs(), shape: case.shape }
    }

    pub(super) fn holds(&self) -> bool {
        let (circuit, _) = fill_foreign(&self.shape, &self.inputs);
        // The history of the first relations wraps around to rows that hold nothing, with a factor
        // of 0. Where one of them fails, halo2 panics when it comes to show their cells.
        let verdict = || is_satisfied(&circuit, &self.shape, &self.public);
        catch_unwind(AssertUnwindSafe(verdict)).unwrap_or(false)
    }

    /// With something else in the witness, and in the public inputs what belongs to it.
    #[track_caller]
    pub(super) fn assert_refused_after(&self, what: &str, edit: impl FnOnce(&mut ForeignInputs)) {
        let mut bad = self.clone();
        edit(&mut bad.inputs);
        let ForeignInputs { key_set_root, threshold, message, .. } = bad.inputs;
        let statement =
            Statement { key_set_root, threshold, message: message.into(), signers: None };
        bad.public = statement.public_inputs();
        assert!(!bad.holds(), "{what}");
    }
}

/// A signer's part of a slot: its key and its signature, but the path of another slot.
pub(super) fn take(inputs: &mut ForeignInputs, (slot, signature): &(Slot, ForeignSignature)) {
    inputs.slots[0].public_key = slot.public_key.clone();
    inputs.signatures[0] = signature.clone();
}

/// The way of a slot.
fn way(slot: &mut Slot) -> &mut MemberPath {
    slot.path.as_mut().expect("a path")
}

/// What the member `number` puts into a slot when it signs `digest`; those above 3 are strangers,
/// whose path is to a leaf of their own.
pub(super) fn slot(
    kind: (Scheme, KeyKind),
    number: u8,
    digest: &[u8; 32],
) -> (Slot, ForeignSignature) {
    let shape = fit(&small(kind, 1, 1));
    let (key, signature) = signer(kind, number, digest);
    let committee = Committee::new(&[(key, 1)]).expect("one key");
    let statement = Statement {
        key_set_root: Fr::zero(),
        threshold: 1,
        message: (*digest).into(),
        signers: None,
    };
    let signatures = Signatures::Independent(vec![(0, signature)]);
    let mut inputs = Case { shape, statement, committee, signatures }.foreign();
    (inputs.slots.remove(0), inputs.signatures.remove(0))
}

#[test]
fn a_threshold_that_does_not_count() {
    let claim = Claim::new(ECDSA, 1, &[1]);
    assert!(claim.holds());
    claim.assert_refused_after("none", |inputs| inputs.threshold = 0);
    claim.assert_refused_after("above the weight", |inputs| inputs.threshold = 3);
}

#[test]
fn another_root_and_another_weight() {
    let claim = Claim::new(ECDSA, 1, &[1]);
    claim.assert_refused_after("root", |inputs| inputs.key_set_root += Fr::one());
    claim.assert_refused_after("weight", |inputs| {
        let slot = &mut inputs.slots[0];
        slot.weight = 9;
        let MemberPath { leaf, position, .. } = way(slot);
        leaf.weights[*position] = 9;
        inputs.threshold = 9;
    });
    claim.assert_refused_after("the weight of a neighbour", |inputs| {
        way(&mut inputs.slots[0]).position = 3;
        inputs.threshold = 4;
    });
}

#[test]
fn a_signer_who_is_no_member() {
    let claim = Claim::new(ECDSA, 1, &[1]);
    let stranger = slot(ECDSA, 50, &DIGEST);
    claim.assert_refused_after("with the path of a member", |inputs| {
        take(inputs, &stranger);
    });
    claim.assert_refused_after("in a leaf of its own", |inputs| {
        let own = stranger.0.path.as_ref().expect("a path");
        let MemberPath { leaf, position, .. } = way(&mut inputs.slots[0]);
        leaf.keys[*position][0] = own.leaf.keys[own.position][0];
        take(inputs, &stranger);
    });
    claim.assert_refused_after("a member with another's path", |inputs| {
        let other = slot(ECDSA, 3, &DIGEST);
        take(inputs, &other);
    });
}

#[test]
fn signatures_of_something_else() {
    for kind in [KINDS[0], KINDS[2], KINDS[3]] {
        let claim = Claim::new(kind, 1, &[1]);
        let (message, member) = (slot(kind, 1, &[0xd2; 32]), slot(kind, 3, &DIGEST));
        claim.assert_refused_after("another message", |inputs| {
            inputs.signatures[0] = message.1;
        });
        claim.assert_refused_after("another member", |inputs| {
            inputs.signatures[0] = member.1;
        });
    }
}

#[test]
fn numbers_out_of_range() {
    let claim = Claim::new(ECDSA, 1, &[1]);
    claim.assert_refused_after("s is 0", |inputs| inputs.signatures[0].s = BigUint::ZERO);
    claim.assert_refused_after("s is 2^256 - 1", |inputs| {
        inputs.signatures[0].s = BigUint::from_bytes_be(&[0xff; 32]);
    });
    claim.assert_refused_after("the key (0, 0)", |inputs| {
        inputs.slots[0].public_key = (BigUint::ZERO, BigUint::ZERO);
    });
    claim.assert_refused_after("a nonce point that is none", |inputs| {
        inputs.signatures[0].nonce.1 ^= BigUint::from(1u8);
    });
    // The same integer, but the lower half has 129 bits.
    let mut halves = claim;
    let low = Fr::from(2).pow_vartime([128u64]);
    halves.public[crate::MESSAGE_HIGH] -= Fr::one();
    halves.public[crate::MESSAGE_LOW] += low;
    assert!(!halves.holds());
}

#[test]
fn the_same_signer_twice() {
    let claim = Claim::new(ECDSA, 2, &[1, 3]);
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
}

#[test]
fn a_slot_that_is_not_used() {
    let claim = Claim::new(ECDSA, 2, &[1]);
    assert!(claim.holds());
    claim.assert_refused_after("with a weight", |inputs| {
        inputs.slots[1].weight = 5;
        way(&mut inputs.slots[1]).leaf.weights = vec![5; 4];
        inputs.threshold = 7;
    });
    claim.assert_refused_after("with the path of a member", |inputs| {
        inputs.slots[1].path = Claim::new(ECDSA, 2, &[1, 3]).inputs.slots[1].path.clone();
        inputs.threshold = 6;
    });
    claim.assert_refused_after("with no signature", |inputs| {
        inputs.signatures[1] = inputs.signatures[0].clone();
    });
    claim.assert_refused_after("with no leaf of its own", |inputs| {
        way(&mut inputs.slots[1]).leaf = LeafFormat::Names.empty();
    });
}

#[test]
fn another_address() {
    let kind = KINDS[1];
    let claim = Claim::new(kind, 1, &[1]);
    assert!(claim.holds());
    let other = slot(kind, 3, &DIGEST);
    claim.assert_refused_after("of the key", |inputs| take(inputs, &other));
    claim.assert_refused_after("of the leaf", |inputs| {
        let MemberPath { leaf, position, .. } = way(&mut inputs.slots[0]);
        leaf.keys[*position][0] += Fr::one();
    });
}

/// Two witnesses, an empty one and one that is no good: the verifying key is that of the shape.
#[test]
fn the_witness_plays_no_part() {
    let claim = Claim::new(ECDSA, 1, &[1]);
    let mut bad = claim.inputs.clone();
    bad.threshold = 0;
    bad.signatures[0].s = BigUint::from_bytes_be(&[0xff; 32]);
    bad.slots[0].public_key.0 = BigUint::ZERO;
    let other = Claim::new(ECDSA, 1, &[3]).inputs;
    let shape = &claim.shape;
    let filled = [claim.inputs.clone(), other, bad];
    let mut circuits = vec![shape.keygen_circuit()];
    circuits.extend(filled.iter().map(|i| fill_foreign(shape, i).0));
    super::super::keys::assert_one_key(shape, &circuits);
}
