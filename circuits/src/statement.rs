//! What a proof says.

use halo2_base::halo2_proofs::halo2curves::bn256::Fr;

/// Place of the key-set root among the public inputs.
pub const KEY_SET_ROOT: usize = 0;
/// Place of the threshold among the public inputs.
pub const THRESHOLD: usize = 1;
/// Place of the message among the public inputs.
pub const MESSAGE: usize = 2;
/// Number of public inputs.
pub const PUBLIC_INPUTS: usize = 3;

/// Distinct members of the set committed by `key_set_root` signed `message`, and their weights add
/// up to at least `threshold`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Statement {
    /// Root of the tree over the members' leaves.
    pub key_set_root: Fr,
    /// Least sum of weights, from 1 up.
    pub threshold: u64,
    /// What was signed.
    pub message: Fr,
}

impl Statement {
    /// The public inputs, in order.
    pub fn public_inputs(&self) -> [Fr; PUBLIC_INPUTS] {
        let mut inputs = [Fr::zero(); PUBLIC_INPUTS];
        inputs[KEY_SET_ROOT] = self.key_set_root;
        inputs[THRESHOLD] = Fr::from(self.threshold);
        inputs[MESSAGE] = self.message;
        inputs
    }
}
