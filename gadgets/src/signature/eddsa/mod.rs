//! EdDSA over Baby Jubjub with a Poseidon challenge, as circomlib and iden3 define it.

#[cfg(feature = "circuit")]
pub mod chip;
pub mod native;

#[cfg(test)]
mod tests;

pub use native::{challenge, Eddsa, SecretKey};
