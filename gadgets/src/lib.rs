#![doc = include_str!("../README.md")]

pub mod curve;
pub mod field;
#[cfg(test)]
mod golden;
pub mod hash;
pub mod membership;
pub mod signature;
