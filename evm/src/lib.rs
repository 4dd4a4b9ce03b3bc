#![doc = include_str!("../README.md")]

pub mod bridge;
pub mod contract;
mod error;

pub use error::Error;
