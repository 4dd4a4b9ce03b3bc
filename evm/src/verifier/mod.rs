//! The one contract that verifies `compact` proofs under every key, `MusterVerifier`: its code, and what it is
//! called with.

mod calldata;
#[cfg(feature = "evm")]
mod run;
#[cfg(all(test, feature = "evm"))]
mod tests;

pub use calldata::{creation_code, register, verify, verify_all, verify_proof, KeyName};
#[cfg(feature = "evm")]
pub use run::Verifier;
