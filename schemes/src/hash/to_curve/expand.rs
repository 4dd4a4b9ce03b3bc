//! Uniform bytes from a message: `expand_message_xmd` over SHA-256 or Keccak-256.

use sha2::{Digest, Sha256};
use sha3::Keccak256;

use crate::hash::keccak::native::RATE;

/// Bytes of a block of SHA-256.
pub const BLOCK: usize = 64;
/// Bytes of a digest.
pub const DIGEST: usize = 32;
/// Most bytes of a tag, RFC 9380 section 5.3.3. Longer ones would be hashed first.
pub const MAX_TAG: usize = 255;

/// A domain separation tag, RFC 9380 section 3.1: it keeps the hashes of different protocols apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tag<'a>(&'a [u8]);

/// Why bytes are not a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a domain separation tag has 1 to 255 bytes, not {0}")]
pub struct TagError(pub usize);

impl<'a> Tag<'a> {
    /// The tag of these bytes.
    ///
    /// # Errors
    ///
    /// [`TagError`] if there are none, or more than [`MAX_TAG`].
    pub fn new(bytes: &'a [u8]) -> Result<Self, TagError> {
        let has_length = (1..=MAX_TAG).contains(&bytes.len());
        has_length.then_some(Self(bytes)).ok_or(TagError(bytes.len()))
    }

    /// Its bytes.
    pub fn bytes(&self) -> &'a [u8] {
        self.0
    }

    /// The tag followed by its length in one byte: `DST_prime` of section 5.3.1.
    pub fn with_length(&self) -> Vec<u8> {
        [self.0, &[self.0.len() as u8]].concat()
    }

    /// What follows the message in the first hash: the length of the expansion in two bytes, a zero, and the tag.
    pub fn behind_message(&self, length: usize) -> Vec<u8> {
        let length = u16::try_from(length).expect("an expansion has at most 255 digests");
        [&length.to_be_bytes()[..], &[0], &self.with_length()].concat()
    }
}

/// A hash of which `expand_message_xmd` is made. Digests of both have [`DIGEST`] bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expander {
    /// `XMD:SHA-256`.
    Sha256,
    /// `XMD:KECCAK-256`, with Keccak as in Ethereum.
    Keccak256,
}

impl Expander {
    /// `length` bytes from `message`, RFC 9380 section 5.3.1.
    ///
    /// # Panics
    /// If these are more than 255 digests.
    pub fn expand(self, message: &[u8], tag: &Tag, length: usize) -> Vec<u8> {
        match self {
            Self::Sha256 => expand_with::<Sha256>(&[0; BLOCK], message, tag, length),
            Self::Keccak256 => expand_with::<Keccak256>(&[0; RATE], message, tag, length),
        }
    }
}

/// `length` bytes from `message` over SHA-256.
///
/// # Panics
/// If these are more than 255 digests.
pub fn expand(message: &[u8], tag: &Tag, length: usize) -> Vec<u8> {
    Expander::Sha256.expand(message, tag, length)
}

/// The same with a hash whose first block `zeros` fill.
fn expand_with<H: Digest>(zeros: &[u8], message: &[u8], tag: &Tag, length: usize) -> Vec<u8> {
    let count =
        u8::try_from(length.div_ceil(DIGEST)).expect("an expansion has at most 255 digests");
    let first = H::new()
        .chain_update(zeros)
        .chain_update(message)
        .chain_update(tag.behind_message(length))
        .finalize();
    let mut bytes = vec![];
    let mut before = vec![0; DIGEST];
    for number in 1..=count {
        let mixed: Vec<u8> = first.iter().zip(&before).map(|(a, b)| a ^ b).collect();
        let hash = H::new().chain_update(mixed).chain_update([number]);
        before = hash.chain_update(tag.with_length()).finalize().to_vec();
        bytes.extend(&before);
    }
    bytes.truncate(length);
    bytes
}
