//! The code of `MusterVerifier`.

use alloy_primitives::hex;

/// In hexadecimal, as solc 0.8.19 makes it with the optimizer at 200 runs; a test compiles it anew.
const CREATION_CODE: &str = include_str!("../../bytecode/MusterVerifier.hex");

/// The code that deploys the contract. It takes no arguments.
pub fn creation_code() -> Vec<u8> {
    hex::decode(CREATION_CODE.trim()).expect("hexadecimal")
}
