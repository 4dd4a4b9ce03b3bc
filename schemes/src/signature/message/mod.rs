//! What is signed, and how it follows from the public message of a statement.

#[cfg(test)]
mod tests;

use std::{
    fmt::{self, Debug},
    str::FromStr,
};

use ff::Field;
use halo2curves::bn256::Fr;
use rand_core::{CryptoRng, RngCore};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{
    bls::{Ciphersuite, HashedMessage, MessageGroup, PointMessage, SignedPoint},
    signed_bytes::{PlainBytes, SignedBytes, MAX_PLAIN_BYTES, PLAIN_INPUTS},
};
use crate::{
    decimal,
    field::{from_big_endian, halves, in_bytes, to_big_endian},
};

/// Bytes of half a digest.
const HALF: usize = 16;

/// What is signed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Message {
    /// An element of the circuit's own field.
    Field(Fr),
    /// 32 bytes, as from a hash, which are public themselves.
    Digest([u8; 32]),
    /// Bytes of any length, which are public by their SHA-256. Proving takes the bytes; verifying takes only the
    /// digest.
    Bytes(SignedBytes),
    /// At most 64 bytes, which are public themselves.
    Plain(PlainBytes),
    /// A point, which is public itself.
    Point(PointMessage),
}

/// How a statement represents its message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PublicMessage {
    /// An element of the circuit's own field.
    Element,
    /// 32 bytes, in two halves.
    Digest,
    /// At most 64 bytes and their length, in three elements.
    Plain,
    /// A point of this group, in words.
    Point(MessageGroup),
}

impl PublicMessage {
    /// How many public inputs it takes.
    pub fn inputs(self) -> usize {
        match self {
            Self::Element => 1,
            Self::Digest => 2,
            Self::Plain => PLAIN_INPUTS,
            Self::Point(group) => group.inputs(),
        }
    }
}

impl Message {
    /// How a statement represents it.
    pub fn kind(&self) -> PublicMessage {
        match self {
            Self::Field(_) => PublicMessage::Element,
            Self::Digest(_) | Self::Bytes(_) => PublicMessage::Digest,
            Self::Plain(_) => PublicMessage::Plain,
            Self::Point(point) => PublicMessage::Point(point.group()),
        }
    }

    /// The element, if it is one.
    pub fn field(&self) -> Option<&Fr> {
        match self {
            Self::Field(element) => Some(element),
            Self::Digest(_) | Self::Bytes(_) | Self::Plain(_) | Self::Point(_) => None,
        }
    }

    /// The digest: the message itself, or that of bytes that are public by it.
    pub fn digest(&self) -> Option<[u8; 32]> {
        match self {
            Self::Field(_) | Self::Plain(_) | Self::Point(_) => None,
            Self::Digest(bytes) => Some(*bytes),
            Self::Bytes(signed) => Some(signed.digest()),
        }
    }

    /// The bytes, if they are known.
    pub fn signed_bytes(&self) -> Option<&SignedBytes> {
        match self {
            Self::Field(_) | Self::Digest(_) | Self::Point(_) => None,
            Self::Bytes(signed) => Some(signed),
            Self::Plain(plain) => Some(plain.signed()),
        }
    }

    /// The message as a statement of this form holds it: bytes that are public themselves are [`Self::Plain`], or
    /// [`Self::Digest`] if there are always 32, and other bytes [`Self::Bytes`]. `None` for bytes of a length that
    /// cannot be public, and for the bytes of a point, whose group the form does not give.
    pub fn in_form(&self, form: MessageForm) -> Option<Self> {
        match (self.signed_bytes(), self, form) {
            (Some(_), _, MessageForm::Point) | (None, Self::Digest(_), MessageForm::Point) => None,
            (Some(signed), _, MessageForm::Bytes { .. }) => {
                PlainBytes::new(signed).map(Self::Plain)
            }
            (Some(signed), _, MessageForm::Public) => {
                signed.bytes().try_into().ok().map(Self::Digest)
            }
            (Some(signed), ..) => Some(Self::Bytes(signed.clone())),
            (None, Self::Digest(bytes), MessageForm::Sha256 { .. }) => {
                Some(Self::Bytes(SignedBytes::new(bytes)))
            }
            (None, ..) => Some(self.clone()),
        }
    }

    /// Like [`Self::in_form`], but unchanged if it cannot have this form: no circuit takes it for what is signed.
    pub fn stated(self, form: MessageForm) -> Self {
        self.in_form(form).unwrap_or(self)
    }

    /// Its public part: for bytes, their digest, unless they are public themselves.
    pub fn public(&self) -> Self {
        match self {
            Self::Field(_) | Self::Digest(_) | Self::Plain(_) | Self::Point(_) => self.clone(),
            Self::Bytes(signed) => Self::Digest(signed.digest()),
        }
    }

    /// Its public part as bytes: 32 of them, except for bytes and points that are public themselves. A field element is
    /// big-endian.
    pub fn to_bytes(&self) -> Vec<u8> {
        match self {
            Self::Field(element) => to_big_endian(element).to_vec(),
            Self::Digest(bytes) => bytes.to_vec(),
            Self::Bytes(signed) => signed.digest().to_vec(),
            Self::Plain(plain) => plain.bytes().to_vec(),
            Self::Point(point) => point.to_bytes(),
        }
    }

    /// Its public inputs: the element; the two halves of the digest as big-endian integers; or, for bytes and points
    /// that are public themselves, [those of the bytes](PlainBytes::public_inputs) or
    /// [of the point](PointMessage::public_inputs).
    pub fn public_inputs(&self) -> Vec<Fr> {
        match self {
            Self::Field(element) => vec![*element],
            Self::Digest(bytes) => halves(bytes).to_vec(),
            Self::Bytes(signed) => halves(&signed.digest()).to_vec(),
            Self::Plain(plain) => plain.public_inputs().to_vec(),
            Self::Point(point) => point.public_inputs(),
        }
    }

    /// Reads [`Self::public_inputs`]; bytes that are public by a digest are read as the digest. `None` if the number of
    /// inputs is wrong, if half a digest does not fit in 16 bytes, or if they are
    /// [not those of bytes](PlainBytes::from_public_inputs) or [of a point](PointMessage::from_public_inputs).
    pub fn from_public_inputs(inputs: &[Fr]) -> Option<Self> {
        match inputs {
            [element] => Some(Self::Field(*element)),
            [high, low] => {
                let bytes = [in_bytes(high, HALF)?, in_bytes(low, HALF)?].concat();
                bytes.try_into().ok().map(Self::Digest)
            }
            _ => match MessageGroup::with_inputs(inputs.len()) {
                Some(group) => PointMessage::from_public_inputs(group, inputs).map(Self::Point),
                None => {
                    let inputs = inputs.try_into().ok()?;
                    PlainBytes::from_public_inputs(inputs).map(Self::Plain)
                }
            },
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

/// A kind of message that schemes sign.
pub trait SignedMessage: Clone + Default + Debug + PartialEq + Send + Sync + 'static {
    /// How a statement represents it, unless a message form says otherwise.
    const PUBLIC: PublicMessage;
    /// Its length in bytes; `None` if it may have any.
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
    const PUBLIC: PublicMessage = PublicMessage::Element;
    const LENGTH: Option<usize> = Some(32);

    fn of(message: &Message) -> Option<Self> {
        message.field().copied()
    }

    fn to_message(&self) -> Message {
        (*self).into()
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        from_big_endian(bytes.try_into().ok()?)
    }

    fn random(rng: &mut (impl RngCore + CryptoRng)) -> Self {
        <Self as Field>::random(rng)
    }
}

/// A digest, in two halves.
impl SignedMessage for [u8; 32] {
    const PUBLIC: PublicMessage = PublicMessage::Digest;
    const LENGTH: Option<usize> = Some(32);

    fn of(message: &Message) -> Option<Self> {
        match message {
            Message::Digest(bytes) => Some(*bytes),
            Message::Field(_) | Message::Bytes(_) | Message::Plain(_) | Message::Point(_) => None,
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

/// Bytes of any length, by the two halves of their SHA-256 unless they are public themselves.
impl SignedMessage for SignedBytes {
    const PUBLIC: PublicMessage = PublicMessage::Digest;
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

/// 32 bytes that are public themselves, in two halves; bytes of any length, by the two halves of their SHA-256; or a
/// point. The form says which; without one, 32 bytes are public themselves.
impl<S: Ciphersuite> SignedMessage for HashedMessage<S> {
    const PUBLIC: PublicMessage = PublicMessage::Digest;
    const LENGTH: Option<usize> = None;

    fn of(message: &Message) -> Option<Self> {
        match message {
            Message::Digest(bytes) => Some((*bytes).into()),
            Message::Bytes(signed) => Some(signed.clone().into()),
            Message::Point(point) => SignedPoint::of(point).map(Self::Point),
            Message::Field(_) | Message::Plain(_) => None,
        }
    }

    fn to_message(&self) -> Message {
        match self {
            Self::Bytes(signed) => Message::stated(signed.clone().into(), MessageForm::Public),
            Self::Point(point) => point.to_message(),
        }
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        Some(SignedBytes::new(bytes).into())
    }

    fn random(rng: &mut (impl RngCore + CryptoRng)) -> Self {
        <[u8; 32]>::random(rng).into()
    }
}

/// A point, in words.
impl<S: Ciphersuite> SignedMessage for SignedPoint<S> {
    const PUBLIC: PublicMessage = PublicMessage::Point(S::GROUP);
    const LENGTH: Option<usize> = Some(S::GROUP.bytes());

    fn of(message: &Message) -> Option<Self> {
        match message {
            Message::Point(point) => Self::of(point),
            Message::Field(_) | Message::Digest(_) | Message::Bytes(_) | Message::Plain(_) => None,
        }
    }

    fn to_message(&self) -> Message {
        Message::Point(self.message())
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        PointMessage::from_bytes(S::GROUP, bytes).ok().and_then(|point| Self::of(&point))
    }

    fn random(rng: &mut (impl RngCore + CryptoRng)) -> Self {
        Self::random(rng)
    }
}

/// The most bytes of a message that a circuit takes. Nothing in a circuit ends here; what its bytes take, a block of
/// SHA-256 for each 64, should stay below what keys can have.
pub const MAX_MESSAGE_BYTES: usize = 1 << 14;

/// How the bytes that are signed follow from the public message. It is part of a shape, since it decides how a
/// circuit makes the bytes that it hashes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum MessageForm {
    /// The public message itself is signed.
    #[default]
    Public,
    /// All sign the same bytes, whose SHA-256 is public.
    Sha256 {
        /// The most bytes that a message may have.
        most: usize,
    },
    /// All sign the same bytes, which are public themselves.
    Bytes {
        /// The most bytes that a message may have, at most 64.
        most: usize,
    },
    /// All sign the same point, which is public itself. What the verifier has hashed to it is left open.
    Point,
    /// Each signs CometBFT's canonical precommit for one block with a time of its own. What they share is public by the
    /// SHA-256 of its encoding, [`Precommit`](super::cometbft::Precommit).
    CometbftPrecommit,
}

/// A text that names no form of a message.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown message form {0:?}: expected public, sha256:N for at most N bytes, N from 1 to {MAX_MESSAGE_BYTES}, bytes:N, N from 1 to {MAX_PLAIN_BYTES}, point, or cometbft-precommit")]
pub struct UnknownForm(String);

impl MessageForm {
    /// Whether each signer signs a time of its own.
    pub fn has_times(&self) -> bool {
        *self == Self::CometbftPrecommit
    }

    /// Whether the public message is what is signed.
    pub fn is_public(&self) -> bool {
        *self == Self::Public
    }

    /// Whether the signed point is public itself, rather than what is hashed to it.
    pub fn is_point(&self) -> bool {
        *self == Self::Point
    }

    /// Whether the signed bytes are public themselves.
    pub fn is_plain(&self) -> bool {
        matches!(self, Self::Bytes { .. })
    }
}

impl fmt::Display for MessageForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Public => f.write_str("public"),
            Self::Sha256 { most } => write!(f, "sha256:{most}"),
            Self::Bytes { most } => write!(f, "bytes:{most}"),
            Self::Point => f.write_str("point"),
            Self::CometbftPrecommit => f.write_str("cometbft-precommit"),
        }
    }
}

impl FromStr for MessageForm {
    type Err = UnknownForm;

    fn from_str(text: &str) -> Result<Self, UnknownForm> {
        let unknown = || UnknownForm(text.to_owned());
        let number = |most| decimal::read(most).map_err(|_| unknown());
        let form = match text.split_once(':') {
            None if text == "public" => Self::Public,
            None if text == "point" => Self::Point,
            None if text == "cometbft-precommit" => Self::CometbftPrecommit,
            Some(("sha256", most)) => Self::Sha256 { most: number(most)? },
            Some(("bytes", most)) => Self::Bytes { most: number(most)? },
            _ => return Err(unknown()),
        };
        let is_bounded = match form {
            Self::Public | Self::Point | Self::CometbftPrecommit => true,
            Self::Sha256 { most } => (1..=MAX_MESSAGE_BYTES).contains(&most),
            Self::Bytes { most } => (1..=MAX_PLAIN_BYTES).contains(&most),
        };
        is_bounded.then_some(form).ok_or_else(unknown)
    }
}

impl From<MessageForm> for String {
    fn from(form: MessageForm) -> Self {
        form.to_string()
    }
}

impl TryFrom<String> for MessageForm {
    type Error = UnknownForm;

    fn try_from(text: String) -> Result<Self, UnknownForm> {
        text.parse()
    }
}
