//! EdDSA over Baby Jubjub with a Poseidon challenge, as circomlib and iden3 define it.

pub mod chip;
