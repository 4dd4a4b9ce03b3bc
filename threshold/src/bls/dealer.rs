//! The trusted dealer.

use ff::Field;
use muster_schemes::signature::bls::SecretKey;
use rand_core::CryptoRngCore;
use rayon::prelude::*;

use super::{
    group::check_threshold, lagrange::Domain, Ciphersuite, Error, Group, Identities, SecretShare,
};

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
