//! The byte order of the words that a chain reads and returns.

use super::spec::MESSAGE;

/// How the bytes of a word are read as an integer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Order {
    /// The first byte is the highest: as FIPS 180-4 has it, section 3.1.
    #[default]
    Big,
    /// The first byte is the lowest: as RFC 8032 has it.
    Little,
}

impl Order {
    /// What FIPS 180-4 reads in the bytes that are `integer` in this order; and the other way round.
    pub(super) fn turn(self, integer: u64) -> u64 {
        match self {
            Self::Big => integer,
            Self::Little => integer.swap_bytes(),
        }
    }
}

/// What determines the fixed cells of a chain.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Form {
    /// How the words of each block are read.
    pub(super) messages: Vec<[Order; MESSAGE]>,
    /// How the words of hash values are read.
    pub(super) values: Order,
}

impl Form {
    /// Compressions of the chain.
    pub(super) fn blocks(&self) -> usize {
        self.messages.len()
    }
}
