//! False statements: each through the honest witness generator and with a witness forged to hide it.
//!
//! A [`Claim`] is filled from data that nothing has checked. [`Grid`] holds the cells that the honest
//! generator writes and turns differences into overwritten cells, many at once, as a prover would who
//! writes its own witness generator. Every refusal stands beside an acceptance of the same layout.

use std::collections::BTreeSet;

use halo2_base::halo2_proofs::halo2curves::ff::{Field, PrimeField};
use muster_forgery::forger::{Failure, Judge};
use muster_gadgets::signature::embedded::EmbeddedScheme;
use muster_gates::Forged;
use muster_schemes::{
    curve::edwards::{mul_generator, Scalar},
    membership::{Leaf, LeafFormat, MemberPath, MerkleTree, LEAF_MEMBERS},
    signature::Signature,
};
use muster_schemes::{
    hash::poseidon,
    signature::{musig, schnorr},
};

use super::*;

mod chains;
mod grid;
mod musig_keys;
mod order;
mod points;
mod public;
mod scalars;
mod signatures;
mod signers;
mod splice;
mod tree;
mod weights;

pub(crate) use grid::{gates, Grid};

/// Both modes.
pub(crate) const MODES: [Mode; 2] = [Mode::WholeSet, Mode::Path];
/// Schemes of independent signatures.
pub(crate) const INDEPENDENT: [Scheme; 2] = [Scheme::Schnorr, Scheme::Eddsa];

/// Columns of the first lane: the accumulator, or a key and a weight; an addend's abscissa; the sum.
pub(crate) const X1: usize = 0;
pub(crate) const Y1: usize = 1;
pub(crate) const X2: usize = 2;
pub(crate) const SUM: usize = 5;

/// The witness and the public inputs that go with it.
#[derive(Clone, Debug)]
pub(crate) struct Claim {
    pub(crate) shape: Shape,
    pub(crate) inputs: Inputs,
    pub(crate) public: [Fr; 3],
}

/// A member of a set that nothing is known of, and the secret that signs for it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) secret: Scalar,
    pub(crate) point: RawPoint,
    pub(crate) weight: u64,
}

impl Entry {
    /// Member `number`: weight `1 + number` and a secret that depends on it alone.
    pub(crate) fn new(number: u64) -> Self {
        let secret = Scalar::from(1_000_003 * (number + 7));
        Self { secret, point: times_generator(&secret), weight: 1 + number }
    }

    /// The generator, whose secret anyone knows.
    pub(crate) fn generator(weight: u64) -> Self {
        Self { secret: Scalar::ONE, point: RawPoint::generator(), weight }
    }
}

pub(crate) fn times_generator(scalar: &Scalar) -> RawPoint {
    let point = mul_generator(scalar).to_affine();
    RawPoint { x: point.x(), y: point.y() }
}

/// The challenge's domain and factor.
fn challenge(scheme: Scheme) -> (Fr, Scalar) {
    match scheme {
        Scheme::Schnorr => (poseidon::domain(schnorr::CHALLENGE_DOMAIN), Scalar::ONE),
        Scheme::Eddsa => (Fr::zero(), Scalar::from(8)),
        Scheme::Musig => (poseidon::domain(musig::CHALLENGE_DOMAIN), Scalar::ONE),
        other => panic!("{other} is not over Baby Jubjub"),
    }
}

/// A signature of `message` by `secret` as if its key were `key`, with the nonce 77 times the secret.
pub(crate) fn sign(scheme: Scheme, secret: &Scalar, key: &RawPoint, message: &Fr) -> RawSignature {
    let nonce = Scalar::from(77) * secret + Scalar::from(5);
    let RawPoint { x, y } = times_generator(&nonce);
    sign_with(scheme, secret, key, message, (nonce, RawPoint { x, y }))
}

/// The same for a nonce and whatever is to be taken for its point.
pub(crate) fn sign_with(
    scheme: Scheme,
    secret: &Scalar,
    key: &RawPoint,
    message: &Fr,
    (nonce, RawPoint { x, y }): (Scalar, RawPoint),
) -> RawSignature {
    let (domain, factor) = challenge(scheme);
    let c = poseidon::hash_with_domain(domain, &[x, y, key.x, key.y, *message]);
    let s = nonce + factor * Scalar::from_base(&c) * secret;
    RawSignature { x, y, s: s.to_bytes() }
}

/// `s` plus `difference`, modulo the order.
pub(crate) fn shifted(signature: RawSignature, difference: Scalar) -> RawSignature {
    let s = Scalar::from_bytes(&signature.s).expect("the signature was reduced") + difference;
    RawSignature { s: s.to_bytes(), ..signature }
}

/// The smallest shape of a scheme and a mode: two slots over four members, unless there is more to show.
pub(crate) fn small(scheme: Scheme, mode: Mode) -> Shape {
    shape(scheme, mode, 4, 2)
}

pub(crate) fn shape(scheme: Scheme, mode: Mode, capacity: usize, slots: usize) -> Shape {
    fit(&request(scheme, capacity, slots, mode))
}

impl Claim {
    /// `signers` of `entries` sign; the threshold is their weight.
    pub(crate) fn new(shape: &Shape, entries: &[Entry], signers: &[usize]) -> Self {
        let message = Fr::from(0xfeed);
        let mut leaves = leaves(entries);
        let root = tree(shape, &leaves).root();
        let mut slots: Vec<_> = signers
            .iter()
            .map(|&member| Slot {
                index: member as u64,
                public_key: entries[member].point,
                weight: entries[member].weight,
                path: (shape.mode == Mode::Path).then(|| path(shape, &leaves, member)),
            })
            .collect();
        let threshold = slots.iter().map(|slot| slot.weight).sum();
        let unused = slots.len()..shape.slots;
        let generator = RawPoint::generator();
        slots.extend(unused.map(|number| Slot::unused(shape, number, generator, &[generator.x])));
        let signing: Vec<_> = signers.iter().map(|member| entries[*member]).collect();
        let signatures = sign_all(shape, root, &signing, &message);
        leaves.resize(shape.capacity.div_ceil(LEAF_MEMBERS), LeafFormat::Names.empty());
        leaves.retain(|_| shape.mode == Mode::WholeSet);
        let key_set_root = root;
        let unused_key = vec![];
        let inputs = Inputs {
            key_set_root,
            threshold,
            message,
            slots,
            signatures,
            leaves,
            whole: Whole::default(),
            rest: None,
            unused_key,
            mask: vec![],
        };
        Self { shape: shape.clone(), public: public_inputs(&inputs), inputs }
    }

    /// Members 1 and 3 of four.
    pub(crate) fn small(scheme: Scheme, mode: Mode) -> Self {
        Self::new(&small(scheme, mode), &members(4), &[1, 3])
    }

    /// Whether the honest generator's witness for these inputs is accepted.
    pub(crate) fn holds(&self) -> bool {
        satisfied(&self.shape, &self.inputs, self.public)
    }

    /// Whether it is accepted once cells are overwritten.
    pub(crate) fn holds_with(&self, forged: Vec<Forged>) -> bool {
        self.refused_by(forged).is_empty()
    }

    /// What refuses it once cells are overwritten: "gate", "copy", or the lookups of "edwards" and
    /// of "range".
    pub(crate) fn refused_by(&self, forged: Vec<Forged>) -> Vec<&'static str> {
        let mut circuit = fill(&self.shape, &self.inputs);
        circuit.forged = forged;
        let public = vec![self.public.to_vec()];
        let judge = Judge::new(self.shape.degree(), &circuit, public);
        let by: BTreeSet<_> = judge.failures().iter().map(by).collect();
        assert!(!by.is_empty() || judge.is_confirmed(&circuit, &[]));
        by.into_iter().collect()
    }

    pub(crate) fn grid(&self) -> Grid {
        let circuit = fill(&self.shape, &self.inputs);
        Grid::of(&circuit, &self.shape, self.public)
    }

    /// Asserts that the inputs, once changed, are refused.
    pub(crate) fn assert_refused_after(&self, name: &str, change: impl FnOnce(&mut Inputs)) {
        let mut bad = self.clone();
        change(&mut bad.inputs);
        assert!(!bad.holds(), "{name}: {}, {:?}", self.shape.scheme, self.shape.mode);
    }

    /// Asserts that the witness is refused once each of the first values has become the second one,
    /// wherever it stands.
    pub(crate) fn assert_refused_with(&self, name: &str, changes: &[(Fr, Fr)]) {
        let forged = self.grid().replace(changes);
        assert!(!forged.is_empty(), "{name}: the value is in the witness");
        let place = format!("{}, {:?}", self.shape.scheme, self.shape.mode);
        assert!(!self.holds_with(forged), "{name}: {place}");
    }
}

fn by(failure: &Failure) -> &'static str {
    match failure {
        Failure::Lookup(name, _) if name.starts_with("edwards") => "edwards",
        Failure::Lookup(name, _) if name.starts_with("range") => "range",
        Failure::Copy(_) => "copy",
        Failure::Gate(..) => "gate",
        other => panic!("{other:?}"),
    }
}

/// The first `count` members.
pub(crate) fn members(count: u64) -> Vec<Entry> {
    (0..count).map(Entry::new).collect()
}

/// The leaves of a set that nothing is known of, the last one perhaps not full.
pub(crate) fn leaves(entries: &[Entry]) -> Vec<Leaf> {
    let leaf = |members: &[Entry]| {
        let mut leaf = LeafFormat::Names.empty();
        for (i, member) in members.iter().enumerate() {
            (leaf.keys[i][0], leaf.weights[i]) = (member.point.x, member.weight);
        }
        leaf
    };
    entries.chunks(LEAF_MEMBERS).map(leaf).collect()
}

pub(crate) fn tree(shape: &Shape, leaves: &[Leaf]) -> MerkleTree {
    let hashes: Vec<_> = leaves.iter().map(Leaf::hash).collect();
    MerkleTree::new(&hashes, shape.arity, shape.depth, LeafFormat::Names).expect("it fits")
}

/// The way of a member, or of an empty place behind them.
pub(crate) fn path(shape: &Shape, leaves: &[Leaf], member: usize) -> MemberPath {
    let (leaf, position) = (member / LEAF_MEMBERS, member % LEAF_MEMBERS);
    let path = tree(shape, leaves).path(leaf).expect("a leaf of the tree");
    MemberPath {
        leaf: leaves.get(leaf).cloned().unwrap_or_else(|| LeafFormat::Names.empty()),
        position,
        path,
    }
}

/// The path of a slot, in the path mode.
pub(crate) fn way(slot: &mut Slot) -> &mut MemberPath {
    slot.path.as_mut().expect("a path")
}

/// Makes a slot claim a weight: by itself, and on a path by the leaf that it brings.
pub(crate) fn claim_weight(slot: &mut Slot, weight: u64) {
    slot.weight = weight;
    if let Some(path) = &mut slot.path {
        path.leaf.weights[path.position] = weight;
    }
}

/// Makes a slot claim a key in the same way.
pub(crate) fn claim_key(slot: &mut Slot, key: RawPoint) {
    slot.public_key = key;
    if let Some(path) = &mut slot.path {
        path.leaf.keys[path.position][0] = key.x;
    }
}

pub(crate) fn public_inputs(inputs: &Inputs) -> [Fr; 3] {
    [inputs.key_set_root, Fr::from(inputs.threshold), inputs.message]
}

/// One signature a slot, or that of all signers together.
pub(crate) fn sign_all(
    shape: &Shape,
    root: Fr,
    signing: &[Entry],
    message: &Fr,
) -> Vec<RawSignature> {
    let scheme = shape.scheme;
    if scheme.is_aggregate() {
        let secret = aggregate_secret(&coefficients(&root, signing), signing);
        return vec![sign(scheme, &secret, &times_generator(&secret), message)];
    }
    let signed = signing.iter().map(|entry| sign(scheme, &entry.secret, &entry.point, message));
    let mut signatures: Vec<_> = signed.collect();
    signatures.resize(shape.slots, padding_signature(scheme, message));
    signatures
}

pub(crate) fn padding_signature(scheme: Scheme, message: &Fr) -> RawSignature {
    match scheme {
        Scheme::Schnorr => Schnorr::padding_signature(message),
        Scheme::Eddsa => Eddsa::padding_signature(message),
        Scheme::Musig => musig::Musig::padding_signature(message),
        other => panic!("{other} is not over Baby Jubjub"),
    }
}

/// The coefficients of a list of signers in their aggregate key.
pub(crate) fn coefficients(root: &Fr, signing: &[Entry]) -> Vec<Scalar> {
    let keys: Vec<_> = signing.iter().map(|entry| entry.point.x).collect();
    musig::coefficients(root, &keys)
}

/// What signs for the aggregate key of these coefficients.
pub(crate) fn aggregate_secret(coefficients: &[Scalar], signing: &[Entry]) -> Scalar {
    assert_eq!(coefficients.len(), signing.len());
    coefficients.iter().zip(signing).map(|(a, entry)| *a * entry.secret).sum()
}

#[test]
fn claims_by_hand_hold() {
    for scheme in EMBEDDED {
        for mode in MODES {
            assert!(Claim::small(scheme, mode).holds(), "{scheme}, {mode:?}");
            let one = Claim::new(&small(scheme, mode), &members(4), &[2]);
            assert!(one.holds(), "{scheme}, {mode:?}");
        }
    }
}
