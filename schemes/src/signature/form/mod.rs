//! How the bytes that are signed follow from the public message of a statement.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::plain::MAX_PLAIN_BYTES;
use crate::decimal;

/// The most bytes of a message that a circuit takes.
pub const MAX_MESSAGE_BYTES: usize = 1 << 12;

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

#[cfg(test)]
mod tests;
