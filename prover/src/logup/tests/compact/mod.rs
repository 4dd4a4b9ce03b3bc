//! Proofs of the format `compact`.

mod packs;
mod random;
