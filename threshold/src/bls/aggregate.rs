//! From shares to the group's signature: combine, verify once, and only if that fails look for who cheated.

use std::time::{Duration, Instant};

use rand_core::CryptoRngCore;

use super::{bisect::Batch, Error, Group, Signature, SignatureShare, Signers, Suite};

/// A signature of a group, and what it took.
#[derive(Clone, Debug)]
pub struct Aggregate<S: Suite> {
    /// The signature. It verifies.
    pub signature: Signature<S>,
    /// Whose shares it is made of.
    pub signers: Signers,
    /// Signers whose shares were bad and were left out, ascending.
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

impl<S: Suite> Group<S> {
    /// The group's signature from shares of a threshold of different signers or more.
    ///
    /// The first shares are taken, as many as the threshold. If their signature does not verify, a
    /// randomised batch check names the bad ones, and others take their places.
    ///
    /// # Errors
    ///
    /// [`Error::ZeroIndex`], [`Error::UnknownIndex`] or [`Error::DuplicateIndex`] for signers;
    /// [`Error::TooFewShares`] with the bad ones among them; [`Error::WrongGroupKey`].
    pub fn aggregate(
        &self,
        message: &[u8],
        shares: &[SignatureShare<S>],
        rng: &mut impl CryptoRngCore,
    ) -> Result<Aggregate<S>, Error> {
        let threshold = self.threshold();
        if !shares.is_empty() {
            let indices = shares.iter().map(|share| share.index).collect();
            Signers::new(indices, self.signers().len())?;
        }
        let mut left: Vec<SignatureShare<S>> = shares.to_vec();
        let (mut bad, mut timing, mut checks) = (vec![], Timing::default(), 0);
        loop {
            let Some((taken, _)) = left.split_at_checked(threshold) else {
                // All cheaters are named, those among the spare shares too.
                if !bad.is_empty() {
                    let (found, _) = self.bad_shares(message, &left, rng)?;
                    left.retain(|share| !found.contains(&share.index));
                    bad.extend(found);
                    bad.sort_unstable();
                }
                return Err(Error::TooFewShares { found: left.len(), threshold, bad });
            };
            let mut taken = taken.to_vec();
            taken.sort_unstable_by_key(|share| share.index);
            checks += 1;
            if let Some((signature, signers)) = self.attempt(message, &taken, &mut timing)? {
                bad.sort_unstable();
                return Ok(Aggregate { signature, signers, bad, pairing_checks: checks, timing });
            }
            let start = Instant::now();
            let (found, more) = self.bad_shares(message, &taken, rng)?;
            checks += more;
            timing.search += start.elapsed();
            if found.is_empty() {
                return Err(Error::WrongGroupKey);
            }
            left.retain(|share| !found.contains(&share.index));
            bad.extend(found);
        }
    }

    /// The signature of shares in ascending order, if it verifies.
    fn attempt(
        &self,
        message: &[u8],
        shares: &[SignatureShare<S>],
        timing: &mut Timing,
    ) -> Result<Option<(Signature<S>, Signers)>, Error> {
        let start = Instant::now();
        let indices = shares.iter().map(|share| share.index).collect();
        let signers = Signers::new(indices, self.signers().len())?;
        let coefficients = self.domain().coefficients(&signers)?;
        let computed = Instant::now();
        let points: Vec<Signature<S>> = shares.iter().map(|share| share.signature).collect();
        let combined = Signature::combine(&points, &coefficients);
        let done = Instant::now();
        timing.lagrange += computed - start;
        timing.combination += done - computed;
        // Its points were in the subgroup, and so it is.
        let good = combined.filter(|signature| self.public_key().verify(message, signature));
        timing.verification += done.elapsed();
        Ok(good.map(|signature| (signature, signers)))
    }

    /// The signers of bad shares, ascending, and the number of pairing checks that it took: for one bad
    /// share among t no more than 1 + ⌈log₂ t⌉.
    ///
    /// # Errors
    ///
    /// As [`Self::signer`].
    pub fn bad_shares(
        &self,
        message: &[u8],
        shares: &[SignatureShare<S>],
        rng: &mut impl CryptoRngCore,
    ) -> Result<(Vec<u32>, usize), Error> {
        if shares.is_empty() {
            return Ok((vec![], 0));
        }
        let with_key =
            |share: &SignatureShare<S>| Ok((share.signature.0, self.signer(share.index)?.0));
        let pairs = shares.iter().map(with_key).collect::<Result<_, Error>>()?;
        let mut batch = Batch::<S>::new(message, pairs, rng);
        let mut bad: Vec<u32> = batch.bad().into_iter().map(|place| shares[place].index).collect();
        bad.sort_unstable();
        Ok((bad, batch.checks))
    }
}
