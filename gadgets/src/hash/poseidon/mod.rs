//! Poseidon over the BN254 scalar field with circomlib's constants (x⁵, 8 full rounds).

pub mod chip;
