//! What other schemes refuse in whole circuits, of BLS: signers, thresholds and strangers that do not count. And keys that cancel,
//! of which some count.

use muster_schemes::{
    membership::KeySetError,
    signature::{
        bls::{member::MinPkBn254, BlsError, Ciphersuite},
        AggregateError, SignedMessage,
    },
};

use super::{
    bls::{key, scalar, scheme, signed, BlsInputs, Signed},
    forged::MODES,
    keys::assert_one_key,
    *,
};
use crate::Rejection;

type S = MinPkBn254;
type Scalar = <S as Ciphersuite>::Scalar;

const SCHEME: Scheme = Scheme::BlsBn254;

fn secrets(members: &[u64]) -> Vec<Scalar> {
    members.iter().map(|member| scalar::<S>(*member)).collect()
}

/// Members of these secrets, of weight `1 + index`. Of those who are counted some sign; the threshold is the weight of all who
/// are counted.
fn claimed(
    (mode, slots): (Mode, usize),
    secrets: &[Scalar],
    counted: &[usize],
    signing: &[Scalar],
) -> Signed<S> {
    let shape = fit(&request(SCHEME, secrets.len(), slots, mode));
    let message = SignedMessage::random(&mut rng(8));
    let members: Vec<_> =
        secrets.iter().zip(1..).map(|(secret, weight)| (key::<S>(*secret), weight)).collect();
    let committee = Committee::new(&members).expect("distinct keys");
    let signature = signed::<S>(signing, &message);
    let signatures = Signatures::Aggregate { members: counted.to_vec(), signature };
    let statement = Statement {
        key_set_root: shape.tree(&committee).expect("it fits").root(),
        threshold: counted.iter().map(|member| 1 + *member as u64).sum(),
        message: message.to_message(),
        signers: None,
    };
    Signed { case: Case { shape, statement, committee, signatures }, message }
}

impl Signed<S> {
    /// What a prover fills in who checks nothing.
    fn own_inputs(&self) -> BlsInputs<S> {
        let Signatures::Aggregate { signature, .. } = &self.case.signatures else { unreachable!() };
        self.inputs(signature)
    }

    /// Whether the circuit holds, and what the native check says.
    fn verdicts(&self) -> (bool, Option<Error>) {
        (self.holds(&self.own_inputs()), self.case.witness().err())
    }

    #[track_caller]
    fn assert_refused_after(&self, edit: impl FnOnce(&mut BlsInputs<S>)) {
        let mut inputs = self.own_inputs();
        edit(&mut inputs);
        assert!(!self.holds(&inputs), "{:?}", self.case.shape.mode);
    }
}

fn circuit(shape: &Shape, inputs: &BlsInputs<S>) -> GateCircuit {
    filled(shape, &scheme::<S>(), inputs).0
}

/// Two members and one, a witness that is no good, and none: the verifying key is that of the shape.
#[test]
fn the_witness_plays_no_part() {
    for mode in MODES {
        let case = Signed::<S>::new(mode, 2, &[1, 3]);
        let shape = &case.case.shape;
        let mut bad = case.own_inputs();
        bad.threshold = 0;
        bad.signatures = vec![None];
        bad.slots[0].weight = u64::MAX;
        bad.slots[1].public_key = key::<S>(scalar::<S>(77)).coordinates();
        bad.whole.weight = 0;
        let honest = [&case, &Signed::<S>::new(mode, 2, &[2])];
        let mut circuits = vec![shape.keygen_circuit(), circuit(shape, &bad)];
        circuits.extend(honest.map(|case| case.case.circuit().expect("it fits")));
        assert_one_key(shape, &circuits);
    }
}

/// A signature to which a member has added two shares, so that the equation holds for it in two slots.
#[test]
fn a_member_counts_once() {
    for mode in MODES {
        let all = secrets(&[0, 1, 2, 3]);
        let twice = secrets(&[1, 1]);
        let case = claimed((mode, 2), &all, &[1, 1], &twice);
        let rejection = Rejection::DuplicateSigner(1).into();
        assert_eq!(case.verdicts(), (false, Some(rejection)), "{mode:?}");
        // Others with the same threshold are accepted in its place, in their order alone.
        let honest = claimed((mode, 2), &all, &[0, 2], &secrets(&[0, 2]));
        assert_eq!(honest.case.statement.threshold, case.case.statement.threshold);
        assert_eq!(honest.verdicts(), (true, None), "{mode:?}");
        honest.assert_refused_after(|inputs| inputs.slots.swap(0, 1));
    }
}

#[test]
fn thresholds_that_do_not_count() {
    for mode in MODES {
        let mut case = Signed::<S>::new(mode, 2, &[1, 3]);
        for threshold in [0, 1 << 60] {
            case.case.statement.threshold = threshold;
            let rejection = Rejection::Threshold(threshold).into();
            assert_eq!(case.verdicts(), (false, Some(rejection)), "{mode:?}");
        }
        case.case.statement.threshold = 7;
        let rejection = Rejection::Weight { weight: 6, threshold: 7 }.into();
        assert_eq!(case.verdicts(), (false, Some(rejection)), "{mode:?}");
        for threshold in [1, 6] {
            case.case.statement.threshold = threshold;
            assert_eq!(case.verdicts(), (true, None), "{mode:?}");
        }
    }
}

/// One in the place of member 3: with a set of its own, and in a leaf of the members' set.
#[test]
fn strangers_are_no_members() {
    for mode in MODES {
        let honest = claimed((mode, 2), &secrets(&[0, 1, 2, 3]), &[1, 3], &secrets(&[1, 3]));
        assert_eq!(honest.verdicts(), (true, None), "{mode:?}");
        let theirs = claimed((mode, 2), &secrets(&[0, 1, 2, 77]), &[1, 3], &secrets(&[1, 77]));
        assert_eq!(theirs.verdicts(), (true, None), "{mode:?}");
        let stranger = theirs.own_inputs();
        let root = honest.case.statement.key_set_root;
        // All of their set but the root.
        honest.assert_refused_after(|inputs| {
            *inputs = BlsInputs::<S> { key_set_root: root, ..stranger.clone() };
        });
        // And but what the root says that all keys come to.
        honest.assert_refused_after(|inputs| {
            let whole = inputs.whole;
            *inputs = BlsInputs::<S> { key_set_root: root, whole, ..stranger.clone() };
        });
        // In a slot, with the path of the honest set or of their own.
        honest.assert_refused_after(|inputs| {
            inputs.slots[1] = stranger.slots[1].clone();
            inputs.signatures.clone_from(&stranger.signatures);
        });
        honest.assert_refused_after(|inputs| {
            inputs.slots[1].public_key = stranger.slots[1].public_key.clone();
            inputs.signatures.clone_from(&stranger.signatures);
            let parts = key::<S>(scalar::<S>(77)).parts();
            match &mut inputs.slots[1].path {
                Some(path) => path.leaf.keys[path.position] = parts,
                None => inputs.leaves[0].keys[3] = parts,
            }
        });
    }
}

/// Both owners have shown that they possess their keys, and count, though nothing of the signature is theirs: what a set with such
/// keys means is for those to know who make it.
#[test]
fn keys_that_cancel_among_others_count() {
    let (a, b, c) = (scalar::<S>(0), scalar::<S>(1), scalar::<S>(2));
    let all = [a, -a, b, c];
    for mode in MODES {
        for (slots, counted) in [(3, &[0, 1, 2][..]), (4, &[0, 1, 2])] {
            let case = claimed((mode, slots), &all, counted, &[b]);
            assert_eq!(case.verdicts(), (true, None), "{mode:?} {slots}");
            // As nobody else does.
            let other = claimed((mode, slots), &all, counted, &[c]);
            let (holds, said) = other.verdicts();
            assert!(!holds && said.is_some(), "{mode:?} {slots}");
        }
        let case = claimed((mode, 3), &all, &[0, 2], &[b]);
        assert!(!case.verdicts().0, "{mode:?}: one of the two alone has to sign");
    }
}

/// Their sum is the identity, which signs nothing: a set of them is none, and an aggregate that counts them alone is refused
/// natively. In circuit it holds only with a slot that is not used, whose key is known to everybody.
#[test]
fn keys_that_cancel_altogether_sign_nothing() {
    let (a, b) = (scalar::<S>(0), scalar::<S>(1));
    let opposite = [a, -a].map(|secret| (key::<S>(secret), 1));
    assert_eq!(Committee::new(&opposite).err(), Some(KeySetError::Identity.into()));
    let identity = Rejection::AggregateKey(AggregateError::Bls(BlsError::Identity));
    for mode in MODES {
        for slots in [2, 3] {
            let case = claimed((mode, slots), &[a, -a, b], &[0, 1], &[b]);
            let refused = (false, Some(identity.clone().into()));
            assert_eq!(case.verdicts(), refused, "{mode:?} {slots}");
            let mut nobody = case.own_inputs();
            nobody.signatures = vec![None];
            assert_eq!(case.holds(&nobody), slots == 3, "{mode:?} {slots}");
        }
    }
}
