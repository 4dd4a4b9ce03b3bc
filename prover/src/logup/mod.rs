//! A prover of the formats `fast` and `compact`, on the engine. Both are specified in `verifier/SPEC.md`; names are those of that page.
//!
//! A proof has one sum for all lookups (logUp, ePrint 2022/1530) and one product for all copies, and opens each column at each of its
//! rotations (SHPLONK, ePrint 2020/081). What is random in it:
//!
//! | | random |
//! |---|---|
//! | advice columns, multiplicities | their rows after the usable ones |
//! | helpers, sum, product, differences | four coefficients of a multiple of `Xⁿ − 1` |
//! | `fast`: pieces of the quotient | three scalars, which cancel where the pieces are opened together |
//! | `compact`: the decider's `a, b, c, e` | their last four rows |
//! | `compact`: the decider's product | four coefficients of a multiple of `X^n₂ − 1` |
//!
//! One prover makes both: columns are committed to in packs, and `fast` has packs of one column. The decider of `compact` is a circuit like
//! any other ([`decider`]), whose columns are made, committed to and opened by what does that for the circuit.
//!
//! Nothing here decides whether a proof is good: it takes any columns. The caller verifies the proof, so a mistake costs a proof, and makes
//! no false one. What must be right here is what hides the witness.

mod blinded;
mod columns;
mod commitments;
mod constraints;
mod cosets;
mod decider;
mod openings;
mod protocol;
mod prover;
mod run;
mod system;
mod trace;

#[cfg(test)]
mod tests;

pub(crate) use blinded::{point, point_bytes, to_bytes};
pub(crate) use commitments::{commit, interleaved};
pub(crate) use decider::columns as decider_columns;
pub(crate) use protocol::Reading;
pub use protocol::Unsupported;
pub(crate) use prover::Prover;
pub(crate) use system::KeyColumns;
