//! Proofs and keys against those of halo2, byte for byte.

mod bytes;
pub(crate) mod case;
mod constraints;
mod keygen;
mod library;
mod measure;
mod randomness;
mod spoilt;
mod threads;
