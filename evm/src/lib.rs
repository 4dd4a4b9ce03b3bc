#![doc = include_str!("../README.md")]

pub mod bridge;
pub mod contract;
mod error;
#[cfg(feature = "export")]
pub mod verifier;

pub use error::Error;
