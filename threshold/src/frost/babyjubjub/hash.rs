//! The hashes of the ciphersuite.

use blake2::{Blake2b512, Digest};
use ff::{FromUniformBytes, PrimeField};
use halo2curves::bn256::Fr;
use muster_gadgets::{
    curve::edwards::{AffinePoint, Scalar},
    signature::schnorr,
};

/// The ciphersuite's name, which is in every hash but the challenge.
pub const CONTEXT: &str = "FROST-BABYJUBJUB-POSEIDON-v1";

/// Blake2b-512 of the suite's name, a label and the bytes. No label is a prefix of another.
pub(super) fn to_array(label: &str, bytes: &[u8]) -> [u8; 64] {
    let hash = Blake2b512::new_with_prefix(CONTEXT).chain_update(label).chain_update(bytes);
    hash.finalize().into()
}

/// The same modulo l, with a bias below 2^-250.
pub(super) fn to_scalar(label: &str, bytes: &[u8]) -> Scalar {
    Scalar::from_wide(&to_array(label, bytes))
}

/// The challenge of `schnorr-babyjubjub`, modulo l.
pub(super) fn challenge(r: AffinePoint, a: AffinePoint, message: &[u8]) -> Scalar {
    Scalar::from_base(&schnorr::challenge(r, a, &message_to_field(message)))
}

/// The field element that stands for a message: the integer of 32 big-endian bytes below the
/// modulus; for any other bytes, a hash labelled with the suite's name.
///
/// `schnorr-babyjubjub` signs only field elements, so a signature on a text is one on the text's
/// hash.
pub fn message_to_field(message: &[u8]) -> Fr {
    let canonical = |mut bytes: [u8; 32]| {
        bytes.reverse();
        Fr::from_repr(bytes).into_option()
    };
    let element = message.try_into().ok().and_then(canonical);
    element.unwrap_or_else(|| Fr::from_uniform_bytes(&to_array("text", message)))
}
