//! The ciphersuite with its hashes, and conversions between its keys and signatures and those of
//! `schnorr-babyjubjub`.

use blake2::{Blake2b512, Digest};
use ff::{FromUniformBytes, PrimeField};
use frost_core::{Challenge, Ciphersuite, Error, GroupError, VerifyingKey};
use frost_rerandomized::RandomizedCiphersuite;
use halo2curves::bn256::Fr;
use muster_schemes::{
    curve::edwards::{batch_normalize, AffinePoint, Scalar, SubgroupPoint},
    signature::{self, schnorr, SignatureError},
};

use super::group::{Element, Subgroup};
use crate::frost::{Group, Signature};

/// The ciphersuite's name, which is in every hash but the challenge.
pub const CONTEXT: &str = "FROST-BABYJUBJUB-POSEIDON-v1";

/// The ciphersuite FROST(Baby Jubjub, Poseidon).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BabyJubjubPoseidon;

impl Ciphersuite for BabyJubjubPoseidon {
    const ID: &'static str = CONTEXT;

    type Group = Subgroup;
    type HashOutput = [u8; 64];
    type SignatureSerialization = [u8; 64];

    fn H1(m: &[u8]) -> Scalar {
        to_scalar("rho", m)
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
            Some((r, a, message)) => schnorr_challenge(r, a, message),
            None => to_scalar("chal", m),
        }
    }

    fn H3(m: &[u8]) -> Scalar {
        to_scalar("nonce", m)
    }

    fn H4(m: &[u8]) -> [u8; 64] {
        to_array("msg", m)
    }

    fn H5(m: &[u8]) -> [u8; 64] {
        to_array("com", m)
    }

    fn HDKG(m: &[u8]) -> Option<Scalar> {
        Some(to_scalar("dkg", m))
    }

    fn HID(m: &[u8]) -> Option<Scalar> {
        Some(to_scalar("id", m))
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
        Ok(Challenge::from_scalar(schnorr_challenge(affine[0], affine[1], message)))
    }
}

impl RandomizedCiphersuite for BabyJubjubPoseidon {
    fn hash_randomizer(m: &[u8]) -> Option<Scalar> {
        Some(to_scalar("randomizer", m))
    }
}

/// Blake2b-512 of the suite's name, a label and the bytes. No label is a prefix of another.
fn to_array(label: &str, bytes: &[u8]) -> [u8; 64] {
    let hash = Blake2b512::new_with_prefix(CONTEXT).chain_update(label).chain_update(bytes);
    hash.finalize().into()
}

/// The same modulo l, with a bias below 2^-250.
fn to_scalar(label: &str, bytes: &[u8]) -> Scalar {
    Scalar::from_wide(&to_array(label, bytes))
}

/// The challenge of `schnorr-babyjubjub`, modulo l.
fn schnorr_challenge(r: AffinePoint, a: AffinePoint, message: &[u8]) -> Scalar {
    Scalar::from_base(&schnorr::challenge(r, a, &message_to_field(message)))
}

/// The field element that stands for a message: the integer of 32 big-endian bytes below the
/// modulus; for any other bytes, a hash labelled with the suite's name.
///
/// `schnorr-babyjubjub` signs only field elements, so a signature on a text is one on the text's
/// hash.
pub fn message_to_field(message: &[u8]) -> Fr {
    let canonical = |mut bytes: [u8; 32]| {
        bytes.reverse();
        Fr::from_repr(bytes).into_option()
    };
    let element = message.try_into().ok().and_then(canonical);
    element.unwrap_or_else(|| Fr::from_uniform_bytes(&to_array("text", message)))
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
