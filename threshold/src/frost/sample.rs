//! A group that lives in one process, and a signature by random members of it.

use std::collections::BTreeMap;

use frost_core::SigningKey;
use muster_schemes::signature::{self, schnorr};
use rand_core::{CryptoRng, CryptoRngCore, RngCore};

use super::{
    aggregate,
    babyjubjub::{signature, signing_key},
    keys,
    sign::{self, Round2},
    unique, FrostError, Group, Identifier, KeyShare, Nonces, Package, SignatureShare, Suite,
};

/// A group, and both rounds of a signature by random members. Its maker knows all secrets.
pub(super) struct Sample<C: Suite> {
    pub(super) group: Group<C>,
    /// The signers with their nonces.
    pub(super) signers: Vec<(KeyShare<C>, Nonces<C>)>,
    pub(super) package: Package<C>,
    pub(super) shares: BTreeMap<Identifier<C>, SignatureShare<C>>,
}

impl<C: Suite> Sample<C> {
    /// Deals the key to `signers` members, random `threshold` of whom sign.
    pub(super) fn new(
        key: &SigningKey<C>,
        threshold: u16,
        signers: u16,
        message: &[u8],
        rng: &mut (impl RngCore + CryptoRng),
    ) -> Result<Self, FrostError> {
        let (dealt, group) = keys::deal_key(key, threshold, signers, rng)?;
        let (mut signers, mut commitments) = (vec![], vec![]);
        for dealt in choose(dealt.values().collect(), threshold.into(), rng) {
            let share = keys::accept_unchecked(dealt, &group);
            let (nonces, commitment) = sign::commit(&share, rng)?;
            commitments.push((*share.identifier(), commitment));
            signers.push((share, nonces));
        }
        let package = Package::new(unique(commitments)?, message);
        let round = Round2::new(&package, &group)?;
        let sign = |(share, nonces): &(KeyShare<C>, Nonces<C>)| {
            Ok((*share.identifier(), round.sign(nonces.clone(), share)?))
        };
        let shares = signers.iter().map(sign).collect::<Result<_, FrostError>>()?;
        Ok(Self { group, signers, package, shares })
    }
}

/// `count` of the items, or all if there are fewer. Not for secrets: the first are a little likelier.
fn choose<T>(mut items: Vec<T>, count: usize, rng: &mut impl RngCore) -> Vec<T> {
    for i in 0..count.min(items.len()) {
        let other = i + rng.next_u32() as usize % (items.len() - i);
        items.swap(i, other);
    }
    items.truncate(count);
    items
}

/// A signature of `schnorr-babyjubjub` that a group makes: the secret is dealt to `signers`, and
/// random `threshold` of them run both rounds. For samples: the caller knows the secret.
///
/// # Errors
///
/// [`FrostError::Threshold`] for a threshold that no group has.
pub fn sign_by_group(
    secret: &schnorr::SecretKey,
    threshold: u16,
    signers: u16,
    message: &[u8],
    mut rng: &mut dyn CryptoRngCore,
) -> Result<signature::Signature, FrostError> {
    let key = signing_key(secret)?;
    let sample = Sample::new(&key, threshold, signers, message, &mut rng)?;
    let made = aggregate(&sample.package, &sample.shares, &sample.group)?;
    signature(&made).map_err(|error| FrostError::Protocol(error.to_string()))
}
