//! Arithmetic modulo primes other than the native one.

mod extension;
pub mod foreign;

pub use extension::ExtensionField;
