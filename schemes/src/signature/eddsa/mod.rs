//! EdDSA over Baby Jubjub with a Poseidon challenge, as circomlib and iden3 define it.

pub mod native;

#[cfg(test)]
mod tests;

pub use native::{challenge, Eddsa, SecretKey};
