//! A group in one process.

use muster_gadgets::signature::{schnorr, Signature};
use rand_core::CryptoRngCore;

use super::ciphersuite::{signature, signing_key, BabyJubjubPoseidon};
use crate::frost::{
    aggregate, choose::choose, keys, sign, unique, FrostError, KeyShare, Nonces, Package,
};

/// A signature of `schnorr-babyjubjub` that a group makes: the secret is dealt to `signers`, and
/// random `threshold` of them run both rounds. For samples: whoever runs this knows the secret.
///
/// # Errors
///
/// [`FrostError::Threshold`] for a threshold that no group has.
pub fn sign_by_group(
    secret: &schnorr::SecretKey,
    (threshold, signers): (u16, u16),
    message: &[u8],
    mut rng: &mut dyn CryptoRngCore,
) -> Result<Signature, FrostError> {
    let key = signing_key(secret)?;
    let (dealt, group) = keys::deal_key(&key, threshold, signers, &mut rng)?;
    let (mut rounds, mut commitments) = (vec![], vec![]);
    for dealt in choose(dealt.into_values().collect(), threshold.into(), &mut rng) {
        let share = keys::accept_unchecked(&dealt, &group);
        let (nonces, commitment) = sign::commit(&share, &mut rng)?;
        commitments.push((*share.identifier(), commitment));
        rounds.push((share, nonces));
    }
    let package = Package::new(unique(commitments)?, message);
    let round = sign::Round2::new(&package, &group)?;
    let sign = |(share, nonces): (KeyShare<BabyJubjubPoseidon>, Nonces<_>)| {
        Ok((*share.identifier(), round.sign(nonces, &share)?))
    };
    let shares = rounds.into_iter().map(sign).collect::<Result<_, FrostError>>()?;
    let made = aggregate(&package, &shares, &group)?;
    signature(&made).map_err(|error| FrostError::Protocol(error.to_string()))
}
