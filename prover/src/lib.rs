//! Proves and verifies that enough members of a committed set signed a message.
//!
//! [`Keys`] are made for a [`Shape`](muster_circuits::Shape) from an SRS and kept in a directory;
//! [`prove`] makes a proof of a statement, [`verify`] and [`batch_verify`] check proofs. [`files`]
//! holds the formats that the command line, in [`cli`], reads and writes.

pub mod bridge;
pub mod cli;
pub mod commitment;
mod constraints;
pub mod contract;
pub mod encoding;
mod error;
pub mod files;
mod input;
pub mod keys;
mod output;
pub mod progress;
pub mod proof;
pub mod sample;
pub mod srs;
pub mod sweep;
#[cfg(test)]
mod tests;

pub use constraints::check_constraints;
pub use error::{Error, ProofFault, BAD_INPUT, REJECTED};
pub use keys::{Keys, VerifierKey};
pub use proof::{batch_verify, prove, verify, TranscriptKind};
