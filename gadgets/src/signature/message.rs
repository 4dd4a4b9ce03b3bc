//! What is signed.

use std::fmt::Debug;

use ff::{Field, PrimeField};
use halo2curves::bn256::Fr;
use rand_core::{CryptoRng, RngCore};

/// Bytes of half a digest.
const HALF: usize = 16;

/// What is signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Message {
    /// An element of the circuit's own field.
    Field(Fr),
    /// 32 bytes, as from a hash.
    Digest([u8; 32]),
}

impl Message {
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

    /// Reads [`Self::public_inputs`]; `None` if their number is wrong, or if half a digest does not
    /// fit in 16 bytes.
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

/// A kind of message: what schemes sign.
pub trait SignedMessage: Copy + Default + Debug + PartialEq + Send + Sync + 'static {
    /// Public inputs that it takes.
    const INPUTS: usize;

    /// The message, if it is of this kind.
    fn of(message: &Message) -> Option<&Self>;

    /// The message in its general form.
    fn to_message(&self) -> Message;

    /// Reads 32 bytes; `None` for bytes that are not such a message.
    fn from_bytes(bytes: [u8; 32]) -> Option<Self>;

    /// A random one.
    fn random(rng: &mut (impl RngCore + CryptoRng)) -> Self;
}

/// An element of the circuit's own field, big-endian in bytes.
impl SignedMessage for Fr {
    const INPUTS: usize = 1;

    fn of(message: &Message) -> Option<&Self> {
        message.field()
    }

    fn to_message(&self) -> Message {
        (*self).into()
    }

    fn from_bytes(mut bytes: [u8; 32]) -> Option<Self> {
        bytes.reverse();
        Self::from_repr(bytes).into_option()
    }

    fn random(rng: &mut (impl RngCore + CryptoRng)) -> Self {
        <Self as Field>::random(rng)
    }
}

/// A digest, in two halves.
impl SignedMessage for [u8; 32] {
    const INPUTS: usize = 2;

    fn of(message: &Message) -> Option<&Self> {
        message.digest()
    }

    fn to_message(&self) -> Message {
        (*self).into()
    }

    fn from_bytes(bytes: [u8; 32]) -> Option<Self> {
        Some(bytes)
    }

    fn random(rng: &mut (impl RngCore + CryptoRng)) -> Self {
        let mut digest = [0; 32];
        rng.fill_bytes(&mut digest);
        digest
    }
}
