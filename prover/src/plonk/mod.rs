//! A prover on the engine: the proofs of halo2's `create_proof`, byte for byte for the same randomness, from what its
//! keys and constraint systems expose.
//!
//! The transcript, in order: the key and the public inputs; the advice columns; *θ*; for each lookup the permuted
//! input and table; *β*, *γ*; the grand products of the permutation and of the lookups; a random polynomial; *y*; the
//! quotient's pieces; *x*; values; and the two points of the openings. Random numbers are drawn in the
//! library's order, which also draws one for each commitment and has no use for it.
//!
//! What differs from the library is how things are computed: columns that no challenge separates are committed to
//! together; all expressions are compiled programs; the quotient is found coset by coset, and never in the
//! basis of the extended domain; a lookup's values are counted and not compared; openings work on
//! one joined polynomial for each set of points.
//!
//! Keys are made here as well: those of halo2's `keygen_pk2`.
//!
//! Nothing here decides whether a proof is good. The caller verifies the proof, so a mistake costs a proof, and makes
//! no false one. What must be right here is what hides the witness: all random numbers
//! come from [`Randomness`](randomness::Randomness), and each column has as many random rows as in the library.

mod columns;
mod expressions;
mod keygen;
mod lookup;
mod openings;
mod programs;
mod prover;
mod randomness;
mod run;
mod shplonk;

#[cfg(test)]
pub(crate) mod tests;

pub(crate) use keygen::proving_key;
pub(crate) use prover::{commit, Prover};
pub(crate) use randomness::Fresh;
