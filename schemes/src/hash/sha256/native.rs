//! SHA-256 (FIPS 180-4).

use sha2::{compress256, digest::generic_array::GenericArray, Digest, Sha256};

/// Rounds of a compression.
pub const ROUNDS: usize = 64;
/// Bytes of a block.
pub const BLOCK: usize = 64;

/// `Σ₀` and `Σ₁`, FIPS 180-4 section 4.1.2: words rotated to the right by these numbers of bits.
pub const LARGE: [[usize; 3]; 2] = [[2, 13, 22], [6, 11, 25]];
/// `σ₀` and `σ₁`, FIPS 180-4 section 4.1.2: the last number is that of a shift.
pub const SMALL: [[usize; 3]; 2] = [[7, 18, 3], [17, 19, 10]];

/// The first hash value, FIPS 180-4 section 5.3.3.
pub const INITIAL: [u32; 8] = [
    0x6a09_e667,
    0xbb67_ae85,
    0x3c6e_f372,
    0xa54f_f53a,
    0x510e_527f,
    0x9b05_688c,
    0x1f83_d9ab,
    0x5be0_cd19,
];

/// Constants of the rounds, FIPS 180-4 section 4.2.2: the first 32 bits of the fractional parts of the cube
/// roots of the first primes.
pub const CONSTANTS: [u32; ROUNDS] = constants();

const fn constants() -> [u32; ROUNDS] {
    let mut constants = [0; ROUNDS];
    let (mut count, mut candidate) = (0, 2u128);
    while count < ROUNDS {
        if is_prime(candidate) {
            constants[count] = cube_root(candidate << 96) as u32;
            count += 1;
        }
        candidate += 1;
    }
    constants
}

const fn is_prime(candidate: u128) -> bool {
    let mut divisor = 2;
    while divisor * divisor <= candidate {
        if candidate.is_multiple_of(divisor) {
            return false;
        }
        divisor += 1;
    }
    true
}

/// The integer part of the cube root, bit by bit.
const fn cube_root(value: u128) -> u128 {
    let mut root = 0u128;
    let mut bit = 1u128 << 36;
    while bit > 0 {
        let larger = root | bit;
        if larger * larger * larger <= value {
            root = larger;
        }
        bit >>= 1;
    }
    root
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
