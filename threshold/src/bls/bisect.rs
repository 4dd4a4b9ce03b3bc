//! The search for bad shares: a randomised batch check, and halves of it.
//!
//! With δᵢ the quotient of share i and the signature of its signer, a set passes when Π δᵢ^zᵢ is
//! one for coefficients zᵢ of 128 random bits; a set with a bad share passes with a probability of
//! at most 2^-128. The discrepancy of a set is the product of those of its halves, so
//! [`crate::search`] asks only for the left half of a bad set. The left half's discrepancy is
//! computed inverted, so that its product with the set's is the right half's.

use std::ops::Range;

use rand_core::CryptoRngCore;

use super::{Ciphersuite, PublicKey, Sign, Signature};
use crate::search::{culprits, Errors, Known};

/// Shares of one message and what they are checked with.
pub(super) struct Batch<'a, S: Ciphersuite> {
    pub(super) message: &'a S::Signed,
    pub(super) signed: Vec<(Signature<S>, PublicKey<S>)>,
    coefficients: Vec<u128>,
    /// Pairing checks so far.
    pub(super) checks: usize,
}

impl<'a, S: Ciphersuite> Batch<'a, S> {
    pub(super) fn new(
        message: &'a S::Signed,
        signed: Vec<(Signature<S>, PublicKey<S>)>,
        rng: &mut impl CryptoRngCore,
    ) -> Self {
        let coefficients = signed.iter().map(|_| coefficient(rng)).collect();
        Self { message, signed, coefficients, checks: 0 }
    }

    /// The places of all bad shares, ascending.
    pub(super) fn bad(&mut self) -> Vec<usize> {
        let all = 0..self.signed.len();
        let known = Known::Sum(self.sum(all.clone()));
        culprits(self, all, known)
    }

    fn discrepancy(&mut self, set: Range<usize>, sign: Sign) -> S::Target {
        self.checks += 1;
        let (signed, coefficients) = (&self.signed[set.clone()], &self.coefficients[set]);
        Signature::discrepancy(self.message, signed, coefficients, sign)
    }
}

impl<S: Ciphersuite> Errors for Batch<'_, S> {
    /// The discrepancy of a set, or its inverse.
    type Sum = (S::Target, Sign);

    fn sum(&mut self, set: Range<usize>) -> Self::Sum {
        (self.discrepancy(set, Sign::Plus), Sign::Plus)
    }

    fn split(&mut self, (set, sign): &Self::Sum, first: Range<usize>) -> (Self::Sum, Self::Sum) {
        let of_first = self.discrepancy(first, sign.other());
        ((of_first, sign.other()), (S::product(set, &of_first), *sign))
    }

    fn is_zero(&self, (discrepancy, _): &Self::Sum) -> bool {
        *discrepancy == S::one()
    }
}

/// 128 random bits other than zero.
fn coefficient(rng: &mut impl CryptoRngCore) -> u128 {
    loop {
        let mut bytes = [0; 16];
        rng.fill_bytes(&mut bytes);
        match u128::from_le_bytes(bytes) {
            0 => {}
            coefficient => return coefficient,
        }
    }
}
