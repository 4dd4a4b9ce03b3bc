//! What everybody knows about a group of signers, and the trusted dealer that makes one.

use ff::Field;
use muster_schemes::signature::bls::SecretKey;
use rand_core::CryptoRngCore;
use rayon::prelude::*;

use super::{
    lagrange::Domain, Ciphersuite, Error, Identities, PublicKey, SecretShare, SignatureShare,
};
use crate::polynomial;

/// A group whose signers hold shares of one secret: any `threshold` of them sign for it. The keys
/// belong to such shares: a value of this type is the evidence.
#[derive(Clone, Debug)]
pub struct Group<S: Ciphersuite> {
    threshold: usize,
    key: PublicKey<S>,
    signers: Vec<PublicKey<S>>,
    domain: Domain<S::Scalar>,
}

impl<S: Ciphersuite> Group<S> {
    /// A group with the key `key`, whose signer i has the i-th of the keys `signers`.
    ///
    /// Checks that the keys belong together, on one polynomial with `threshold` coefficients.
    /// Otherwise some signers could not sign, or would sign for another key, and honest ones would
    /// be blamed. The check is randomised by `rng`: keys that do not belong together pass with a
    /// probability of 2^-229.
    ///
    /// # Errors
    ///
    /// [`Error::CommitteeSize`], [`Error::Threshold`] for one that is zero or above the number of
    /// signers, or [`Error::WrongKeys`].
    pub fn new(
        identities: Identities,
        threshold: usize,
        key: PublicKey<S>,
        signers: Vec<PublicKey<S>>,
        rng: &mut impl CryptoRngCore,
    ) -> Result<Self, Error> {
        let domain = Domain::new(identities, signers.len())?;
        let group = Self::with_domain(domain, threshold, key, signers)?;
        let points = group.domain.all()?;
        let shift = random(rng);
        let [zero, one] = [S::Scalar::ZERO, S::Scalar::ONE];
        let weights = polynomial::weights(&points, threshold, shift, [zero, one]);
        let keys: Vec<PublicKey<S>> = group.signers.iter().chain([&group.key]).copied().collect();
        match PublicKey::cancel(&keys, &weights) {
            Some(true) => Ok(group),
            _ => Err(Error::WrongKeys { threshold }),
        }
    }

    /// A group whose keys are known to come from one polynomial.
    fn with_domain(
        domain: Domain<S::Scalar>,
        threshold: usize,
        key: PublicKey<S>,
        signers: Vec<PublicKey<S>>,
    ) -> Result<Self, Error> {
        check_threshold(threshold, signers.len())?;
        Ok(Self { threshold, key, signers, domain })
    }

    /// How many signers it takes to sign.
    pub fn threshold(&self) -> usize {
        self.threshold
    }

    /// The key that signatures of the group verify with.
    pub fn public_key(&self) -> &PublicKey<S> {
        &self.key
    }

    /// The keys of signers 1, 2, ….
    pub fn signers(&self) -> &[PublicKey<S>] {
        &self.signers
    }

    /// The points of the shares.
    pub fn domain(&self) -> &Domain<S::Scalar> {
        &self.domain
    }

    /// The key of one signer.
    ///
    /// # Errors
    ///
    /// [`Error::ZeroIndex`] or [`Error::UnknownIndex`].
    pub fn signer(&self, index: u32) -> Result<&PublicKey<S>, Error> {
        let place = index.checked_sub(1).ok_or(Error::ZeroIndex)? as usize;
        let signers = self.signers.len();
        self.signers.get(place).ok_or(Error::UnknownIndex { index, signers })
    }

    /// Whether a share is its signer's signature of `message`: one pairing check.
    ///
    /// # Errors
    ///
    /// As [`Self::signer`].
    pub fn verify_share(
        &self,
        message: &S::Signed,
        share: &SignatureShare<S>,
    ) -> Result<bool, Error> {
        Ok(self.signer(share.index)?.verify(message, &share.signature))
    }

    /// Checks that a secret belongs to its signer.
    ///
    /// # Errors
    ///
    /// As [`Self::signer`], or [`Error::OtherSecret`].
    pub fn check_secret(&self, secret: &SecretShare<S>) -> Result<(), Error> {
        let index = secret.index();
        let is_own = *self.signer(index)? == secret.public_key();
        is_own.then_some(()).ok_or(Error::OtherSecret { index })
    }
}

pub(super) fn check_threshold(threshold: usize, signers: usize) -> Result<(), Error> {
    (1..=signers).contains(&threshold).then_some(()).ok_or(Error::Threshold { threshold, signers })
}

/// A random nonzero element of a field.
pub(crate) fn random<F: Field>(rng: &mut impl CryptoRngCore) -> F {
    loop {
        let scalar = F::random(&mut *rng);
        if !bool::from(scalar.is_zero()) {
            return scalar;
        }
    }
}

/// Shares a random secret among `signers` (Shamir), so that any `threshold` of them sign for it.
///
/// The dealer knows the secret while this runs, and must be trusted to forget it.
///
/// # Errors
///
/// [`Error::CommitteeSize`] or [`Error::Threshold`].
pub fn deal<S: Ciphersuite>(
    identities: Identities,
    threshold: usize,
    signers: usize,
    rng: &mut impl CryptoRngCore,
) -> Result<(Group<S>, Vec<SecretShare<S>>), Error> {
    let domain = Domain::<S::Scalar>::new(identities, signers)?;
    check_threshold(threshold, signers)?;
    let dealt = loop {
        let dealt = domain.deal(threshold, || S::Scalar::random(&mut *rng));
        // Neither the secret nor a share may be zero: one in 2^250 polynomials is drawn again.
        if dealt.iter().all(|scalar| !bool::from(scalar.is_zero())) {
            break dealt;
        }
    };
    let key = SecretKey::<S>::from_scalar(&dealt[0])?.public_key();
    // A growing vector would leave copies of secrets behind.
    let mut shares = Vec::with_capacity(signers);
    for (index, share) in (1..).zip(&dealt[1..]) {
        shares.push(SecretShare::new(index, SecretKey::<S>::from_scalar(share)?));
    }
    let public = shares.par_iter().map(SecretShare::public_key).collect();
    Ok((Group::with_domain(domain, threshold, key, public)?, shares))
}
