//! The search for bad shares: a randomised batch check, and halves of it.
//!
//! With δᵢ the quotient of share i and the signature of its signer, a set passes when Π δᵢ^zᵢ is one for
//! coefficients zᵢ of 128 random bits; that a set with a bad share passes has a probability of at most
//! 2^-128. The discrepancy of a set is the product of those of its halves, so that a bad set takes one
//! more check for its left half, and the right half's follows. So b bad shares of n take at most one check
//! more than there are sets with a bad share in the tree of halves, leaves aside: b log₂ n if they are few,
//! and less than n always.

use std::ops::Range;

use rand_core::CryptoRngCore;

use super::{suite::Sign, Suite};

/// Shares of one message and what they are checked with.
pub(super) struct Batch<'a, S: Suite> {
    pub(super) message: &'a [u8],
    pub(super) signatures: Vec<S::Point>,
    pub(super) keys: Vec<S::Key>,
    coefficients: Vec<u128>,
    /// Pairing checks so far.
    pub(super) checks: usize,
}

impl<'a, S: Suite> Batch<'a, S> {
    pub(super) fn new(
        message: &'a [u8],
        shares: Vec<(S::Point, S::Key)>,
        rng: &mut impl CryptoRngCore,
    ) -> Self {
        let coefficients = shares.iter().map(|_| coefficient(rng)).collect();
        let (signatures, keys) = shares.into_iter().unzip();
        Self { message, signatures, keys, coefficients, checks: 0 }
    }

    /// The places of all bad shares, ascending.
    pub(super) fn bad(&mut self) -> Vec<usize> {
        let (all, mut bad) = (0..self.signatures.len(), vec![]);
        let discrepancy = self.discrepancy(all.clone(), Sign::Plus);
        self.search(all, discrepancy, Sign::Plus, &mut bad);
        bad
    }

    /// Adds the bad shares of a set, whose discrepancy or its inverse is known.
    fn search(&mut self, set: Range<usize>, known: S::Target, sign: Sign, bad: &mut Vec<usize>) {
        if known == S::one() {
            return;
        }
        if set.len() == 1 {
            bad.push(set.start);
            return;
        }
        let middle = set.start + set.len() / 2;
        let (left, right) = (set.start..middle, middle..set.end);
        // What the left half contributes, the other way round: the product is the right half's.
        let of_left = self.discrepancy(left.clone(), sign.other());
        let of_right = S::product(&known, &of_left);
        self.search(left, of_left, sign.other(), bad);
        self.search(right, of_right, sign, bad);
    }

    fn discrepancy(&mut self, set: Range<usize>, sign: Sign) -> S::Target {
        self.checks += 1;
        let (signatures, keys) = (&self.signatures[set.clone()], &self.keys[set.clone()]);
        S::discrepancy(self.message, signatures, keys, &self.coefficients[set], sign)
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
