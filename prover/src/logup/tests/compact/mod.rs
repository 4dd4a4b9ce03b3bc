//! Proofs of the format `compact`.

mod degenerate;
mod forged;
mod hiding;
mod packs;
