//! What a proof says.

use halo2_base::halo2_proofs::halo2curves::bn256::Fr;
use muster_schemes::{membership::SignerMask, signature::Message};

/// Place of the key-set root among the public inputs.
pub const KEY_SET_ROOT: usize = 0;
/// Place of the threshold among the public inputs.
pub const THRESHOLD: usize = 1;
/// Place of the message among the public inputs, if it is a field element.
pub const MESSAGE: usize = 2;
/// Place of the message's bytes 0 to 23 among the public inputs, if the message itself is public.
pub const MESSAGE_FIRST: usize = 2;
/// Place of its bytes 24 to 47.
pub const MESSAGE_SECOND: usize = 3;
/// Place of its bytes 48 to 63, followed by its length.
pub const MESSAGE_THIRD: usize = 4;
/// Place of the message's first 16 bytes among the public inputs, if it is a digest.
pub const MESSAGE_HIGH: usize = 2;
/// Place of the message's last 16 bytes among the public inputs, if it is a digest.
pub const MESSAGE_LOW: usize = 3;

/// Distinct members of the set committed by `key_set_root` signed `message`, and their weights add
/// up to at least `threshold`. If the shape says who signed, those members are `signers`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// Root of the tree over the members' leaves.
    pub key_set_root: Fr,
    /// Least sum of weights, at least 1.
    pub threshold: u64,
    /// What was signed.
    pub message: Message,
    /// Who signed, if the shape [says so](crate::Shape::mask).
    pub signers: Option<SignerMask>,
}

impl Statement {
    /// The public inputs, in order: as many as [`Shape::public_inputs`](crate::Shape::public_inputs) says, if
    /// the message is in the shape's form and `signers` follows its [`mask`](crate::Shape::mask).
    pub fn public_inputs(&self) -> Vec<Fr> {
        let mut inputs = vec![self.key_set_root, Fr::from(self.threshold)];
        inputs.extend(self.message.public_inputs());
        inputs.extend(self.signers.iter().flat_map(SignerMask::words));
        inputs
    }
}
