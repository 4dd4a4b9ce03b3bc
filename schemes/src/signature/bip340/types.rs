//! The scheme, its keys and its signatures. Points are given by x alone, which stands for the one
//! with an even y.

use k256::schnorr::SigningKey;
use num_bigint::BigUint;
use rand_core::{CryptoRng, RngCore};

use crate::curve::weierstrass::{Curve, Point};
use crate::signature::secret::{self, Secret};
use crate::signature::{MemberSignature, SignatureError};

const CURVE: Curve = Curve::Secp256k1;
/// Bytes of an encoded signature: x(R), then s, both big-endian.
pub(super) const LENGTH: usize = 64;

/// The scheme `schnorr-secp256k1`.
#[derive(Clone, Copy, Debug)]
pub struct Bip340;

/// A public key: a point of secp256k1 whose y is even.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PublicKey(Point);

impl PublicKey {
    /// The key with the x of a point: of the two points with this x, the one with an even y.
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

/// A pair (x(R), s): a point of the curve has this x coordinate, and s is below n. Zero is a valid
/// s if the equation holds for it.
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

    /// R: the point with this x and an even y, whether or not the signature is valid for anything.
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

impl MemberSignature for Signature {
    fn to_bytes(&self) -> Vec<u8> {
        self.to_bytes().to_vec()
    }
}

/// A secret scalar d between 1 and n - 1 whose d·G has an even y, with its public key; bytes that
/// give a point with an odd y are read as the negated scalar. It is wiped when dropped.
pub type SecretKey = secret::SecretKey<Bip340>;

impl Secret for Bip340 {
    type Inner = SigningKey;
    type PublicKey = PublicKey;
    const LABELS: &'static [&'static str] = &["muster.bip340.key.v1"];

    fn random(rng: &mut (impl RngCore + CryptoRng)) -> SigningKey {
        SigningKey::random(rng)
    }

    fn read(bytes: &[u8; 32]) -> Option<SigningKey> {
        SigningKey::from_bytes(bytes).ok()
    }

    fn bytes(inner: &SigningKey) -> [u8; 32] {
        inner.to_bytes().into()
    }

    fn public_key(inner: &SigningKey) -> PublicKey {
        let x = inner.verifying_key().to_bytes();
        PublicKey::from_bytes(&x).expect("a secret key is not zero")
    }
}

impl SecretKey {
    /// The signature on a message, with a nonce hardened by 32 bytes, fresh or not (BIP-340,
    /// "Default Signing").
    pub fn sign(&self, message: &[u8; 32], auxiliary: &[u8; 32]) -> Signature {
        let signature = self.inner().sign_prehash_with_aux_rand(message, auxiliary);
        let signature = signature.expect("no input of SHA-256 is known that gives k = 0 or s = 0");
        Signature::from_bytes(&signature.to_bytes()).expect("R is a point")
    }
}
