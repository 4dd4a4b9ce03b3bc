//! MuSig2 over Baby Jubjub: several signers make one signature under one aggregate key.

pub mod chip;
