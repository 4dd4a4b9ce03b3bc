//! Key aggregation and the aggregate signature of MuSig2 (Nick, Ruffing, Seurin, ePrint 2020/1261).
//!
//! Keys are those of [`schnorr`]. With the commitment L to the set of keys, the aggregate key is
//! X = Σ aᵢ·Xᵢ where aᵢ = Poseidon(L, Xᵢ.x, Xᵢ.y, 0, 0) with the tag [`KEY_DOMAIN`], modulo l. The
//! signature (R, s) verifies if s·B = R + c·X with c = Poseidon(R.x, R.y, X.x, X.y, m) with the tag
//! [`CHALLENGE_DOMAIN`].
//!
//! # Which set L must name
//!
//! The proof of MuSig2 wants L to bind exactly the keys that are summed. If L names a committee and
//! the sum runs over a part of it, the coefficients do not depend on the part, and a coalition that
//! puts many keys of its choice into the committee can look for a part whose sum cancels an honest
//! key: a subset sum modulo l. With 120 keys in the coalition about 2^130 committees have to be
//! tried before such a part even exists; with several hundred keys it exists and can be searched
//! for in far fewer steps (generalized birthday, dense subset sums). Then committees must be
//! admitted by proofs of possession, or L must name the part.

use std::collections::HashSet;

use ff::Field;
use halo2curves::bn256::Fr;
use rand_core::{CryptoRng, RngCore};
use thiserror::Error;

use crate::curve::edwards::{msm_vartime, AffinePoint, Point, PointError, Scalar, SubgroupPoint};
use crate::hash::poseidon;
use crate::signature::schnorr::{self, Schnorr, SecretKey};
use crate::signature::{Signature, SignatureError, SignatureScheme};

/// Label of the tag of the key coefficients.
pub const KEY_DOMAIN: &str = "muster.keyagg.v1";
/// Label of the tag of the challenge.
pub const CHALLENGE_DOMAIN: &str = "muster.musig.v1";

const NONCE_LABEL: &str = "muster.musig.single.v1";

/// The scheme `musig-babyjubjub`. Its public key is the aggregate key. Signing here is for a lone
/// signer who holds the secret of that key; several signers run a [`Session`](super::Session).
#[derive(Clone, Copy, Debug)]
pub struct Musig;

/// Why signers cannot make a signature together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum MusigError {
    /// There is no key.
    #[error("no signer")]
    NoSigner,
    /// A key is given twice.
    #[error("signer {0} has the key of an earlier signer")]
    DuplicateKey(usize),
    /// The aggregate key is no valid key.
    #[error("aggregate key: {0}")]
    AggregateKey(PointError),
    /// The aggregate nonce is no valid nonce commitment.
    #[error("aggregate nonce R: {0}")]
    AggregateNonce(PointError),
    /// The encoding of a nonce is bad.
    #[error("nonce: {0}")]
    Nonce(PointError),
    /// The encoding of a nonce or a partial signature has the wrong length.
    #[error("expected {expected} bytes, found {found}")]
    WrongLength {
        /// Bytes in the encoding.
        expected: usize,
        /// Bytes given.
        found: usize,
    },
    /// A partial signature is not below the group order.
    #[error("the partial signature is not below the group order")]
    ScalarNotReduced,
    /// The secret key is none of the signers'.
    #[error("the secret key is none of the signers'")]
    NotASigner,
    /// The secret nonce was made for another secret key.
    #[error("the secret nonce was made for another key")]
    WrongNonce,
    /// The index names no signer.
    #[error("there is no signer {0}")]
    UnknownSigner(usize),
    /// The number of contributions is not the number of signers.
    #[error("expected the contributions of {expected} signers, found {found}")]
    Contributions {
        /// Signers in the session.
        expected: usize,
        /// Contributions given.
        found: usize,
    },
    /// This signer's partial signature does not verify.
    #[error("the partial signature of signer {0} does not verify")]
    BadPartial(usize),
    /// All partial signatures verify, but not for the aggregate nonce of the session.
    #[error("the nonces are not those of the session")]
    NonceMismatch,
}

/// Keys and what follows from them.
#[derive(Clone, Debug)]
pub struct KeyAggregation {
    keys: Vec<SubgroupPoint>,
    coefficients: Vec<Scalar>,
    aggregate: SubgroupPoint,
}

/// The coefficient of a key as the hash gives it, before it is taken modulo l.
pub fn coefficient(set_root: &Fr, key: impl Into<AffinePoint>) -> Fr {
    let key = key.into();
    let inputs = [*set_root, key.x(), key.y(), Fr::ZERO, Fr::ZERO];
    poseidon::hash_with_domain(poseidon::domain(KEY_DOMAIN), &inputs)
}

/// The challenge as the hash gives it, before it is taken modulo l.
pub fn challenge(r: impl Into<AffinePoint>, aggregate: impl Into<AffinePoint>, message: &Fr) -> Fr {
    schnorr::native::tagged_challenge(CHALLENGE_DOMAIN, r.into(), aggregate.into(), message)
}

impl KeyAggregation {
    /// Aggregates distinct keys under the commitment `set_root` (see the module's documentation
    /// for what it must bind).
    ///
    /// # Errors
    ///
    /// [`MusigError::NoSigner`], [`MusigError::DuplicateKey`], or [`MusigError::AggregateKey`] if
    /// the sum is the identity.
    pub fn new(set_root: &Fr, keys: &[SubgroupPoint]) -> Result<Self, MusigError> {
        if keys.is_empty() {
            return Err(MusigError::NoSigner);
        }
        let mut seen = HashSet::with_capacity(keys.len());
        if let Some(again) = keys.iter().position(|key| !seen.insert(*key)) {
            return Err(MusigError::DuplicateKey(again));
        }
        let coefficients: Vec<Scalar> =
            keys.iter().map(|key| Scalar::from_base(&coefficient(set_root, *key))).collect();
        let pairs: Vec<(Scalar, Point)> =
            coefficients.iter().zip(keys).map(|(a, key)| (*a, (*key).into())).collect();
        let aggregate =
            SubgroupPoint::from_subgroup(&msm_vartime(&pairs)).map_err(MusigError::AggregateKey)?;
        Ok(Self { keys: keys.to_vec(), coefficients, aggregate })
    }

    /// The keys, in order; a signer's place here is its index.
    pub fn keys(&self) -> &[SubgroupPoint] {
        &self.keys
    }

    /// The coefficients modulo l, in the order of the keys.
    pub fn coefficients(&self) -> &[Scalar] {
        &self.coefficients
    }

    /// The aggregate key.
    pub fn aggregate(&self) -> SubgroupPoint {
        self.aggregate
    }
}

impl SignatureScheme for Musig {
    const NAME: &'static str = "musig-babyjubjub";
    type SecretKey = SecretKey;
    type PublicKey = SubgroupPoint;
    type Message = Fr;
    type Signature = Signature;

    fn keygen(rng: &mut (impl RngCore + CryptoRng)) -> SecretKey {
        Schnorr::keygen(rng)
    }

    fn secret_key_from_seed(seed: &[u8; 32]) -> Result<SecretKey, SignatureError> {
        SecretKey::from_seed(seed)
    }

    fn public_key(secret_key: &SecretKey) -> SubgroupPoint {
        secret_key.public_key()
    }

    fn sign(
        secret_key: &SecretKey,
        message: &Fr,
        rng: &mut (impl RngCore + CryptoRng),
    ) -> Signature {
        schnorr::native::sign(CHALLENGE_DOMAIN, NONCE_LABEL, secret_key, message, rng)
    }

    fn verify(
        public_key: &SubgroupPoint,
        message: &Fr,
        signature: &Signature,
    ) -> Result<(), SignatureError> {
        let c = challenge(signature.r(), *public_key, message);
        signature.check(&Scalar::from_base(&c), public_key)
    }

    fn encode_public_key(public_key: &SubgroupPoint) -> Vec<u8> {
        public_key.to_bytes().to_vec()
    }

    fn decode_public_key(bytes: &[u8]) -> Result<SubgroupPoint, SignatureError> {
        SubgroupPoint::from_bytes(bytes).map_err(SignatureError::PublicKey)
    }

    fn encode_signature(signature: &Signature) -> Vec<u8> {
        signature.to_bytes().to_vec()
    }

    fn decode_signature(bytes: &[u8]) -> Result<Signature, SignatureError> {
        Signature::from_bytes(bytes)
    }
}
