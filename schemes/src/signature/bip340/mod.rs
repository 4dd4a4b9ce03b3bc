//! Schnorr signatures over secp256k1 as in Bitcoin (BIP-340), on messages of 32 bytes.
//!
//! With the generator G of secp256k1, the secret key d and the public key A = d·G, whose y is even,
//! a signature of m is (x(R), s) with R = k·G, whose y is even too, s = k + e·d mod n, and e the
//! tagged SHA-256 of x(R), x(A) and m, modulo n. It verifies if s·G - e·A = R. Points are given by x alone, which
//! stands for the one with an even y.
//!
//! ```
//! use muster_schemes::signature::{
//!     bip340::{Bip340, SecretKey},
//!     SignatureScheme,
//! };
//!
//! // The first test vector of BIP-340.
//! let secret = SecretKey::from_bytes(&hex::decode("00".repeat(31) + "03").unwrap()).unwrap();
//! let key = secret.public_key();
//! let x = "f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9";
//! assert_eq!(hex::encode(key.to_bytes()), x);
//!
//! let signature = secret.sign(&[0; 32], &[0; 32]);
//! let r = "e907831f80848d1069a5371b402410364bdf1c5f8307b0084c55f1ce2dca8215";
//! assert_eq!(hex::encode(signature.r()), r);
//! assert_eq!(Bip340::verify(&key, &[0; 32], &signature), Ok(()));
//! ```

#[cfg(test)]
mod tests;
#[cfg(test)]
#[path = "tests/vectors.rs"]
pub(crate) mod vectors;

use k256::{schnorr::SigningKey, Secp256k1};
use num_bigint::BigUint;
use rand_core::{CryptoRng, RngCore};
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use crate::curve::weierstrass::{Curve, Point};
use crate::hash::sha256::Midstate;
use crate::signature::ecdsa::{combine, scalar_of};
use crate::signature::secret::{self, Secret};
use crate::signature::{scheme, Description, MemberSignature, SignatureError, SignatureScheme};

const CURVE: Curve = Curve::Secp256k1;
/// Bytes of an encoded signature: x(R), then s, both big-endian.
const LENGTH: usize = 64;

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
        let bytes = SignatureError::check_length::<32>(bytes)?;
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
        let [r, s] = SignatureError::check_halves(bytes)?;
        Self::new(&r, &s)
    }

    /// x(R), then s.
    pub fn to_bytes(&self) -> [u8; LENGTH] {
        [self.r(), self.s].as_flattened().try_into().expect("two halves of 32 bytes")
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

/// The tag of the challenge's hash.
pub const CHALLENGE_TAG: &str = "BIP0340/challenge";

/// The challenge e = int(SHA-256(t ‖ t ‖ x(R) ‖ x(A) ‖ m)) modulo n, with t = SHA-256(tag).
pub fn challenge(r: &[u8; 32], public_key: &PublicKey, message: &[u8; 32]) -> BigUint {
    BigUint::from_bytes_be(&challenge_hash(r, public_key, message)) % Curve::Secp256k1.n()
}

/// The state of SHA-256 after the first block of a challenge, which is the same for all: the hash
/// of the tag, twice. Two blocks follow it: x(R) ‖ x(A), and m with the padding of 160 bytes.
pub fn challenge_midstate() -> [u32; 8] {
    Midstate::tagged(CHALLENGE_TAG).state
}

fn challenge_hash(r: &[u8; 32], public_key: &PublicKey, message: &[u8; 32]) -> [u8; 32] {
    let tag = Sha256::digest(CHALLENGE_TAG);
    let hash = Sha256::new().chain_update(tag).chain_update(tag);
    let hash = hash.chain_update(r).chain_update(public_key.to_bytes()).chain_update(message);
    hash.finalize().into()
}

impl SignatureScheme for Bip340 {
    const NAME: &'static str = "schnorr-secp256k1";
    type SecretKey = SecretKey;
    type PublicKey = PublicKey;
    type Message = [u8; 32];
    type Signature = Signature;

    fn description() -> Description {
        Description {
            curve: scheme::origin(Curve::Secp256k1),
            public_key: "32 bytes (BIP-340): big-endian x of the point with an even y".to_owned(),
            message: scheme::DIGEST,
            signature: format!("{LENGTH} bytes per signer: x of R, then s, big-endian"),
            equation: format!(
                "s·G = R + e·A, e = SHA-256 of R.x, A.x, m under the tag {CHALLENGE_TAG}"
            ),
            key_rules: scheme::ON_CURVE,
            signature_rules: "R on the curve with an even y; s below the group order n".to_owned(),
            elsewhere: format!(
                "count if the 32 bytes are the same: everybody uses the tag {CHALLENGE_TAG}. Sign digests under a \
                 tag of your own"
            ),
        }
    }

    fn keygen(rng: &mut (impl RngCore + CryptoRng)) -> SecretKey {
        SecretKey::random(rng)
    }

    fn secret_key_from_seed(seed: &[u8; 32]) -> Result<SecretKey, SignatureError> {
        SecretKey::from_seed(seed)
    }

    fn encode_secret_key(secret_key: &SecretKey) -> Zeroizing<[u8; 32]> {
        secret_key.to_bytes()
    }

    fn public_key(secret_key: &SecretKey) -> PublicKey {
        secret_key.public_key()
    }

    fn sign(
        secret_key: &SecretKey,
        message: &[u8; 32],
        rng: &mut (impl RngCore + CryptoRng),
    ) -> Signature {
        let mut auxiliary = Zeroizing::new([0; 32]);
        rng.fill_bytes(auxiliary.as_mut());
        secret_key.sign(message, &auxiliary)
    }

    fn verify(
        public_key: &PublicKey,
        message: &[u8; 32],
        signature: &Signature,
    ) -> Result<(), SignatureError> {
        let s = scalar_of::<Secp256k1>(&signature.s());
        let e = challenge_hash(&signature.r(), public_key, message);
        let e = scalar_of::<Secp256k1>(&e);
        let nonce = combine::<Secp256k1>(&s, &public_key.point(), &-e);
        (nonce == Some(signature.nonce_point())).then_some(()).ok_or(SignatureError::Equation)
    }

    fn encode_public_key(public_key: &PublicKey) -> Vec<u8> {
        public_key.to_bytes().to_vec()
    }

    fn decode_public_key(bytes: &[u8]) -> Result<PublicKey, SignatureError> {
        PublicKey::from_bytes(bytes)
    }

    fn decode_signature(bytes: &[u8]) -> Result<Signature, SignatureError> {
        Signature::from_bytes(bytes)
    }
}
