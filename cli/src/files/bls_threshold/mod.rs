//! The files of `muster bls-threshold`: the group, a signer's secret, a share, a signature. There
//! is one file for each signer and step, so that signers on different machines can pass files.

mod fields;
mod group;
mod signed;

pub use group::{GroupFile, SecretFile};
pub use signed::{ShareFile, SignatureFile, Signed};

/// Name of the group's file.
pub const GROUP_FILE: &str = "group.json";

/// Greatest length of a group's file: more than the most signers that a dealer makes files for.
const GROUP_LIMIT: u64 = 1 << 30;
/// Greatest length of the other files: a message, a few points, indices of signers.
const STEP_LIMIT: u64 = 1 << 28;

/// Name of a signer's file of secrets.
pub fn secret_name(index: u32) -> String {
    format!("secret-{index}.json")
}
