//! Contracts that a verifier calls because it has no room for all of its code.

use alloy_primitives::keccak256;

/// A contract that evaluates some of the constraints. It has no state and calls nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// What it does, in Yul.
    pub listing: String,
    /// Its code: the lines of the listing, one after the other.
    pub code: Vec<u8>,
}

impl Part {
    /// The code that makes the contract.
    pub fn creation(&self) -> Vec<u8> {
        creation(&self.code)
    }

    /// The hash of its code, as the EVM has it.
    pub fn hash(&self) -> [u8; 32] {
        keccak256(&self.code).0
    }
}

/// Creation code for a contract whose code is the bytes after it: PUSH2 length, DUP1, PUSH1 10, RETURNDATASIZE (0),
/// CODECOPY, RETURNDATASIZE, RETURN. For at most 65,535 bytes.
pub(super) fn creation(code: &[u8]) -> Vec<u8> {
    let [.., high, low] = code.len().to_be_bytes();
    [&[0x61, high, low, 0x80, 0x60, 10, 0x3d, 0x39, 0x3d, 0xf3], code].concat()
}
