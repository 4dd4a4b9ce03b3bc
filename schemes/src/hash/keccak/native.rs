//! Keccak-256 as in Ethereum: the sponge of FIPS 202 with the padding of the original submission.

use sha3::{Digest, Keccak256};

/// Rounds of the permutation.
pub const ROUNDS: usize = 24;
/// Bytes that a block absorbs.
pub const RATE: usize = 136;

/// Constants of the rounds, FIPS 202 section 3.2.5.
pub const ROUND_CONSTANTS: [u64; ROUNDS] = round_constants();

/// Rotations `OFFSETS[x][y]` of the lanes, FIPS 202 section 3.2.2.
pub const OFFSETS: [[usize; 5]; 5] = offsets();

/// Bit `2^j - 1` of constant `i` is output `j + 7i` of a linear feedback register.
const fn round_constants() -> [u64; ROUNDS] {
    let mut constants = [0; ROUNDS];
    let mut register = 1u16;
    let mut i = 0;
    while i < 7 * ROUNDS {
        constants[i / 7] |= ((register & 1) as u64) << ((1 << (i % 7)) - 1);
        register <<= 1;
        if register >> 8 == 1 {
            register ^= 0x171;
        }
        i += 1;
    }
    constants
}

const fn offsets() -> [[usize; 5]; 5] {
    let mut offsets = [[0; 5]; 5];
    let (mut x, mut y, mut t) = (1, 0, 0);
    while t < 24 {
        offsets[x][y] = (t + 1) * (t + 2) / 2 % 64;
        (x, y) = (y, (2 * x + 3 * y) % 5);
        t += 1;
    }
    offsets
}

/// The hash of `message`.
pub fn keccak256(message: &[u8]) -> [u8; 32] {
    Keccak256::digest(message).into()
}

/// The Ethereum address of an uncompressed public key: the last 20 bytes of the hash of both
/// coordinates, big-endian (Yellow Paper, appendix F).
pub fn address(x: &[u8; 32], y: &[u8; 32]) -> [u8; 20] {
    let digest = keccak256(&[*x, *y].concat());
    digest[12..].try_into().expect("20 bytes are left of 32")
}
