//! BLS in whole circuits: all members who sign make one signature.

use muster_gadgets::signature::bls::member::CiphersuiteChip;
use muster_schemes::signature::{
    bls::{
        member::{Bls, MinPkBn254, OwnedKey},
        MinPkPopBls12381, MinSigPopBls12381, MinSigPopBn254, SecretKey,
    },
    AnySignature, Choices, SignedMessage,
};
use muster_testing::sampled;

use super::*;

pub(super) type BlsInputs<S> = threshold::InputsOf<Bls<S>>;

/// Members and the message that they sign.
pub(super) struct Signed<S: CiphersuiteChip> {
    pub(super) case: Case,
    pub(super) message: S::Message,
}

pub(super) fn scheme<S: CiphersuiteChip>() -> Bls<S> {
    Bls::with(Choices::default())
}

/// With the choices of a shape.
pub(super) fn scheme_of<S: CiphersuiteChip>(shape: &Shape) -> Bls<S> {
    let choices = Choices::new::<Bls<S>>(shape.keys, shape.rule, Some(shape.message));
    let choices = choices.and_then(|choices| choices.with_hash::<Bls<S>>(shape.hash));
    Bls::with(choices.expect("it has them"))
}

pub(super) fn scalar<S: CiphersuiteChip>(number: u64) -> S::Scalar {
    // Those below 256 are no member's.
    S::Scalar::from(number + 1000)
}

pub(super) fn key<S: CiphersuiteChip>(scalar: S::Scalar) -> OwnedKey<S> {
    OwnedKey::of(&SecretKey::from_scalar(&scalar).expect("not 0"))
}

/// The sum of the signatures by these secrets.
pub(super) fn signed<S: CiphersuiteChip>(
    scalars: &[S::Scalar],
    message: &S::Message,
) -> AnySignature {
    signed_under(&scheme::<S>(), scalars, message)
}

/// The same with these choices.
pub(super) fn signed_under<S: CiphersuiteChip>(
    scheme: &Bls<S>,
    scalars: &[S::Scalar],
    message: &S::Message,
) -> AnySignature {
    let secret = |scalar| SecretKey::from_scalar(scalar).expect("not 0");
    let signers = scalars.iter().map(|scalar| (secret(scalar), rng(0))).collect();
    let mut signed = scheme.sign_all(&Fr::zero(), signers, message).expect("a sum");
    signed.pop().expect("one")
}

impl<S: CiphersuiteChip> Signed<S> {
    /// Members of weight `1 + index` of whom some sign; the threshold is their weight.
    pub(super) fn new(mode: Mode, slots: usize, signers: &[usize]) -> Self {
        let scheme: Scheme = S::SCHEME.parse().expect("a scheme");
        Self::under(fit(&request(scheme, 4, slots, mode)), signers)
    }

    /// The same under this shape.
    pub(super) fn under(shape: Shape, signers: &[usize]) -> Self {
        Self::about(shape, signers, S::Message::random(&mut rng(5)))
    }

    /// The same on a message.
    pub(super) fn about(shape: Shape, signers: &[usize], message: S::Message) -> Self {
        let scheme = scheme_of::<S>(&shape);
        let member = |i: u64| (key::<S>(scalar::<S>(i)), 1 + i);
        let committee = Committee::new(&(0..4).map(member).collect::<Vec<_>>());
        let committee = committee.expect("distinct keys");
        let scalars: Vec<_> = signers.iter().map(|i| scalar::<S>(*i as u64)).collect();
        let signature = signed_under(&scheme, &scalars, &message);
        let signatures = Signatures::Aggregate { members: signers.to_vec(), signature };
        let mask = || SignerMask::new(4, signers.iter().copied()).expect("members");
        let statement = Statement {
            key_set_root: shape.tree(&committee).expect("it fits").root(),
            threshold: signers.iter().map(|i| 1 + *i as u64).sum(),
            message: scheme.stated(&message),
            signers: shape.mask.then(mask),
        };
        Self { case: Case { shape, statement, committee, signatures }, message }
    }

    /// What a prover fills in who checks nothing.
    pub(super) fn inputs(&self, signature: &AnySignature) -> BlsInputs<S> {
        let case = &self.case;
        let slot = |member: usize| {
            let entry = &case.committee.members()[member];
            let key = entry.public_key.of::<OwnedKey<S>>().expect("a key of BLS");
            let path = (case.shape.mode == Mode::Path).then(|| case.path(member));
            let public_key = key.coordinates();
            threshold::Slot { index: member as u64, public_key, weight: entry.weight, path }
        };
        let tree = case.shape.tree(&case.committee).expect("it fits");
        let mut leaves = case.committee.set().leaves();
        leaves.retain(|_| case.shape.mode == Mode::WholeSet);
        let inputs = BlsInputs::<S> {
            key_set_root: case.statement.key_set_root,
            threshold: case.statement.threshold,
            message: self.message.clone(),
            slots: case.signatures.members().into_iter().map(slot).collect(),
            signatures: vec![signature.of().copied()],
            leaves,
            whole: *tree.whole().expect("keys add up"),
            rest: None,
            unused_key: vec![],
            mask: case.statement.signers.iter().flat_map(SignerMask::words).collect(),
        };
        inputs.padded(&case.shape, &scheme_of::<S>(&case.shape))
    }

    pub(super) fn holds(&self, inputs: &BlsInputs<S>) -> bool {
        let Case { shape, statement, .. } = &self.case;
        let circuit = filled(shape, &scheme_of::<S>(shape), inputs).0;
        let public = vec![statement.public_inputs()];
        Judge::new(shape.degree(), &circuit, public).failures().is_empty()
    }

    /// Whether a signature by these is accepted for the members who are counted.
    fn holds_by(&self, numbers: &[u64]) -> bool {
        let scalars: Vec<_> = numbers.iter().map(|number| scalar::<S>(*number)).collect();
        self.holds(&self.inputs(&signed::<S>(&scalars, &self.message)))
    }
}

/// And refused with any public input altered, of the message one part at a time.
#[test]
fn statements_are_accepted_for_their_own_public_inputs() {
    let statements: [fn(); 5] = [
        || accepts_its_own::<MinPkPopBls12381>(Mode::Path, &[2]),
        || accepts_its_own::<MinPkPopBls12381>(Mode::WholeSet, &[3, 1]),
        || accepts_its_own::<MinSigPopBls12381>(Mode::Path, &[2]),
        || accepts_its_own::<MinSigPopBn254>(Mode::WholeSet, &[3, 1]),
        || accepts_its_own::<MinPkBn254>(Mode::Path, &[2]),
    ];
    sampled(statements, 3).into_iter().for_each(|accepts| accepts());
}

fn accepts_its_own<S: CiphersuiteChip>(mode: Mode, signers: &[usize]) {
    let Signed { case, .. } = Signed::<S>::new(mode, 2, signers);
    let circuit = case.circuit().expect("it fits");
    assert_accepts_its_own(&circuit, &case.shape, &case.statement.public_inputs(), &[]);
}

/// A signature by one too few, by one too many, by others.
#[test]
fn signatures_are_by_all_who_are_counted_and_no_others() {
    const OTHERS: &[&[u64]] = &[&[1], &[1, 2, 3], &[0, 2], &[1, 2]];
    let refusals: [fn(); 5] = [
        || refuses_others::<MinPkPopBls12381>(Mode::Path, 3, OTHERS),
        || refuses_others::<MinPkPopBls12381>(Mode::WholeSet, 3, OTHERS),
        || refuses_others::<MinSigPopBls12381>(Mode::WholeSet, 2, &[&[1], &[1, 2]]),
        || refuses_others::<MinSigPopBn254>(Mode::Path, 2, &[&[1, 2, 3], &[0, 3]]),
        || refuses_others::<MinPkBn254>(Mode::WholeSet, 3, &[&[1], &[1, 2]]),
    ];
    sampled(refusals, 3).into_iter().for_each(|refuses| refuses());
}

fn refuses_others<S: CiphersuiteChip>(mode: Mode, slots: usize, others: &[&[u64]]) {
    let signed = Signed::<S>::new(mode, slots, &[1, 3]);
    assert!(signed.holds_by(&[1, 3]), "{} {mode:?}", S::SCHEME);
    for others in others {
        assert!(!signed.holds_by(others), "{} {mode:?} {others:?}", S::SCHEME);
    }
}

/// A slot that weighs nothing has the generator's key: with one that is made up from the others, whoever made it signs for
/// all. Nothing else tells it from an honest slot.
#[test]
fn slots_that_weigh_nothing_add_no_key_of_their_own() {
    let refusals: [fn(); 5] = [
        || refuses_made_up_keys::<MinPkPopBls12381>(Mode::Path),
        || refuses_made_up_keys::<MinPkPopBls12381>(Mode::WholeSet),
        || refuses_made_up_keys::<MinSigPopBls12381>(Mode::Path),
        || refuses_made_up_keys::<MinSigPopBn254>(Mode::Path),
        || refuses_made_up_keys::<MinPkBn254>(Mode::Path),
    ];
    sampled(refusals, 3).into_iter().for_each(|refuses| refuses());
}

fn refuses_made_up_keys<S: CiphersuiteChip>(mode: Mode) {
    let case = Signed::<S>::new(mode, 2, &[3]);
    let (honest, own) = (scalar::<S>(3), scalar::<S>(77));
    // The circuit adds the signature of the secret 1 for the slot that is not used.
    assert!(case.holds_by(&[3]), "{} {mode:?}", S::SCHEME);
    let mut forged = case.inputs(&signed::<S>(&[own - S::Scalar::from(1)], &case.message));
    let rogue = key::<S>(own - honest);
    let (coordinates, parts) = (rogue.coordinates(), rogue.parts());
    forged.slots[1] = threshold::Slot::unused(&case.case.shape, 1, coordinates, &parts);
    assert!(!case.holds(&forged), "{} {mode:?}", S::SCHEME);
}

/// A slot that weighs something has the key of the member that it names: neither another key nor the opposite one, of which
/// half of the numbers are the same.
#[test]
fn slots_have_the_keys_of_their_members() {
    let refusals: [fn(); 4] = [
        || refuses_other_keys::<MinPkPopBls12381>(Mode::WholeSet),
        || refuses_other_keys::<MinSigPopBls12381>(Mode::Path),
        || refuses_other_keys::<MinSigPopBn254>(Mode::Path),
        || refuses_other_keys::<MinPkBn254>(Mode::Path),
    ];
    sampled(refusals, 3).into_iter().for_each(|refuses| refuses());
}

fn refuses_other_keys<S: CiphersuiteChip>(mode: Mode) {
    let case = Signed::<S>::new(mode, 2, &[1, 3]);
    for other in [scalar::<S>(77), -scalar::<S>(3)] {
        let mut forged = case.inputs(&signed::<S>(&[scalar::<S>(1), other], &case.message));
        forged.slots[1].public_key = key::<S>(other).coordinates();
        assert!(!case.holds(&forged), "{} {mode:?}", S::SCHEME);
    }
}
