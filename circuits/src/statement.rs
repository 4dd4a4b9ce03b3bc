//! What a proof says.

use halo2_base::halo2_proofs::halo2curves::{bn256::Fr, ff::PrimeField};

use crate::Scheme;

/// Place of the key-set root among the public inputs.
pub const KEY_SET_ROOT: usize = 0;
/// Place of the threshold among the public inputs.
pub const THRESHOLD: usize = 1;
/// Place of the message among the public inputs, if it is a field element.
pub const MESSAGE: usize = 2;
/// Place of the message's first 16 bytes among the public inputs, if it is a digest.
pub const MESSAGE_HIGH: usize = 2;
/// Place of the message's last 16 bytes among the public inputs, if it is a digest.
pub const MESSAGE_LOW: usize = 3;

/// Bytes of half a digest.
const HALF: usize = 16;

/// What is signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Message {
    /// An element of the circuit's own field.
    Field(Fr),
    /// 32 bytes, as a hash gives them.
    Digest([u8; 32]),
}

impl Message {
    /// Reads 32 bytes as `scheme` takes its messages; `None` for an integer that is no element of
    /// the field, where one is needed.
    pub fn from_bytes(scheme: Scheme, bytes: [u8; 32]) -> Option<Self> {
        if scheme.is_foreign() {
            return Some(Self::Digest(bytes));
        }
        let mut bytes = bytes;
        bytes.reverse();
        Fr::from_repr(bytes).into_option().map(Self::Field)
    }

    /// The element, if it is one.
    pub fn field(&self) -> Option<&Fr> {
        match self {
            Self::Field(element) => Some(element),
            Self::Digest(_) => None,
        }
    }

    /// The digest, if it is one.
    pub fn digest(&self) -> Option<&[u8; 32]> {
        match self {
            Self::Field(_) => None,
            Self::Digest(bytes) => Some(bytes),
        }
    }

    /// 32 bytes; a field element is written big-endian.
    pub fn to_bytes(&self) -> [u8; 32] {
        match self {
            Self::Field(element) => {
                let mut bytes: [u8; 32] = element.to_repr();
                bytes.reverse();
                bytes
            }
            Self::Digest(bytes) => *bytes,
        }
    }

    /// Its public inputs: the element, or the two halves of the digest as big-endian integers.
    pub fn public_inputs(&self) -> Vec<Fr> {
        match self {
            Self::Field(element) => vec![*element],
            Self::Digest(bytes) => bytes.chunks(HALF).map(half).collect(),
        }
    }

    /// Reads [`Self::public_inputs`]; `None` for another number of them, or for half a digest that
    /// does not fit 16 bytes.
    pub fn from_public_inputs(inputs: &[Fr]) -> Option<Self> {
        match inputs {
            [element] => Some(Self::Field(*element)),
            [high, low] => {
                let mut bytes = [0; 2 * HALF];
                for (input, half) in [high, low].into_iter().zip(bytes.chunks_mut(HALF)) {
                    let repr: [u8; 32] = input.to_repr();
                    let (value, zeros) = repr.split_at(HALF);
                    if zeros.iter().any(|byte| *byte != 0) {
                        return None;
                    }
                    half.copy_from_slice(value);
                    half.reverse();
                }
                Some(Self::Digest(bytes))
            }
            _ => None,
        }
    }
}

impl From<Fr> for Message {
    fn from(element: Fr) -> Self {
        Self::Field(element)
    }
}

impl From<[u8; 32]> for Message {
    fn from(bytes: [u8; 32]) -> Self {
        Self::Digest(bytes)
    }
}

/// Half a digest as an integer.
fn half(bytes: &[u8]) -> Fr {
    let value = bytes.iter().fold(0, |value, byte| value << 8 | u128::from(*byte));
    Fr::from_u128(value)
}

/// Distinct members of the set committed by `key_set_root` signed `message`, and their weights add
/// up to at least `threshold`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Statement {
    /// Root of the tree over the members' leaves.
    pub key_set_root: Fr,
    /// Least sum of weights, from 1 up.
    pub threshold: u64,
    /// What was signed.
    pub message: Message,
}

impl Statement {
    /// The public inputs, in order: as many as [`Scheme::public_inputs`] says.
    pub fn public_inputs(&self) -> Vec<Fr> {
        let mut inputs = vec![self.key_set_root, Fr::from(self.threshold)];
        inputs.extend(self.message.public_inputs());
        inputs
    }
}
