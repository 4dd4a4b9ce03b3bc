//! Schnorr signatures over Baby Jubjub with a Poseidon challenge.

pub mod chip;
