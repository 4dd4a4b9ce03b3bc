//! Proofs against those of halo2, byte for byte.

mod bytes;
mod case;
mod library;
mod measure;
