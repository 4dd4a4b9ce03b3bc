//! A signature of a group in one process.

use muster_schemes::signature::{schnorr, Signature};
use rand_core::CryptoRngCore;

use super::ciphersuite::{signature, signing_key};
use crate::frost::{aggregate, sample::Sample, FrostError};

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
) -> Result<Signature, FrostError> {
    let key = signing_key(secret)?;
    let sample = Sample::new(&key, threshold, signers, message, &mut rng)?;
    let made = aggregate(&sample.package, &sample.shares, &sample.group)?;
    signature(&made).map_err(|error| FrostError::Protocol(error.to_string()))
}
