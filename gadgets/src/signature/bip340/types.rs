//! Keys and signatures: coordinates x alone, which stand for the point with an even y.

use std::fmt;

use blake2::{Blake2b512, Digest};
use k256::schnorr::SigningKey;
use num_bigint::BigUint;
use rand_core::{CryptoRng, RngCore};
use zeroize::Zeroizing;

use crate::curve::weierstrass::{Curve, Point};
use crate::signature::SignatureError;

const CURVE: Curve = Curve::Secp256k1;
const KEY_LABEL: &str = "muster.bip340.key.v1";
/// Bytes of an encoded signature: x(R), then s, both big-endian.
const LENGTH: usize = 64;

/// A public key: a point of secp256k1 whose y is even.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PublicKey(Point);

impl PublicKey {
    /// The key of a point: it has the point's x, and of the two points with this x it is the one
    /// with an even y.
    ///
    /// # Errors
    ///
    /// [`SignatureError::Key`] for a point of another curve.
    pub fn from_point(point: Point) -> Result<Self, SignatureError> {
        let point = point.on(CURVE).map_err(SignatureError::Key)?;
        Ok(Self(if point.is_odd() { -point } else { point }))
    }

    /// Reads the 32 big-endian bytes of x.
    ///
    /// # Errors
    ///
    /// [`SignatureError::WrongLength`], or [`SignatureError::Key`] if no point has this x.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SignatureError> {
        let bytes: &[u8; 32] = bytes
            .try_into()
            .map_err(|_| SignatureError::WrongLength { expected: 32, found: bytes.len() })?;
        Point::from_x(CURVE, bytes, false).map(Self).map_err(SignatureError::Key)
    }

    /// x, big-endian.
    pub fn to_bytes(&self) -> [u8; 32] {
        self.0.x()
    }

    /// The point.
    pub fn point(&self) -> Point {
        self.0
    }
}

impl From<PublicKey> for Point {
    fn from(key: PublicKey) -> Self {
        key.0
    }
}

/// A pair (x(R), s): a point of the curve has this x coordinate, and s is below n. Zero is a legal
/// s, should the equation hold for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Signature {
    nonce: Point,
    s: [u8; 32],
}

impl Signature {
    /// Checks x(R) and s, both big-endian.
    ///
    /// # Errors
    ///
    /// [`SignatureError::NonceX`] or [`SignatureError::ScalarNotReduced`].
    pub fn new(r: &[u8; 32], s: &[u8; 32]) -> Result<Self, SignatureError> {
        let nonce = Point::from_x(CURVE, r, false).map_err(SignatureError::NonceX)?;
        if &BigUint::from_bytes_be(s) >= CURVE.n() {
            return Err(SignatureError::ScalarNotReduced);
        }
        Ok(Self { nonce, s: *s })
    }

    /// Reads 64 bytes.
    ///
    /// # Errors
    ///
    /// [`SignatureError::WrongLength`], [`SignatureError::NonceX`] or
    /// [`SignatureError::ScalarNotReduced`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SignatureError> {
        let bytes: &[u8; LENGTH] = bytes
            .try_into()
            .map_err(|_| SignatureError::WrongLength { expected: LENGTH, found: bytes.len() })?;
        Self::new(&std::array::from_fn(|i| bytes[i]), &std::array::from_fn(|i| bytes[32 + i]))
    }

    /// x(R), then s.
    pub fn to_bytes(&self) -> [u8; LENGTH] {
        let mut bytes = [0; LENGTH];
        bytes[..32].copy_from_slice(&self.r());
        bytes[32..].copy_from_slice(&self.s);
        bytes
    }

    /// R: the point with this x and an even y, whether or not the signature is one of anything.
    pub fn nonce_point(&self) -> Point {
        self.nonce
    }

    /// x(R), big-endian.
    pub fn r(&self) -> [u8; 32] {
        self.nonce.x()
    }

    /// s, big-endian.
    pub fn s(&self) -> [u8; 32] {
        self.s
    }
}

/// A secret scalar d between 1 and n - 1 whose d·G has an even y, with its public key. It is wiped
/// when dropped.
#[derive(Clone)]
pub struct SecretKey {
    inner: SigningKey,
    public_key: PublicKey,
}

impl SecretKey {
    /// A fresh key.
    pub fn random(rng: &mut (impl RngCore + CryptoRng)) -> Self {
        Self::new(SigningKey::random(rng))
    }

    /// Reads 32 big-endian bytes. If they give a point with an odd y, the key is the opposite one.
    ///
    /// # Errors
    ///
    /// [`SignatureError::WrongLength`], or [`SignatureError::SecretKey`] if the integer is zero or
    /// not below n.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SignatureError> {
        if bytes.len() != 32 {
            return Err(SignatureError::WrongLength { expected: 32, found: bytes.len() });
        }
        SigningKey::from_bytes(bytes).map(Self::new).map_err(|_| SignatureError::SecretKey)
    }

    /// The key that a seed stands for: the first 32 bytes of the Blake2b-512 of a label, a counter
    /// and the seed, with the least counter for which they are a key.
    ///
    /// # Errors
    ///
    /// [`SignatureError::SecretKey`] if all 256 counters fail.
    pub fn from_seed(seed: &[u8; 32]) -> Result<Self, SignatureError> {
        (0..=u8::MAX)
            .find_map(|counter| {
                let hash = Blake2b512::new_with_prefix(KEY_LABEL)
                    .chain_update([counter])
                    .chain_update(seed)
                    .finalize();
                let digest = Zeroizing::new(<[u8; 64]>::from(hash));
                Self::from_bytes(&digest[..32]).ok()
            })
            .ok_or(SignatureError::SecretKey)
    }

    /// 32 big-endian bytes, wiped when dropped.
    pub fn to_bytes(&self) -> Zeroizing<[u8; 32]> {
        Zeroizing::new(self.inner.to_bytes().into())
    }

    /// The public key.
    pub fn public_key(&self) -> PublicKey {
        self.public_key
    }

    /// The signature of a message whose nonce is hardened by 32 bytes, fresh or not (BIP-340,
    /// "Default Signing").
    pub fn sign(&self, message: &[u8; 32], auxiliary: &[u8; 32]) -> Signature {
        let signature = self.inner.sign_prehash_with_aux_rand(message, auxiliary);
        let signature = signature.expect("no input of SHA-256 is known that gives k = 0 or s = 0");
        Signature::from_bytes(&signature.to_bytes()).expect("R is a point")
    }

    fn new(inner: SigningKey) -> Self {
        let x = inner.verifying_key().to_bytes();
        let public_key = PublicKey::from_bytes(&x).expect("a secret key is not zero");
        Self { inner, public_key }
    }
}

impl fmt::Debug for SecretKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SecretKey").field("public_key", &self.public_key).finish_non_exhaustive()
    }
}
