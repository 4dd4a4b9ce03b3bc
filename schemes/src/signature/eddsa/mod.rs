//! EdDSA over Baby Jubjub with a Poseidon challenge, compatible byte for byte with circomlib's `eddsa.js` and
//! iden3's babyjubjub-rs.
//!
//! The seed is hashed by BLAKE-512 (the SHA-3 finalist, not BLAKE2). The first half, pruned as in
//! RFC 8032, is 8·x, and the second half keys the deterministic nonce. With A = x·B a signature of
//! m is (R, s) with s = r + h·8·x mod l and h = Poseidon(R.x, R.y, A.x, A.y, m); it verifies if
//! s·B = R + 8·h·A.
//!
//! ```
//! use ff::PrimeField;
//! use halo2curves::bn256::Fr;
//! use muster_schemes::signature::{
//!     eddsa::{Eddsa, SecretKey},
//!     SignatureScheme,
//! };
//!
//! // The key of circomlib's own test.
//! let seed = "0001020304050607080900010203040506070809000102030405060708090001";
//! let secret = SecretKey::from_bytes(&hex::decode(seed).unwrap()).unwrap();
//! let key = secret.public_key();
//! let x = "13277427435165878497778222415993513565335242147425444199013288855685581939618";
//! assert_eq!(key.x(), Fr::from_str_vartime(x).unwrap());
//!
//! // Signing draws no randomness.
//! let signature = secret.sign(&Fr::from(7));
//! assert_eq!(Eddsa::verify(&key, &Fr::from(7), &signature), Ok(()));
//! assert!(Eddsa::verify(&key, &Fr::from(8), &signature).is_err());
//! ```

#[cfg(test)]
mod tests;

use std::fmt;

use blake_hash::{Blake512, Digest};
use ff::PrimeField;
use halo2curves::bn256::Fr;
use rand_core::{CryptoRng, RngCore};
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use crate::curve::edwards::{AffinePoint, Scalar, SubgroupPoint};
use crate::hash::poseidon;
use crate::signature::{edwards, Description, Signature, SignatureError, SignatureScheme};

/// The scheme `eddsa-babyjubjub`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Eddsa;

/// A 32-byte seed and what follows from it. It is wiped when dropped.
#[derive(Clone, Zeroize, ZeroizeOnDrop)]
pub struct SecretKey {
    seed: [u8; 32],
    scalar: Scalar,
    nonce_key: [u8; 32],
    #[zeroize(skip)]
    public_key: SubgroupPoint,
}

impl SecretKey {
    /// The key of a seed of any 32 bytes.
    ///
    /// # Errors
    ///
    /// [`SignatureError::WrongLength`], or [`SignatureError::SecretKey`] if the secret scalar is a
    /// multiple of l.
    pub fn from_bytes(seed: &[u8]) -> Result<Self, SignatureError> {
        let seed = SignatureError::check_length::<32>(seed)?;
        let digest = blake512(&[seed]);
        let mut pruned = Zeroizing::new([0; 32]);
        pruned.copy_from_slice(&digest[..32]);
        pruned[0] &= 0xf8;
        pruned[31] &= 0x7f;
        pruned[31] |= 0x40;
        let scalar = Scalar::from_bytes_reduced(&shift_right_by_3(&pruned));
        let mut nonce_key = [0; 32];
        nonce_key.copy_from_slice(&digest[32..]);
        let public_key =
            SubgroupPoint::mul_generator(&scalar).map_err(|_| SignatureError::SecretKey)?;
        Ok(Self { seed: *seed, scalar, nonce_key, public_key })
    }

    /// The seed, wiped when dropped.
    pub fn to_bytes(&self) -> Zeroizing<[u8; 32]> {
        Zeroizing::new(self.seed)
    }

    /// The public key x·B.
    pub fn public_key(&self) -> SubgroupPoint {
        self.public_key
    }

    /// The deterministic signature of a message.
    pub fn sign(&self, message: &Fr) -> Signature {
        let digest = blake512(&[&self.nonce_key, message.to_repr().as_ref()]);
        let nonce = Zeroizing::new(Scalar::from_wide(&digest));
        let r = SubgroupPoint::mul_generator(&nonce)
            .expect("no input of BLAKE-512 is known whose digest is a multiple of l");
        let h = Scalar::from_base(&challenge(r, self.public_key, message));
        Signature::new(r, *nonce + h * Scalar::from(8) * self.scalar)
    }
}

impl fmt::Debug for SecretKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SecretKey").field("public_key", &self.public_key).finish_non_exhaustive()
    }
}

/// The challenge h as hashed, before it is multiplied by 8 and reduced modulo l.
pub fn challenge(r: impl Into<AffinePoint>, a: impl Into<AffinePoint>, message: &Fr) -> Fr {
    let (r, a) = (r.into(), a.into());
    poseidon::hash(&[r.x(), r.y(), a.x(), a.y(), *message])
}

fn blake512(parts: &[&[u8]]) -> Zeroizing<[u8; 64]> {
    let mut hash = Blake512::new();
    parts.iter().for_each(|part| hash.update(part));
    Zeroizing::new(hash.finalize().into())
}

fn shift_right_by_3(bytes: &[u8; 32]) -> Zeroizing<[u8; 32]> {
    let above = |i: usize| bytes.get(i + 1).map_or(0, |next| next << 5);
    Zeroizing::new(std::array::from_fn(|i| bytes[i] >> 3 | above(i)))
}

impl SignatureScheme for Eddsa {
    const NAME: &'static str = "eddsa-babyjubjub";
    type SecretKey = SecretKey;
    type PublicKey = SubgroupPoint;
    type Message = Fr;
    type Signature = Signature;

    fn description() -> Description {
        let equation =
            "s·B = R + 8·h·A, h = Poseidon(R.x, R.y, A.x, A.y, m): circomlib's EdDSA-Poseidon";
        let elsewhere = "count, whichever circomlib application they were made for, if the element is the \
                         same, and ours count there: h has no tag. A node with five children in the tree is \
                         the same function. Sign hashes that name the application";
        edwards::description(equation.to_owned(), "per signer", elsewhere.to_owned())
    }

    fn keygen(rng: &mut (impl RngCore + CryptoRng)) -> SecretKey {
        loop {
            let mut seed = Zeroizing::new([0; 32]);
            rng.fill_bytes(seed.as_mut());
            if let Ok(key) = SecretKey::from_bytes(seed.as_ref()) {
                return key;
            }
        }
    }

    fn secret_key_from_seed(seed: &[u8; 32]) -> Result<SecretKey, SignatureError> {
        SecretKey::from_bytes(seed)
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
        _rng: &mut (impl RngCore + CryptoRng),
    ) -> Signature {
        secret_key.sign(message)
    }

    fn verify(
        public_key: &SubgroupPoint,
        message: &Fr,
        signature: &Signature,
    ) -> Result<(), SignatureError> {
        let h = Scalar::from_base(&challenge(signature.r(), *public_key, message));
        signature.check(&(h * Scalar::from(8)), public_key)
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
