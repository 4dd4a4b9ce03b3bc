//! Arithmetic modulo primes other than the native one.

pub mod foreign;
