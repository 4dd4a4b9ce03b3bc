//! A prover on the engine: the proofs of halo2's `create_proof`, byte for byte for the same randomness.

mod columns;
mod combine;
mod expressions;
mod lookup;
mod openings;
mod programs;
mod prover;
mod quotient;
mod randomness;
mod run;
mod shplonk;
mod witness;

#[cfg(test)]
mod tests;

pub(crate) use prover::Prover;
pub(crate) use randomness::Fresh;
