//! SHA-256 (FIPS 180-4).

use sha2::{compress256, digest::generic_array::GenericArray, Digest, Sha256};

use crate::hash::sha512::native as sha512;

/// Rounds of a compression.
pub const ROUNDS: usize = 64;
/// Bytes of a block.
pub const BLOCK: usize = 64;

/// `Σ₀` and `Σ₁`, FIPS 180-4 section 4.1.2: words rotated to the right by these numbers of bits.
pub const LARGE: [[usize; 3]; 2] = [[2, 13, 22], [6, 11, 25]];
/// `σ₀` and `σ₁`, FIPS 180-4 section 4.1.2: the last number is that of a shift.
pub const SMALL: [[usize; 3]; 2] = [[7, 18, 3], [17, 19, 10]];

/// The first hash value, FIPS 180-4 section 5.3.3: the first 32 bits of the roots of which SHA-512 takes 64.
pub const INITIAL: [u32; 8] = upper_halves(&sha512::INITIAL);

/// Constants of the rounds, FIPS 180-4 section 4.2.2: the first 32 bits of the fractional parts of the cube
/// roots of the first primes, of which SHA-512 takes 64 and more roots.
pub const CONSTANTS: [u32; ROUNDS] = upper_halves(&sha512::CONSTANTS);

/// The upper halves of the first words.
const fn upper_halves<const N: usize>(words: &[u64]) -> [u32; N] {
    let mut halves = [0; N];
    let mut i = 0;
    while i < N {
        halves[i] = (words[i] >> 32) as u32;
        i += 1;
    }
    halves
}

/// The hash of `message`.
pub fn sha256(message: &[u8]) -> [u8; 32] {
    Sha256::digest(message).into()
}

/// The hash value after `state` has absorbed a block, FIPS 180-4 section 6.2.2.
pub fn compress(state: [u32; 8], block: &[u8; BLOCK]) -> [u32; 8] {
    let mut state = state;
    compress256(&mut state, &[GenericArray::clone_from_slice(block)]);
    state
}

/// A hash value in the middle of a message: the result of a constant beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Midstate {
    /// The hash value.
    pub state: [u32; 8],
    /// Bytes absorbed, in whole blocks.
    pub bytes: usize,
}

impl Midstate {
    /// Nothing has been absorbed yet.
    pub const START: Self = Self { state: INITIAL, bytes: 0 };

    /// After the tag of a tagged hash, BIP-340 "Design": the block `SHA256(tag) ‖ SHA256(tag)`.
    pub fn tagged(tag: &str) -> Self {
        let digest = sha256(tag.as_bytes());
        let block = [digest, digest].concat();
        let block = block.as_slice().try_into().expect("two digests are a block");
        Self { state: compress(INITIAL, block), bytes: BLOCK }
    }
}
