//! Key aggregation and the aggregate signature of MuSig2 (Nick, Ruffing, Seurin, ePrint 2020/1261).
//!
//! Keys are those of [`schnorr`]. A list of keys is added up with coefficients that bind the list
//! and the root of the set that it is a part of:
//!
//! ```text
//! L₀ = root;  Lⱼ = Poseidon(Lⱼ₋₁, four first coordinates)   tag LIST_DOMAIN; the last block is
//!                                                           filled up with that of the generator
//! aᵢ = odd 128-bit integers, two an element of the stretched last L     tag KEY_DOMAIN
//! X  = Σ aᵢ·Xᵢ
//! ```
//!
//! The signature (R, s) verifies if s·B = R + c·X with c = Poseidon(R.x, R.y, X.x, X.y, m), tag
//! [`CHALLENGE_DOMAIN`]. First coordinates name keys, see [`crate::membership`].
//!
//! # Why 128 bits, and why the list
//!
//! The proof of MuSig2 requires that a list fixes the coefficients and that they cannot be
//! foreseen: a coalition that chose its keys to cancel an honest one succeeds for one value of the
//! honest key's coefficient in at least 2^125. If `L` were only the root, the subsets of one set
//! would share their coefficients, and a large coalition could search for a subset that cancels: a
//! subset sum. Here each subset has coefficients of its own, so each try costs a hash.

use std::collections::HashSet;

use halo2curves::bn256::Fr;
use rand_core::{CryptoRng, RngCore};
use thiserror::Error;
use zeroize::Zeroizing;

use crate::curve::edwards::{
    halves, msm_vartime, AffinePoint, Point, PointError, Scalar, SubgroupPoint,
};
use crate::hash::poseidon;
use crate::signature::schnorr::{self, Schnorr, SecretKey};
use crate::signature::{edwards, Description, Signature, SignatureError, SignatureScheme};

/// Label of the tag of the list of keys.
pub const LIST_DOMAIN: &str = "muster.keylist.v1";
/// Label of the tag of the key coefficients.
pub const KEY_DOMAIN: &str = "muster.keyagg.v1";
/// Keys that one hash of the list takes.
pub const LIST_RATE: usize = 4;
/// Label of the tag of the challenge.
pub const CHALLENGE_DOMAIN: &str = "muster.musig.v1";

const NONCE_LABEL: &str = "muster.musig.single.v1";

/// The scheme `musig-babyjubjub`. Its public key is the aggregate key. Signing here is for a single
/// signer who holds the secret of that key; several signers run a [`Session`](super::Session).
#[derive(Clone, Copy, Debug, Default)]
pub struct Musig;

/// Why signers cannot make a signature together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MusigError {
    /// There is no key.
    #[error("no signer")]
    NoSigner,
    /// A key is given twice.
    #[error("signer {0} has the key of an earlier signer")]
    DuplicateKey(usize),
    /// The aggregate key is not a valid key.
    #[error("aggregate key: {0}")]
    AggregateKey(PointError),
    /// The aggregate nonce is not a valid nonce commitment.
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
    /// The secret key belongs to none of the signers.
    #[error("the secret key belongs to none of the signers")]
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
    #[error("the nonces do not belong to the session")]
    NonceMismatch,
}

/// Keys and what follows from them.
#[derive(Clone, Debug)]
pub struct KeyAggregation {
    keys: Vec<SubgroupPoint>,
    coefficients: Vec<Scalar>,
    aggregate: SubgroupPoint,
}

/// The coefficients of the keys with these first coordinates, in their order.
///
/// # Panics
///
/// If there is no key.
pub fn coefficients(set_root: &Fr, keys: &[Fr]) -> Vec<Scalar> {
    assert!(!keys.is_empty(), "a list has a key");
    let padding = AffinePoint::generator().x();
    let tag = poseidon::domain(LIST_DOMAIN);
    let link = keys.chunks(LIST_RATE).fold(*set_root, |link, block| {
        let mut inputs = [link, padding, padding, padding, padding];
        inputs[1..=block.len()].copy_from_slice(block);
        poseidon::hash_with_domain(tag, &inputs)
    });
    let width = LIST_RATE + 2;
    let count = keys.len().div_ceil(2);
    let stretched = poseidon::stretch(poseidon::domain(KEY_DOMAIN), link, width, count);
    stretched.iter().flat_map(halves).map(Scalar::odd).take(keys.len()).collect()
}

/// The challenge as hashed, before it is reduced modulo l.
pub fn challenge(r: impl Into<AffinePoint>, aggregate: impl Into<AffinePoint>, message: &Fr) -> Fr {
    schnorr::tagged_challenge(CHALLENGE_DOMAIN, r.into(), aggregate.into(), message)
}

impl KeyAggregation {
    /// Aggregates distinct keys of the set with the root `set_root`, in the order of the set.
    /// Signers and verifiers must use the same order: a different order is a different list.
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
        let abscissae: Vec<Fr> = keys.iter().map(SubgroupPoint::x).collect();
        let coefficients = coefficients(set_root, &abscissae);
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

    fn description() -> Description {
        let equation = format!(
            "MuSig2: s·B = R + c·X, c = Poseidon(R.x, R.y, X.x, X.y, m) under the tag {CHALLENGE_DOMAIN}, \
             X = Σ aᵢ·Xᵢ over all signers in the order of the set; the odd 128-bit aᵢ are stretched under \
             {KEY_DOMAIN} from a chain of hashes, {LIST_RATE} keys each, under {LIST_DOMAIN} of the set's root \
             and the list of all signers"
        );
        let elsewhere = format!(
            "count only if made under {CHALLENGE_DOMAIN} by the same signers of the same set: name the \
             application, a chain and a number in the message"
        );
        edwards::description(equation, "for all signers together", elsewhere)
    }

    fn keygen(rng: &mut (impl RngCore + CryptoRng)) -> SecretKey {
        Schnorr::keygen(rng)
    }

    fn secret_key_from_seed(seed: &[u8; 32]) -> Result<SecretKey, SignatureError> {
        SecretKey::from_seed(seed)
    }

    fn encode_secret_key(secret_key: &SecretKey) -> Zeroizing<[u8; 32]> {
        secret_key.to_bytes()
    }

    fn public_key(secret_key: &SecretKey) -> SubgroupPoint {
        secret_key.public_key()
    }

    fn sign(
        secret_key: &SecretKey,
        message: &Fr,
        rng: &mut (impl RngCore + CryptoRng),
    ) -> Signature {
        schnorr::sign(CHALLENGE_DOMAIN, NONCE_LABEL, secret_key, message, rng)
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

    fn decode_signature(bytes: &[u8]) -> Result<Signature, SignatureError> {
        Signature::from_bytes(bytes)
    }
}
