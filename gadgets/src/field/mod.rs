//! Arithmetic modulo primes other than the native one.

pub mod edwards_scalar;
pub mod foreign;

pub use muster_schemes::field::*;
