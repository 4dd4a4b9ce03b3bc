//! SHA-512.

pub mod chip;
#[cfg(test)]
mod tests;

pub use muster_schemes::hash::sha512::*;
