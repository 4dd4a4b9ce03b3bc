//! Bytes that are signed as they are, and those of them that are public themselves: their bytes and their length.

use std::sync::Arc;

use halo2curves::bn256::Fr;

use crate::{
    field::{in_bytes, of_bytes},
    hash::sha256::sha256,
};

/// The most bytes of a message that is public itself.
pub const MAX_PLAIN_BYTES: usize = 64;

/// Public inputs of such a message.
pub const PLAIN_INPUTS: usize = 3;

/// Bytes of each public input but the last, which has the rest.
const INPUT: usize = 24;

/// Bytes of all public inputs together: the zero-padded message, then its length.
const RECORD: usize = MAX_PLAIN_BYTES + 1;

// A length is a byte, and each input is below the modulus whatever its bytes are.
const _: () = assert!(MAX_PLAIN_BYTES <= u8::MAX as usize && INPUT < 32);
const _: () = assert!(RECORD.div_ceil(INPUT) == PLAIN_INPUTS);

/// Bytes of any length that are signed as they are.
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

    /// The first `most` bytes, or all if there are fewer.
    pub fn up_to(&self, most: usize) -> Self {
        Self::new(&self.0[..self.0.len().min(most)])
    }

    /// Their SHA-256.
    pub fn digest(&self) -> [u8; 32] {
        sha256(&self.0)
    }
}

/// At most 64 bytes that are signed, and that are public as they are.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PlainBytes(SignedBytes);

impl PlainBytes {
    /// These bytes; `None` if there are more than 64.
    pub fn new(bytes: &SignedBytes) -> Option<Self> {
        (bytes.bytes().len() <= MAX_PLAIN_BYTES).then(|| Self(bytes.clone()))
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        self.0.bytes()
    }

    /// The bytes as signers sign them.
    pub fn signed(&self) -> &SignedBytes {
        &self.0
    }

    /// The message, zero-padded to 64 bytes, and its length in one byte, as big-endian integers of 24, 24 and 17 bytes.
    pub fn public_inputs(&self) -> [Fr; PLAIN_INPUTS] {
        let mut record = [0; RECORD];
        record[..self.bytes().len()].copy_from_slice(self.bytes());
        record[MAX_PLAIN_BYTES] = self.bytes().len() as u8;
        let mut chunks = record.chunks(INPUT);
        std::array::from_fn(|_| chunks.next().map_or(Fr::zero(), of_bytes))
    }

    /// Reads [`Self::public_inputs`]. The encoding is unique: `None` for integers of more bytes, a length above 64, or
    /// anything but zeros behind the message.
    pub fn from_public_inputs(inputs: &[Fr; PLAIN_INPUTS]) -> Option<Self> {
        let mut record = [0; RECORD];
        for (input, chunk) in inputs.iter().zip(record.chunks_mut(INPUT)) {
            chunk.copy_from_slice(&in_bytes(input, chunk.len())?);
        }
        let (message, length) = record.split_at(MAX_PLAIN_BYTES);
        let (bytes, behind) = message.split_at_checked(length[0].into())?;
        behind.iter().all(|byte| *byte == 0).then(|| Self(SignedBytes::new(bytes)))
    }
}
