//! The ciphersuite, and conversions between its keys and signatures and those of
//! `schnorr-babyjubjub`.

use frost_core::{Challenge, Ciphersuite, Error, GroupError, VerifyingKey};
use frost_rerandomized::RandomizedCiphersuite;
use muster_gadgets::{
    curve::edwards::{batch_normalize, AffinePoint, Scalar, SubgroupPoint},
    signature::{self, schnorr, SignatureError},
};
use rand_core::CryptoRngCore;

use super::{
    group::{Element, Subgroup},
    hash::{self, CONTEXT},
};
use crate::frost::{aggregate, sample::Sample, FrostError, Group, Signature};

/// The ciphersuite FROST(Baby Jubjub, Poseidon).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BabyJubjubPoseidon;

impl Ciphersuite for BabyJubjubPoseidon {
    const ID: &'static str = CONTEXT;

    type Group = Subgroup;
    type HashOutput = [u8; 64];
    type SignatureSerialization = [u8; 64];

    fn H1(m: &[u8]) -> Scalar {
        hash::to_scalar("rho", m)
    }

    /// The challenge of R, A and the message, both points packed. The protocol never calls it:
    /// [`challenge`](Self::challenge) has the points themselves. Bytes that do not hold two points
    /// belong to no challenge; they get a hash of their own.
    fn H2(m: &[u8]) -> Scalar {
        let points = m.split_at_checked(64).and_then(|(points, message)| {
            let r = AffinePoint::from_bytes(&points[..32]).ok()?;
            let a = AffinePoint::from_bytes(&points[32..]).ok()?;
            Some((r, a, message))
        });
        match points {
            Some((r, a, message)) => hash::challenge(r, a, message),
            None => hash::to_scalar("chal", m),
        }
    }

    fn H3(m: &[u8]) -> Scalar {
        hash::to_scalar("nonce", m)
    }

    fn H4(m: &[u8]) -> [u8; 64] {
        hash::to_array("msg", m)
    }

    fn H5(m: &[u8]) -> [u8; 64] {
        hash::to_array("com", m)
    }

    fn HDKG(m: &[u8]) -> Option<Scalar> {
        Some(hash::to_scalar("dkg", m))
    }

    fn HID(m: &[u8]) -> Option<Scalar> {
        Some(hash::to_scalar("id", m))
    }

    /// Poseidon over coordinates: neither point is packed, hashed to bytes or read again.
    fn challenge(
        r: &Element,
        verifying_key: &VerifyingKey<Self>,
        message: &[u8],
    ) -> Result<Challenge<Self>, Error<Self>> {
        let affine = batch_normalize(&[r.point(), verifying_key.to_element().point()]);
        if affine.iter().any(AffinePoint::is_identity) {
            return Err(GroupError::InvalidIdentityElement.into());
        }
        Ok(Challenge::from_scalar(hash::challenge(affine[0], affine[1], message)))
    }
}

impl RandomizedCiphersuite for BabyJubjubPoseidon {
    fn hash_randomizer(m: &[u8]) -> Option<Scalar> {
        Some(hash::to_scalar("randomizer", m))
    }
}

/// The group's signature as one of `schnorr-babyjubjub`.
///
/// # Errors
///
/// [`SignatureError::Nonce`] if R is the identity, which a coordinator that follows the protocol
/// never gets.
pub fn signature(
    signature: &Signature<BabyJubjubPoseidon>,
) -> Result<signature::Signature, SignatureError> {
    let r = signature.R().point().to_affine();
    let r = SubgroupPoint::from_affine(r).map_err(SignatureError::Nonce)?;
    Ok(signature::Signature::new(r, *signature.z()))
}

/// The group's public key as a member of a committee.
///
/// # Errors
///
/// [`SignatureError::PublicKey`] if it is the identity.
pub fn public_key(group: &Group<BabyJubjubPoseidon>) -> Result<SubgroupPoint, SignatureError> {
    let key = group.verifying_key().to_element().point().to_affine();
    SubgroupPoint::from_affine(key).map_err(SignatureError::PublicKey)
}

/// The secret key of `schnorr-babyjubjub`, as one that a dealer can split.
///
/// # Errors
///
/// None: the secret is not zero. The type is frost-core's.
pub fn signing_key(
    secret: &schnorr::SecretKey,
) -> Result<frost_core::SigningKey<BabyJubjubPoseidon>, Error<BabyJubjubPoseidon>> {
    frost_core::SigningKey::deserialize(secret.to_bytes().as_ref())
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
