//! Muster on EVM chains.
//!
//! [`contract`] writes the Solidity that verifies proofs of one verifying key, and, with the feature
//! `export`, compiles and runs it. [`bridge`] has what a committee signs for the light client of
//! `contracts/`, and the calldata that brings a proof to a contract.

pub mod bridge;
pub mod contract;
mod error;

pub use error::Error;
