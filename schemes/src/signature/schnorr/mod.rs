//! Schnorr signatures over Baby Jubjub with a Poseidon challenge.
//!
//! With the generator B, the secret key x and the public key A = x·B, a signature of m is (R, s)
//! with R = r·B, s = r + c·x mod l, and c = Poseidon(R.x, R.y, A.x, A.y, m) with the domain tag
//! [`CHALLENGE_DOMAIN`] in the first lane, taken modulo l. It verifies if s·B = R + c·A.
//!
//! ```
//! use halo2curves::bn256::Fr;
//! use muster_schemes::signature::{schnorr::Schnorr, SignatureError, SignatureScheme};
//! use rand::rngs::OsRng;
//!
//! let secret = Schnorr::keygen(&mut OsRng);
//! let key = Schnorr::public_key(&secret);
//! let signature = Schnorr::sign(&secret, &Fr::from(7), &mut OsRng);
//! assert_eq!(Schnorr::verify(&key, &Fr::from(7), &signature), Ok(()));
//! assert_eq!(Schnorr::verify(&key, &Fr::from(8), &signature), Err(SignatureError::Equation));
//!
//! // 64 bytes, and back.
//! let bytes = Schnorr::encode_signature(&signature);
//! assert_eq!(Schnorr::decode_signature(&bytes), Ok(signature));
//! ```

#[cfg(test)]
mod tests;

use std::fmt;

use blake2::{Blake2b512, Digest};
use ff::{Field, PrimeField};
use halo2curves::bn256::Fr;
use rand_core::{CryptoRng, RngCore};
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use crate::curve::edwards::{AffinePoint, Scalar, SubgroupPoint};
use crate::hash::poseidon;
use crate::signature::{edwards, Description, Signature, SignatureError, SignatureScheme};

/// Label of the challenge's domain tag.
pub const CHALLENGE_DOMAIN: &str = "muster.schnorr.v1";

const KEY_LABEL: &str = "muster.schnorr.key.v1";
const NONCE_LABEL: &str = "muster.schnorr.nonce.v1";

/// The scheme `schnorr-babyjubjub`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Schnorr;

/// A secret scalar between 1 and l - 1, with its public key. It is wiped when dropped.
#[derive(Clone, Zeroize, ZeroizeOnDrop)]
pub struct SecretKey {
    scalar: Scalar,
    #[zeroize(skip)]
    public_key: SubgroupPoint,
}

impl SecretKey {
    /// The key with this secret scalar.
    ///
    /// # Errors
    ///
    /// [`SignatureError::SecretKey`] if the scalar is zero.
    pub fn new(scalar: Scalar) -> Result<Self, SignatureError> {
        let public_key =
            SubgroupPoint::mul_generator(&scalar).map_err(|_| SignatureError::SecretKey)?;
        Ok(Self { scalar, public_key })
    }

    /// Reads 32 little-endian bytes.
    ///
    /// # Errors
    ///
    /// [`SignatureError::WrongLength`], or [`SignatureError::SecretKey`] if the integer is zero or
    /// not below l.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SignatureError> {
        let bytes = SignatureError::check_length::<32>(bytes)?;
        Self::new(Scalar::from_bytes(bytes).ok_or(SignatureError::SecretKey)?)
    }

    /// The key that a seed stands for: Blake2b-512 of a label and the seed, modulo l.
    ///
    /// # Errors
    ///
    /// [`SignatureError::SecretKey`] if the result is zero.
    pub fn from_seed(seed: &[u8; 32]) -> Result<Self, SignatureError> {
        let hash = Blake2b512::new_with_prefix(KEY_LABEL).chain_update(seed).finalize();
        let digest = Zeroizing::new(<[u8; 64]>::from(hash));
        Self::new(Scalar::from_wide(&digest))
    }

    /// 32 little-endian bytes, wiped when dropped.
    pub fn to_bytes(&self) -> Zeroizing<[u8; 32]> {
        Zeroizing::new(self.scalar.to_bytes())
    }

    /// The public key x·B.
    pub fn public_key(&self) -> SubgroupPoint {
        self.public_key
    }

    /// The secret scalar.
    pub fn scalar(&self) -> &Scalar {
        &self.scalar
    }
}

impl fmt::Debug for SecretKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SecretKey").field("public_key", &self.public_key).finish_non_exhaustive()
    }
}

/// The challenge as hashed, before it is reduced modulo l.
pub fn challenge(r: impl Into<AffinePoint>, a: impl Into<AffinePoint>, message: &Fr) -> Fr {
    tagged_challenge(CHALLENGE_DOMAIN, r.into(), a.into(), message)
}

pub(crate) fn tagged_challenge(domain: &str, r: AffinePoint, a: AffinePoint, message: &Fr) -> Fr {
    let inputs = [r.x(), r.y(), a.x(), a.y(), *message];
    poseidon::hash_with_domain(poseidon::domain(domain), &inputs)
}

/// A signature with the challenge domain and the nonce label of any scheme of this shape.
pub(crate) fn sign(
    domain: &str,
    nonce_label: &str,
    secret_key: &SecretKey,
    message: &Fr,
    rng: &mut (impl RngCore + CryptoRng),
) -> Signature {
    let key = secret_key.public_key;
    let (key_bytes, message_bytes) = (key.to_bytes(), message.to_repr());
    let context = [key_bytes.as_ref(), message_bytes.as_ref()];
    let nonce = edwards::hedged_nonce(nonce_label, &secret_key.scalar, rng, &context);
    let r = SubgroupPoint::mul_generator(&nonce).expect("the nonce is not zero");
    let c = Scalar::from_base(&tagged_challenge(domain, r.into(), key.into(), message));
    Signature::new(r, *nonce + c * secret_key.scalar)
}

impl SignatureScheme for Schnorr {
    const NAME: &'static str = "schnorr-babyjubjub";
    type SecretKey = SecretKey;
    type PublicKey = SubgroupPoint;
    type Message = Fr;
    type Signature = Signature;

    fn description() -> Description {
        let equation = format!(
            "s·B = R + c·A, c = Poseidon(R.x, R.y, A.x, A.y, m) under the tag {CHALLENGE_DOMAIN}"
        );
        let elsewhere = format!(
            "count only if made under {CHALLENGE_DOMAIN}: name the application, a chain and a number in the \
             message"
        );
        edwards::description(equation, "per signer", elsewhere)
    }

    fn keygen(rng: &mut (impl RngCore + CryptoRng)) -> SecretKey {
        loop {
            if let Ok(key) = SecretKey::new(Scalar::random(&mut *rng)) {
                return key;
            }
        }
    }

    fn secret_key_from_seed(seed: &[u8; 32]) -> Result<SecretKey, SignatureError> {
        SecretKey::from_seed(seed)
    }

    fn encode_secret_key(secret_key: &SecretKey) -> Zeroizing<[u8; 32]> {
        secret_key.to_bytes()
    }

    fn public_key(secret_key: &SecretKey) -> SubgroupPoint {
        secret_key.public_key
    }

    fn sign(
        secret_key: &SecretKey,
        message: &Fr,
        rng: &mut (impl RngCore + CryptoRng),
    ) -> Signature {
        sign(CHALLENGE_DOMAIN, NONCE_LABEL, secret_key, message, rng)
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
