//! The inputs that fill a circuit.

use halo2_base::halo2_proofs::halo2curves::bn256::Fr;
use muster_gadgets::signature::instructions::{NativeInstructions, Padding, PaddingInstructions};
use muster_schemes::{
    membership::{Leaf, MemberPath, MerklePath, Whole},
    signature::SignatureScheme,
};

use crate::shape::Shape;

/// One slot's part of the witness.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Slot<K> {
    /// Index of the member; an unused slot has the capacity plus its own number. If there is a path, the
    /// circuit takes the index from it.
    pub(crate) index: u64,
    /// The member's key, however much of it the leaf holds.
    pub(crate) public_key: K,
    /// The member's weight; 0 for an unused slot.
    pub(crate) weight: u64,
    /// The path to the root, in modes with paths.
    pub(crate) path: Option<MemberPath>,
}

impl<K> Slot<K> {
    /// Slot `number`, unused. `leaf_key` is what a leaf would hold of `public_key`, which is no
    /// member's.
    pub(crate) fn unused(shape: &Shape, number: usize, public_key: K, leaf_key: &[Fr]) -> Self {
        let mut leaf = shape.scheme.leaf_format().empty();
        leaf.keys[0] = leaf_key.to_vec();
        let levels = vec![vec![Fr::zero(); shape.arity]; shape.depth];
        let path = MemberPath { leaf, position: 0, path: MerklePath { index: 0, levels } };
        let path = shape.mode.is_by_path().then_some(path);
        Self { index: (shape.capacity + number) as u64, public_key, weight: 0, path }
    }
}

/// Everything that fills a circuit: keys `K`, signatures `G`, a message `M`. Nothing here is known to
/// be right.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Inputs<K, G, M> {
    pub(crate) key_set_root: Fr,
    pub(crate) threshold: u64,
    pub(crate) message: M,
    /// One per slot, the used ones first, by increasing index.
    pub(crate) slots: Vec<Slot<K>>,
    /// One per slot, or a single one for an aggregate scheme.
    pub(crate) signatures: Vec<G>,
    /// As many leaves as the shape has room for; empty in modes with paths.
    pub(crate) leaves: Vec<Leaf>,
    /// What the root commits to, for a set whose keys add up.
    pub(crate) whole: Whole,
    /// In a mode that holds the absent, the key of all who are in no slot, less that of padding in each unused slot.
    pub(crate) rest: Option<K>,
    /// What a leaf would hold of the key of an unused slot.
    pub(crate) unused_key: Vec<Fr>,
    /// The words of the mask, if the shape has one.
    pub(crate) mask: Vec<Fr>,
}

/// The inputs that fill the circuit of a scheme.
pub(crate) type InputsOf<S> = Inputs<
    <S as NativeInstructions>::RawKey,
    <S as NativeInstructions>::RawSignature,
    <S as SignatureScheme>::Message,
>;

impl<K: Clone, G: Clone, M> Inputs<K, G, M> {
    /// Every slot unused and no leaf.
    pub(crate) fn unused<S>(shape: &Shape, scheme: &S, message: M) -> Self
    where
        S: PaddingInstructions<RawKey = K, RawSignature = G, Message = M>,
    {
        let inputs = Self {
            key_set_root: Fr::zero(),
            threshold: 1,
            message,
            slots: vec![],
            signatures: vec![],
            leaves: vec![],
            whole: Whole::default(),
            rest: None,
            unused_key: vec![],
            mask: vec![],
        };
        inputs.padded(shape, scheme)
    }

    /// Pads slots, signatures, leaves and mask words, and takes the key of padding for the rest if there
    /// is none.
    pub(crate) fn padded<S>(mut self, shape: &Shape, scheme: &S) -> Self
    where
        S: PaddingInstructions<RawKey = K, RawSignature = G, Message = M>,
    {
        let padding = scheme.padding(&self.message, 0).expect("there is a first signer");
        let Padding { key, leaf_key, signature } = padding;
        let unused = self.slots.len()..shape.slots;
        let unused = unused.map(|number| Slot::unused(shape, number, key.clone(), &leaf_key));
        self.slots.extend(unused);
        if shape.mode.holds_absent() {
            self.rest.get_or_insert(key);
        }
        self.signatures.resize(if S::AGGREGATE { 1 } else { shape.slots }, signature);
        self.unused_key = leaf_key;
        let format = shape.scheme.leaf_format();
        let leaves = shape.capacity.div_ceil(format.members());
        self.leaves.resize(if shape.mode.is_by_path() { 0 } else { leaves }, format.empty());
        self.mask.resize(shape.mask_inputs().len(), Fr::zero());
        self
    }
}
