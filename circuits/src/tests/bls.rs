//! BLS in whole circuits: all members who sign make one signature.

use halo2_base::halo2_proofs::halo2curves::{
    bls12_381::{self, G1Affine},
    group::Curve,
};
use muster_gadgets::{
    curve::aggregate::Coefficients,
    signature::{
        bls::{
            member::{Bls12381, OwnedKey},
            ProvenPublicKey, SecretKey,
        },
        AnySignature, Choices,
    },
};

use super::*;

pub(super) type BlsInputs = inputs::InputsOf<Bls12381>;
type Secret = SecretKey<ProvenPublicKey>;

pub(super) const MESSAGE: [u8; 32] = [0xa5; 32];

pub(super) fn scheme() -> Bls12381 {
    Bls12381::with(Choices::default())
}

pub(super) fn scalar(number: u64) -> bls12_381::Fr {
    // Those below 256 are no member's.
    bls12_381::Fr::from(number + 1000)
}

pub(super) fn secret(scalar: bls12_381::Fr) -> Secret {
    Secret::from_scalar(&scalar).expect("not 0")
}

/// The sum of the signatures by these secrets.
pub(super) fn signed(scalars: &[bls12_381::Fr]) -> AnySignature {
    let signers = scalars.iter().map(|scalar| (secret(*scalar), rng(0))).collect();
    let mut signed = scheme().sign_all(&Fr::zero(), signers, &MESSAGE).expect("a sum");
    signed.pop().expect("one")
}

/// Members of weight `1 + index` of whom some sign; the threshold is their weight.
fn case_of(mode: Mode, slots: usize, signers: &[usize]) -> Case {
    let shape = fit(&request(Scheme::BlsBls12381, 4, slots, mode));
    let key = |i: u64| (OwnedKey::of(&secret(scalar(i))), 1 + i);
    let committee = Committee::new(&(0..4).map(key).collect::<Vec<_>>()).expect("distinct keys");
    let scalars: Vec<_> = signers.iter().map(|i| scalar(*i as u64)).collect();
    let signatures =
        Signatures::Aggregate { members: signers.to_vec(), signature: signed(&scalars) };
    let statement = Statement {
        key_set_root: shape.tree(&committee).expect("it fits").root(),
        threshold: signers.iter().map(|i| 1 + *i as u64).sum(),
        message: MESSAGE.into(),
    };
    Case { shape, statement, committee, signatures }
}

/// What a prover fills in who checks nothing.
fn inputs_of(case: &Case, signature: &AnySignature) -> BlsInputs {
    let slot = |member: usize| {
        let entry = &case.committee.members()[member];
        let key = entry.public_key.of::<OwnedKey>().expect("a key of BLS");
        let path = (case.shape.mode == Mode::Path).then(|| case.path(member));
        let public_key = key.coordinates();
        inputs::Slot { index: member as u64, public_key, weight: entry.weight, path }
    };
    let tree = case.shape.tree(&case.committee).expect("it fits");
    let mut leaves = case.committee.set().leaves();
    leaves.retain(|_| case.shape.mode == Mode::WholeSet);
    let inputs = BlsInputs {
        key_set_root: case.statement.key_set_root,
        threshold: case.statement.threshold,
        message: MESSAGE,
        slots: case.signatures.members().into_iter().map(slot).collect(),
        signatures: vec![signature.of().copied()],
        leaves,
        whole: *tree.whole().expect("keys add up"),
        rest: None,
        unused_name: Fr::zero(),
    };
    inputs.padded(&case.shape, &scheme())
}

pub(super) fn holds(case: &Case, inputs: &BlsInputs) -> bool {
    let circuit = ThresholdCircuit::fill(&case.shape, &scheme(), inputs, false).0;
    let public = vec![case.statement.public_inputs()];
    Judge::new(case.shape.degree(), &circuit, public).failures().is_empty()
}

/// And refused with any public input altered, of the message one half at a time.
#[test]
fn statements_are_accepted_for_their_own_public_inputs() {
    for (mode, signers) in [(Mode::Path, &[2][..]), (Mode::WholeSet, &[3, 1])] {
        let case = case_of(mode, 2, signers);
        let Case { shape, statement, .. } = &case;
        let public = statement.public_inputs();
        let circuit = case.circuit().expect("it fits");
        assert!(is_satisfied(&circuit, shape, &public), "{mode:?}");
        for place in 0..public.len() {
            let mut other = public.clone();
            other[place] += Fr::one();
            assert!(!is_satisfied(&circuit, shape, other), "{mode:?}: {place}");
        }
    }
}

/// A signature by one too few, by one too many, by others.
#[test]
fn signatures_are_by_all_who_are_counted_and_no_others() {
    for mode in [Mode::Path, Mode::WholeSet] {
        let case = case_of(mode, 3, &[1, 3]);
        let by = |numbers: &[u64]| {
            let scalars: Vec<_> = numbers.iter().map(|number| scalar(*number)).collect();
            holds(&case, &inputs_of(&case, &signed(&scalars)))
        };
        assert!(by(&[1, 3]), "{mode:?}");
        for others in [&[1][..], &[1, 2, 3], &[0, 2], &[1, 2]] {
            assert!(!by(others), "{mode:?} {others:?}");
        }
    }
}

/// A slot that weighs nothing has the generator's key: with one that is made up from the others, whoever made it signs for
/// all. Nothing else tells it from an honest slot.
#[test]
fn slots_that_weigh_nothing_add_no_key_of_their_own() {
    for mode in [Mode::Path, Mode::WholeSet] {
        let case = case_of(mode, 2, &[3]);
        let own = scalar(77);
        // The circuit adds the signature of the secret 1 for the slot that is not used.
        let honest = inputs_of(&case, &signed(&[scalar(3)]));
        assert!(holds(&case, &honest), "{mode:?}");
        let mut forged = inputs_of(&case, &signed(&[own - bls12_381::Fr::one()]));
        let rogue = (G1Affine::generator() * (own - scalar(3))).to_affine();
        let rogue = [rogue.x, rogue.y].map(|coordinate| {
            let [number] = coordinate.coefficients();
            number
        });
        let name = scheme().member(&OwnedKey::of(&secret(own - scalar(3)))).name();
        forged.slots[1] = inputs::Slot::unused(&case.shape, 1, rogue, name);
        assert!(!holds(&case, &forged), "{mode:?}");
    }
}
