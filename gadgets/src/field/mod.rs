//! Arithmetic modulo primes other than the native one.

#[cfg(feature = "circuit")]
pub mod edwards_scalar;
pub mod foreign;
