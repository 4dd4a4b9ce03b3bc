//! The circuit of a translation.

use halo2_base::halo2_proofs::halo2curves::bn256::Fr;
use muster_gadgets::membership::translation::{AssignedTranslation, TranslatedSet};
use muster_gates::{GateCircuit, Gates, Usage};
use muster_schemes::membership::{Leaf, Whole};

use super::{
    shape::TranslationShape,
    statement::{COMMITMENT_HIGH, COMMITMENT_LOW, MEMBERS, TOTAL_WEIGHT, TRANSLATION_INPUTS},
};
use crate::statement::KEY_SET_ROOT;

/// Everything that fills a circuit. Nothing here is known to be right.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TranslationInputs {
    /// The public inputs.
    pub(crate) public: [Fr; TRANSLATION_INPUTS],
    /// As many leaves as the shape has room for.
    pub(crate) leaves: Vec<Leaf>,
    /// What else the root commits to, if keys add up.
    pub(crate) whole: Whole,
    /// The bytes of the key in each place, zeros in unused ones.
    pub(crate) keys: Vec<Vec<u8>>,
}

impl TranslationInputs {
    /// No member.
    pub(crate) fn unused(shape: &TranslationShape) -> Self {
        let public = [Fr::zero(); TRANSLATION_INPUTS];
        let inputs = Self { public, leaves: vec![], whole: Whole::default(), keys: vec![] };
        inputs.padded(shape)
    }

    /// Pads leaves and keys.
    pub(crate) fn padded(mut self, shape: &TranslationShape) -> Self {
        let format = shape.commitment.scheme().leaf_format();
        self.leaves.resize(shape.capacity.div_ceil(format.members()), format.empty());
        self.keys.resize(shape.capacity, vec![0; shape.commitment.key_bytes()]);
        self
    }
}

impl TranslationShape {
    /// Rows and cells that the circuit uses, whatever its columns.
    ///
    /// # Panics
    ///
    /// For a shape that its own check refuses.
    pub fn usage(&self) -> Usage {
        let inputs = TranslationInputs::unused(self);
        record(self, &inputs, Gates::total(&self.layout)).gates.usage()
    }
}

/// The circuit of `shape`, filled with `inputs`, right or wrong. Its first cells are the public inputs, in order.
pub(crate) fn record(
    shape: &TranslationShape,
    inputs: &TranslationInputs,
    mut gates: Gates,
) -> GateCircuit {
    let ctx = &mut gates.context();
    let TranslationInputs { public, leaves, whole, keys } = inputs;
    let public = ctx.assign_witnesses(*public);
    let claim = AssignedTranslation {
        key_set_root: public[KEY_SET_ROOT],
        commitment: [COMMITMENT_HIGH, COMMITMENT_LOW].map(|place| public[place]),
        members: public[MEMBERS],
        total_weight: public[TOTAL_WEIGHT],
    };
    let &TranslationShape { commitment, arity, depth, .. } = shape;
    let set = TranslatedSet { claim, leaves, keys, whole, arity, depth };
    commitment.assert_translates(ctx, &set);
    GateCircuit::of(&shape.layout, gates).with_public_inputs(TRANSLATION_INPUTS)
}
