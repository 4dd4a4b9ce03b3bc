//! Schnorr signatures over Baby Jubjub with a Poseidon challenge.

pub mod native;

#[cfg(test)]
mod tests;

pub use native::{challenge, Schnorr, SecretKey, CHALLENGE_DOMAIN};
