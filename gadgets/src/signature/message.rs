//! What is signed.

use std::{fmt::Debug, sync::Arc};

use ff::{Field, PrimeField};
use halo2curves::bn256::Fr;
use rand_core::{CryptoRng, RngCore};
use sha2::{Digest as _, Sha256};

/// Bytes of half a digest.
const HALF: usize = 16;

/// What is signed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Message {
    /// An element of the circuit's own field.
    Field(Fr),
    /// 32 bytes, as from a hash.
    Digest([u8; 32]),
    /// Bytes of any number, which are public by their SHA-256. To prove takes the bytes; to verify, the digest is
    /// enough.
    Bytes(SignedBytes),
}

/// Bytes that are signed as they are. A statement has their SHA-256.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct SignedBytes(Arc<[u8]>);

impl SignedBytes {
    /// These bytes.
    pub fn new(bytes: &[u8]) -> Self {
        Self(bytes.into())
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// Their SHA-256.
    pub fn digest(&self) -> [u8; 32] {
        Sha256::digest(&self.0).into()
    }
}

impl Message {
    /// The element, if it is one.
    pub fn field(&self) -> Option<&Fr> {
        match self {
            Self::Field(element) => Some(element),
            Self::Digest(_) | Self::Bytes(_) => None,
        }
    }

    /// The digest, or that of bytes.
    pub fn digest(&self) -> Option<[u8; 32]> {
        match self {
            Self::Field(_) => None,
            Self::Digest(bytes) => Some(*bytes),
            Self::Bytes(signed) => Some(signed.digest()),
        }
    }

    /// The bytes, if they are known.
    pub fn signed_bytes(&self) -> Option<&SignedBytes> {
        match self {
            Self::Field(_) | Self::Digest(_) => None,
            Self::Bytes(signed) => Some(signed),
        }
    }

    /// What is public of it: of bytes, their digest.
    pub fn public(&self) -> Self {
        match self {
            Self::Field(_) | Self::Digest(_) => self.clone(),
            Self::Bytes(signed) => Self::Digest(signed.digest()),
        }
    }

    /// What is public of it in 32 bytes; a field element is written big-endian.
    pub fn to_bytes(&self) -> [u8; 32] {
        match self {
            Self::Field(element) => {
                let mut bytes: [u8; 32] = element.to_repr();
                bytes.reverse();
                bytes
            }
            Self::Digest(bytes) => *bytes,
            Self::Bytes(signed) => signed.digest(),
        }
    }

    /// Its public inputs: the element, or the two halves of the digest as big-endian integers.
    pub fn public_inputs(&self) -> Vec<Fr> {
        match self {
            Self::Field(element) => vec![*element],
            Self::Digest(bytes) => halves(bytes),
            Self::Bytes(signed) => halves(&signed.digest()),
        }
    }

    /// Reads [`Self::public_inputs`], bytes as their digest; `None` if their number is wrong, or if half a
    /// digest does not fit in 16 bytes.
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

impl From<SignedBytes> for Message {
    fn from(bytes: SignedBytes) -> Self {
        Self::Bytes(bytes)
    }
}

impl From<[u8; 32]> for Message {
    fn from(bytes: [u8; 32]) -> Self {
        Self::Digest(bytes)
    }
}

/// The halves of a digest as integers.
fn halves(digest: &[u8; 32]) -> Vec<Fr> {
    digest.chunks(HALF).map(half).collect()
}

fn half(bytes: &[u8]) -> Fr {
    let value = bytes.iter().fold(0, |value, byte| value << 8 | u128::from(*byte));
    Fr::from_u128(value)
}

/// A kind of message: what schemes sign.
pub trait SignedMessage: Clone + Default + Debug + PartialEq + Send + Sync + 'static {
    /// Public inputs that it takes.
    const INPUTS: usize;
    /// Bytes that it has; `None` if it may have any number.
    const LENGTH: Option<usize>;

    /// The message, if it is of this kind.
    fn of(message: &Message) -> Option<Self>;

    /// The message in its general form.
    fn to_message(&self) -> Message;

    /// Reads bytes; `None` for bytes that are not such a message.
    fn from_bytes(bytes: &[u8]) -> Option<Self>;

    /// A random one.
    fn random(rng: &mut (impl RngCore + CryptoRng)) -> Self;
}

/// An element of the circuit's own field, big-endian in bytes.
impl SignedMessage for Fr {
    const INPUTS: usize = 1;
    const LENGTH: Option<usize> = Some(32);

    fn of(message: &Message) -> Option<Self> {
        message.field().copied()
    }

    fn to_message(&self) -> Message {
        (*self).into()
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut repr: [u8; 32] = bytes.try_into().ok()?;
        repr.reverse();
        Self::from_repr(repr).into_option()
    }

    fn random(rng: &mut (impl RngCore + CryptoRng)) -> Self {
        <Self as Field>::random(rng)
    }
}

/// A digest, in two halves.
impl SignedMessage for [u8; 32] {
    const INPUTS: usize = 2;
    const LENGTH: Option<usize> = Some(32);

    fn of(message: &Message) -> Option<Self> {
        match message {
            Message::Digest(bytes) => Some(*bytes),
            Message::Field(_) | Message::Bytes(_) => None,
        }
    }

    fn to_message(&self) -> Message {
        (*self).into()
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok()
    }

    fn random(rng: &mut (impl RngCore + CryptoRng)) -> Self {
        let mut digest = [0; 32];
        rng.fill_bytes(&mut digest);
        digest
    }
}

/// Bytes of any number, by the two halves of their SHA-256.
impl SignedMessage for SignedBytes {
    const INPUTS: usize = 2;
    const LENGTH: Option<usize> = None;

    fn of(message: &Message) -> Option<Self> {
        message.signed_bytes().cloned()
    }

    fn to_message(&self) -> Message {
        self.clone().into()
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        Some(Self::new(bytes))
    }

    fn random(rng: &mut (impl RngCore + CryptoRng)) -> Self {
        Self::new(&<[u8; 32]>::random(rng))
    }
}
