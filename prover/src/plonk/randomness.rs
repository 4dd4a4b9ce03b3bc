//! What a proof draws at random.

use halo2_base::halo2_proofs::halo2curves::{bn256::Fr, ff::Field};
use rand::RngCore;

/// A source of randomness.
///
/// halo2 takes most of it from its caller's generator, and the rest from generators of its own, which no
/// seed reaches. These parts have methods of their own here, so that a test can repeat a proof of halo2.
pub(crate) trait Randomness {
    /// A number from the caller's generator.
    fn number(&mut self) -> Fr;

    /// The coefficients of the polynomial that hides the quotient.
    fn mask(&mut self, length: usize) -> Vec<Fr>;

    /// Chooses the order of the values in a lookup's permuted input. Any order will do: what a proof
    /// shows of the column is hidden by its last rows.
    fn arrange(&mut self, lookup: usize, values: &mut Vec<Fr>);
}

/// All from one generator; values stay in the order in which they first occur.
#[derive(Debug)]
pub(crate) struct Fresh<R>(pub(crate) R);

impl<R: RngCore> Randomness for Fresh<R> {
    fn number(&mut self) -> Fr {
        Fr::random(&mut self.0)
    }

    fn mask(&mut self, length: usize) -> Vec<Fr> {
        (0..length).map(|_| self.number()).collect()
    }

    fn arrange(&mut self, _: usize, _: &mut Vec<Fr>) {}
}
