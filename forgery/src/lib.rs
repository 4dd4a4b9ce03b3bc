//! Forged witnesses: what a cheating prover would write, and whether anything refuses it.

pub mod forger;
mod freedom;
pub mod testing;

#[cfg(debug_assertions)]
pub use freedom::{freedom, Counted};
