//! What a translation says.

use halo2_base::halo2_proofs::halo2curves::{bn256::Fr, ff::PrimeField};

use crate::statement::KEY_SET_ROOT;

/// Place of the commitment's first 16 bytes among the public inputs; that of the root is [`KEY_SET_ROOT`].
pub const COMMITMENT_HIGH: usize = 1;
/// Place of its last 16 bytes.
pub const COMMITMENT_LOW: usize = 2;
/// Place of the number of members.
pub const MEMBERS: usize = 3;
/// Place of the sum of all weights.
pub const TOTAL_WEIGHT: usize = 4;
/// How many public inputs there are.
pub const TRANSLATION_INPUTS: usize = 5;

/// The set with `key_set_root` has the members of the chain's `commitment`, in the same places, and they are distinct unless they
/// are seats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TranslationStatement {
    /// Root of the tree over the members' leaves.
    pub key_set_root: Fr,
    /// The chain's own hash of them.
    pub commitment: [u8; 32],
    /// How many members there are: the chain's own number, if the commitment
    /// [does not fix it](super::CommitmentKind::fixes_number).
    pub members: u64,
    /// The sum of their weights.
    pub total_weight: u64,
}

impl TranslationStatement {
    /// The public inputs, in order.
    pub fn public_inputs(&self) -> [Fr; TRANSLATION_INPUTS] {
        let (high, low) = self.commitment.split_at(16);
        let [high, low] = [high, low].map(|half| {
            Fr::from_u128(half.iter().fold(0, |number, byte| number << 8 | u128::from(*byte)))
        });
        let mut inputs = [Fr::zero(); TRANSLATION_INPUTS];
        inputs[KEY_SET_ROOT] = self.key_set_root;
        inputs[COMMITMENT_HIGH] = high;
        inputs[COMMITMENT_LOW] = low;
        inputs[MEMBERS] = Fr::from(self.members);
        inputs[TOTAL_WEIGHT] = Fr::from(self.total_weight);
        inputs
    }

    /// The statement with these inputs: a claim of whoever made them. `None` if there are not as many, or one is not
    /// the number that it should be.
    pub fn from_public_inputs(inputs: &[Fr]) -> Option<Self> {
        let inputs: &[Fr; TRANSLATION_INPUTS] = inputs.try_into().ok()?;
        let bytes = |place: usize, count: usize| {
            let bytes = inputs[place].to_bytes();
            let (low, high) = bytes.split_at(count);
            high.iter()
                .all(|byte| *byte == 0)
                .then(|| low.iter().rev().copied().collect::<Vec<_>>())
        };
        let number = |place: usize| {
            let bytes = bytes(place, 8)?;
            Some(bytes.iter().fold(0, |number, byte| number << 8 | u64::from(*byte)))
        };
        let commitment = [bytes(COMMITMENT_HIGH, 16)?, bytes(COMMITMENT_LOW, 16)?].concat();
        Some(Self {
            key_set_root: inputs[KEY_SET_ROOT],
            commitment: commitment.try_into().ok()?,
            members: number(MEMBERS)?,
            total_weight: number(TOTAL_WEIGHT)?,
        })
    }
}
