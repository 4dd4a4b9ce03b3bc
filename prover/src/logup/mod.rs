//! A prover of the format `fast`, on the engine. The format is specified in `verifier/SPEC.md`; names are those of that page.
//!
//! A proof has one sum for all lookups (logUp, ePrint 2022/1530) and one product for all copies, and opens each column at each of its
//! rotations (SHPLONK, ePrint 2020/081). What is random in it:
//!
//! | | random |
//! |---|---|
//! | advice columns, multiplicities | their rows after the usable ones |
//! | helpers, sum, product, differences | four coefficients of a multiple of `Xⁿ − 1` |
//! | pieces of the quotient | three scalars, which cancel where the pieces are opened together |
//!
//! Nothing here decides whether a proof is good: it takes any columns. The caller verifies the proof, so a mistake costs a proof, and makes
//! no false one. What must be right here is what hides the witness.

mod blinded;
mod columns;
mod commitments;
mod constraints;
mod decider;
mod key;
mod multiplicities;
mod openings;
mod programs;
mod protocol;
mod prover;
mod run;
mod system;
mod trace;
mod writer;

#[cfg(test)]
mod tests;

pub(crate) use blinded::{point, point_bytes, to_bytes};
pub(crate) use key::KeyColumns;
pub(crate) use protocol::Reading;
pub use protocol::Unsupported;
pub(crate) use prover::Prover;
