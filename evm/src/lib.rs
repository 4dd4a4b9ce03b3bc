#![doc = include_str!("../README.md")]

pub mod bridge;
#[cfg(feature = "evm")]
pub mod evm;
#[cfg(all(test, feature = "evm"))]
mod tests;
pub mod verifier;
mod words;
