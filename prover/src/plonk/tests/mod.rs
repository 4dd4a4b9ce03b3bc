//! Proofs against those of halo2, byte for byte.

mod bytes;
mod case;
mod constraints;
mod library;
mod measure;
