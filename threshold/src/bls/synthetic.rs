//! Shares for measurements: as good as real ones, but made faster than signers could.

use muster_schemes::signature::bls::{BlsError, SecretKey};
use rand_core::CryptoRngCore;

use super::{
    group::{check_threshold, random},
    lagrange::Domain,
    Ciphersuite, Error, Identities, PublicKey, Signature, SignatureShare, Signers,
};

/// A message signed by `threshold` random signers of a committee.
///
/// Secrets are values of a random polynomial, by one transform; shares of the signature are
/// multiples of one point, by a table. They equal those that signers would make, but the time is
/// not constant and all secrets are in one place: for benches only. Signers have no public keys
/// here.
#[derive(Clone, Debug)]
pub struct Synthetic<S: Ciphersuite> {
    /// The group's key.
    pub key: PublicKey<S>,
    /// Who signs.
    pub signers: Signers,
    /// Their shares, in the same order.
    pub shares: Vec<SignatureShare<S>>,
}

impl<S: Ciphersuite> Synthetic<S> {
    /// Makes the shares, for the committee of a domain.
    ///
    /// # Errors
    ///
    /// [`Error::Threshold`]; [`Error::Scheme`] if a secret is zero, as one in 2^230 is.
    pub fn new(
        domain: &Domain<S::Scalar>,
        threshold: usize,
        message: &S::Signed,
        rng: &mut impl CryptoRngCore,
    ) -> Result<Self, Error> {
        let count = domain.signers();
        check_threshold(threshold, count)?;
        let secrets = domain.deal(threshold, || random(rng));
        let mut indices: Vec<u32> = (1..=count as u32).collect();
        for i in 0..threshold {
            let other = i + (rng.next_u64() % (count - i) as u64) as usize;
            indices.swap(i, other);
        }
        indices.truncate(threshold);
        let signers = Signers::new(indices, count)?;
        let chosen: Vec<S::Scalar> =
            signers.indices().iter().map(|&index| secrets[index as usize]).collect();
        let signatures = Signature::by_all(message, &chosen).ok_or(BlsError::BadSecret)?;
        let share = |(&index, signature)| SignatureShare { index, signature };
        let shares = signers.indices().iter().zip(signatures).map(share).collect();
        Ok(Self { key: SecretKey::from_scalar(&secrets[0])?.public_key(), signers, shares })
    }

    /// A committee's domain: see [`Domain::new`].
    ///
    /// # Errors
    ///
    /// [`Error::CommitteeSize`].
    pub fn domain(identities: Identities, signers: usize) -> Result<Domain<S::Scalar>, Error> {
        Domain::new(identities, signers)
    }

    /// The sum of the shares, each times its coefficient: multi-exponentiation.
    pub fn combine(&self, coefficients: &[S::Scalar]) -> Option<Signature<S>> {
        let points: Vec<Signature<S>> = self.shares.iter().map(|share| share.signature).collect();
        Signature::combine(&points, coefficients)
    }
}
