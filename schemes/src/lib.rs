#![doc = include_str!("../README.md")]

// Samples and vectors are those of the gadgets' tests, too.
#[cfg(test)]
extern crate self as muster_schemes;

pub mod curve;
pub mod decimal;
pub mod field;
pub mod hash;
pub mod membership;
pub mod signature;
