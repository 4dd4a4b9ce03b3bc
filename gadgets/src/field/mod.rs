//! Arithmetic modulo primes other than the native one.

pub mod edwards_scalar;
pub mod foreign;
