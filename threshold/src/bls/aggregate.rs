//! From shares to the group's signature: combine, verify once, and only if that fails look for
//! cheaters.
//!
//! These are found by a randomised batch check, and halves of it. With δᵢ the quotient of share i
//! and the signature of its signer, a set passes when Π δᵢ^zᵢ is one for coefficients zᵢ of 128
//! random bits; a set with a bad share passes with a probability of at most 2^-128. The discrepancy
//! of a set is the product of those of its halves, so [`crate::search`] asks only for the left half
//! of a bad set. The left half's discrepancy is computed inverted, so that its product with the
//! set's is the right half's.

use std::{
    ops::Range,
    time::{Duration, Instant},
};

use rand_core::CryptoRngCore;

use super::{Ciphersuite, Error, Group, PublicKey, Sign, Signature, SignatureShare, Signers};
use crate::search::{culprits, Errors, Known};

/// A signature of a group, and what it took.
#[derive(Clone, Debug)]
pub struct Aggregate<S: Ciphersuite> {
    /// The signature. It verifies.
    pub signature: Signature<S>,
    /// Whose shares it is made of.
    pub signers: Signers,
    /// Signers whose shares were bad and were left out, ascending. Spare shares that were not
    /// needed are not examined.
    pub bad: Vec<u32>,
    /// Products of two pairings that were computed: 1 when no share was bad.
    pub pairing_checks: usize,
    /// Where the time went.
    pub timing: Timing,
}

/// Parts of the time of an aggregation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timing {
    /// Lagrange coefficients.
    pub lagrange: Duration,
    /// Multi-exponentiation.
    pub combination: Duration,
    /// Verification of the signature.
    pub verification: Duration,
    /// The search for bad shares.
    pub search: Duration,
}

impl<S: Ciphersuite> Group<S> {
    /// The group's signature from shares of at least a threshold of different signers.
    ///
    /// The first shares are used, as many as the threshold. If their signature does not verify, a
    /// randomised batch check of all shares names every bad one, and the signature is made from
    /// others.
    ///
    /// # Errors
    ///
    /// [`Error::ZeroIndex`], [`Error::UnknownIndex`] or [`Error::DuplicateIndex`] for signers;
    /// [`Error::TooFewShares`] with the bad ones among them; [`Error::WrongKeys`], which a [`Group`]
    /// excludes.
    pub fn aggregate(
        &self,
        message: &S::Signed,
        shares: &[SignatureShare<S>],
        rng: &mut impl CryptoRngCore,
    ) -> Result<Aggregate<S>, Error> {
        let threshold = self.threshold();
        if !shares.is_empty() {
            let indices = shares.iter().map(|share| share.index).collect();
            Signers::new(indices, self.signers().len())?;
        }
        let too_few = |found, bad| Error::TooFewShares { found, threshold, bad };
        let Some(taken) = shares.get(..threshold) else {
            return Err(too_few(shares.len(), vec![]));
        };
        let mut timing = Timing::default();
        if let Some((signature, signers)) = self.attempt(message, taken, &mut timing)? {
            return Ok(Aggregate { signature, signers, bad: vec![], pairing_checks: 1, timing });
        }
        // Once over all of them: the sender of a bad share delays the others once, and no more.
        let start = Instant::now();
        let (bad, checks) = self.bad_shares(message, shares, rng)?;
        timing.search = start.elapsed();
        let is_good = |share: &&SignatureShare<S>| bad.binary_search(&share.index).is_err();
        let good: Vec<_> = shares.iter().filter(is_good).copied().collect();
        let Some(taken) = good.get(..threshold) else {
            return Err(too_few(good.len(), bad));
        };
        let made = self.attempt(message, taken, &mut timing)?;
        let (signature, signers) = made.ok_or(Error::WrongKeys { threshold })?;
        Ok(Aggregate { signature, signers, bad, pairing_checks: checks + 2, timing })
    }

    /// The signature of shares, if it verifies.
    fn attempt(
        &self,
        message: &S::Signed,
        shares: &[SignatureShare<S>],
        timing: &mut Timing,
    ) -> Result<Option<(Signature<S>, Signers)>, Error> {
        let start = Instant::now();
        let mut shares = shares.to_vec();
        // Coefficients come in the order of the signers.
        shares.sort_unstable_by_key(|share| share.index);
        let indices = shares.iter().map(|share| share.index).collect();
        let signers = Signers::new(indices, self.signers().len())?;
        let coefficients = self.domain().coefficients(&signers)?;
        let computed = Instant::now();
        let points: Vec<Signature<S>> = shares.iter().map(|share| share.signature).collect();
        let combined = Signature::combine(&points, &coefficients);
        let done = Instant::now();
        timing.lagrange += computed - start;
        timing.combination += done - computed;
        // Its points are in the subgroup, so it is too.
        let good = combined.filter(|signature| self.public_key().verify(message, signature));
        timing.verification += done.elapsed();
        Ok(good.map(|signature| (signature, signers)))
    }

    /// The signers of bad shares, ascending, and the number of pairing checks that this took: for
    /// one bad share among n no more than 1 + ⌈log₂ n⌉, for any number of them no more than n.
    ///
    /// # Errors
    ///
    /// As [`Self::signer`].
    pub fn bad_shares(
        &self,
        message: &S::Signed,
        shares: &[SignatureShare<S>],
        rng: &mut impl CryptoRngCore,
    ) -> Result<(Vec<u32>, usize), Error> {
        if shares.is_empty() {
            return Ok((vec![], 0));
        }
        let with_key =
            |share: &SignatureShare<S>| Ok((share.signature, *self.signer(share.index)?));
        let signed = shares.iter().map(with_key).collect::<Result<_, Error>>()?;
        let coefficients = shares.iter().map(|_| coefficient(rng)).collect();
        let mut batch = Batch::<S> { message, signed, coefficients, checks: 0 };
        let known = Known::Sum(batch.sum(0..shares.len()));
        let bad = culprits(&mut batch, 0..shares.len(), known);
        let mut bad: Vec<u32> = bad.into_iter().map(|place| shares[place].index).collect();
        bad.sort_unstable();
        Ok((bad, batch.checks))
    }
}

/// Shares of one message and what they are checked with.
struct Batch<'a, S: Ciphersuite> {
    message: &'a S::Signed,
    signed: Vec<(Signature<S>, PublicKey<S>)>,
    coefficients: Vec<u128>,
    /// Pairing checks so far.
    checks: usize,
}

impl<S: Ciphersuite> Batch<'_, S> {
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
