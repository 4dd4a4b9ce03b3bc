//! The one contract that verifies `compact` proofs under every key, `MusterVerifier`: its code, and what it is
//! called with.

mod calldata;
mod code;
#[cfg(feature = "evm")]
mod run;
#[cfg(all(test, feature = "evm"))]
mod tests;

pub use calldata::{register, verify, verify_proof, KeyName};
pub use code::creation_code;
#[cfg(feature = "evm")]
pub use run::Verifier;
