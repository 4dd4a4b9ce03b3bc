//! Names for what would otherwise be bare words.

use std::{fmt, str::FromStr};

use alloy_primitives::{Address, B256, U256};
use muster_circuits::encoding::{decimal, from_hex_exact};

use super::fault::BridgeFault;

/// Address of a light client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Client(Address);

impl Client {
    /// The bytes of an address.
    pub fn new(bytes: [u8; 20]) -> Self {
        Self(bytes.into())
    }

    /// The address as the last bytes of a word.
    pub(super) fn word(&self) -> B256 {
        self.0.into_word()
    }
}

impl FromStr for Client {
    type Err = BridgeFault;

    /// Reads `0x` hex. In mixed case the letters must be EIP-55's checksum: a committee that signs
    /// for a mistyped address signs for nobody.
    fn from_str(text: &str) -> Result<Self, BridgeFault> {
        let bytes = from_hex_exact(text).map_err(|fault| BridgeFault::Address(fault.into()))?;
        let client = Self::new(bytes);
        let digits = &text[2..];
        let has = |case: fn(&char) -> bool| digits.chars().any(|digit| case(&digit));
        let mixed = has(char::is_ascii_lowercase) && has(char::is_ascii_uppercase);
        if mixed && client.to_string() != text {
            return Err(BridgeFault::Address("the checksum in its letters is wrong".into()));
        }
        Ok(client)
    }
}

impl fmt::Display for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.to_checksum(None))
    }
}

/// Id of a chain, as in EIP-155.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ChainId(U256);

impl ChainId {
    /// The number as a word.
    pub(super) fn word(&self) -> B256 {
        self.0.into()
    }
}

impl From<u64> for ChainId {
    fn from(id: u64) -> Self {
        Self(U256::from(id))
    }
}

impl FromStr for ChainId {
    type Err = BridgeFault;

    /// Reads decimal digits, or `0x` hex.
    fn from_str(text: &str) -> Result<Self, BridgeFault> {
        // The parser accepts underscores, and reads an empty text as zero.
        let is_hex = |digits: &str| {
            !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_hexdigit())
        };
        let (digits, radix, is_number) = match text.strip_prefix("0x") {
            Some(digits) => (digits, 16, is_hex(digits)),
            None => (text, 10, decimal::is_integer(text)),
        };
        let id = is_number.then(|| U256::from_str_radix(digits, radix).ok()).flatten();
        id.map(Self).ok_or(BridgeFault::ChainId)
    }
}

impl fmt::Display for ChainId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Number of a committee's term: it starts at 1 and rises by one with each handover.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Epoch(u64);

impl Epoch {
    /// An epoch.
    ///
    /// # Errors
    ///
    /// [`BridgeFault::EpochZero`].
    pub fn new(number: u64) -> Result<Self, BridgeFault> {
        match number {
            0 => Err(BridgeFault::EpochZero),
            _ => Ok(Self(number)),
        }
    }

    /// The number.
    pub fn number(self) -> u64 {
        self.0
    }

    /// The epoch after this one.
    ///
    /// # Errors
    ///
    /// [`BridgeFault::LastEpoch`].
    pub fn next(self) -> Result<Self, BridgeFault> {
        self.0.checked_add(1).map(Self).ok_or(BridgeFault::LastEpoch)
    }
}

/// Until when the light client takes what was signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ValidUntil(u64);

impl ValidUntil {
    /// Without an end.
    pub const FOREVER: Self = Self(0);

    /// Up to this second of Unix time, and in it. Zero is [for ever](Self::FOREVER).
    pub fn from_seconds(seconds: u64) -> Self {
        Self(seconds)
    }

    /// The second, or zero.
    pub fn seconds(self) -> u64 {
        self.0
    }
}

/// Number of a proposal: of two, the one with the greater number counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sequence(u64);

impl Sequence {
    /// A sequence.
    ///
    /// # Errors
    ///
    /// [`BridgeFault::SequenceZero`].
    pub fn new(number: u64) -> Result<Self, BridgeFault> {
        match number {
            0 => Err(BridgeFault::SequenceZero),
            _ => Ok(Self(number)),
        }
    }

    /// The number.
    pub fn number(self) -> u64 {
        self.0
    }
}

/// Identity of a message: the same whoever signs it, alone or in a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MessageId(pub [u8; 32]);

/// Root of the tree over the messages of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BatchRoot(pub [u8; 32]);

/// Names a proposal: a committee, the epoch that it would serve, and the sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ProposalHash(pub [u8; 32]);
