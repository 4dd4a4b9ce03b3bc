//! What BLS signatures need: a pairing, a hash to its curve, and encodings.

use std::fmt::Debug;

use ff::PrimeField;

use super::error::BlsError;

/// Whether a discrepancy or its inverse is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// The discrepancy.
    Plus,
    /// Its inverse.
    Minus,
}

impl Sign {
    /// The other one.
    pub fn other(self) -> Self {
        match self {
            Self::Plus => Self::Minus,
            Self::Minus => Self::Plus,
        }
    }

    /// 1 or −1.
    pub fn scalar<F: PrimeField>(self) -> F {
        match self {
            Self::Plus => F::ONE,
            Self::Minus => -F::ONE,
        }
    }
}

/// The groups of secrets, keys and signatures, and their encodings. Points are raw here: [`super::PublicKey`] and
/// [`super::Signature`] hold checked ones, and are what callers use.
///
/// # Panics
///
/// Functions that take a secret panic if it is zero; those that take several points panic if there
/// are none, or not as many scalars.
pub trait Groups: Copy + Clone + Debug + PartialEq + Eq + Send + Sync + 'static {
    /// The field of secrets and coefficients.
    type Scalar: PrimeField<Repr = [u8; 32]>;
    /// A public key, as an affine point.
    type Key: Copy + Debug + PartialEq + Send + Sync;
    /// A signature, as an affine point.
    type Point: Copy + Debug + PartialEq + Send + Sync;
    /// Bytes of a public key.
    const KEY_BYTES: usize;
    /// Bytes of a signature.
    const SIGNATURE_BYTES: usize;

    /// The public key of a secret other than zero.
    fn public_key(secret: &Self::Scalar) -> Self::Key;

    /// The sum of keys, or `None` if that is the identity. At least one.
    fn sum_of_keys(keys: &[Self::Key]) -> Option<Self::Key>;

    /// Σ zᵢ σᵢ, or `None` if that is the identity. As many scalars as points, at least one.
    fn combine(points: &[Self::Point], scalars: &[Self::Scalar]) -> Option<Self::Point>;

    /// Whether the signature is the multiple of a point by the secret of the key. All are in their subgroups.
    fn is_multiple(key: &Self::Key, point: &Self::Point, signature: &Self::Point) -> bool;

    /// The encoding of a public key.
    fn encode_key(key: &Self::Key) -> Vec<u8>;

    /// Reads a public key: canonically encoded, on the curve, in the subgroup, not the identity.
    ///
    /// # Errors
    ///
    /// [`BlsError::Length`], [`BlsError::NotOnCurve`], [`BlsError::NotInSubgroup`] or [`BlsError::Identity`].
    fn decode_key(bytes: &[u8]) -> Result<Self::Key, BlsError>;

    /// The encoding of a signature.
    fn encode_signature(signature: &Self::Point) -> Vec<u8>;

    /// Reads a signature, with the rules for public keys.
    ///
    /// # Errors
    ///
    /// As [`Self::decode_key`].
    fn decode_signature(bytes: &[u8]) -> Result<Self::Point, BlsError>;
}

/// A BLS signature scheme that hashes messages to the group of signatures.
///
/// # Panics
///
/// As for [`Groups`].
pub trait Suite: Groups {
    /// The name on the command line and in files.
    const NAME: &'static str;
    /// Domain separation tag of the hash to the curve (RFC 9380, section 3.1).
    const TAG: &'static [u8];
    /// The result of a pairing.
    type Target: Copy + PartialEq;

    /// The point that a message is hashed to: the signature of the secret 1.
    fn message_point(message: &[u8]) -> Self::Point;

    /// The signature of a secret other than zero.
    fn sign(secret: &Self::Scalar, message: &[u8]) -> Self::Point;

    /// Plain verification: whether the signature was made with the key. Both are in their
    /// subgroups.
    fn verify(key: &Self::Key, message: &[u8], signature: &Self::Point) -> bool;

    /// Whether Σ zᵢ Xᵢ is the identity. As many scalars as keys, at least one.
    fn cancel(keys: &[Self::Key], scalars: &[Self::Scalar]) -> bool;

    /// e(Σ zᵢ σᵢ, −g) e(H(m), Σ zᵢ Xᵢ): how far signatures σᵢ under keys Xᵢ are from being good,
    /// all together; or its inverse. One product of two pairings.
    fn discrepancy(
        message: &[u8],
        signatures: &[Self::Point],
        keys: &[Self::Key],
        scalars: &[u128],
        sign: Sign,
    ) -> Self::Target;

    /// Whether all signatures are good, each by its own key on its own message: e(Σ zᵢ σᵢ, g) = Π e(zᵢ H(mᵢ), Xᵢ). A
    /// bad list whose maker could not know its coefficients before passes once in 2^128. As many coefficients as
    /// signatures, at least one.
    fn verify_each(signed: &[(Self::Key, Vec<u8>, Self::Point)], coefficients: &[u128]) -> bool;

    /// The discrepancy of two sets together.
    fn product(a: &Self::Target, b: &Self::Target) -> Self::Target;

    /// The discrepancy of good signatures.
    fn one() -> Self::Target;

    /// s H(m) for each s other than zero. Not in constant time: for measurements.
    fn multiples(message: &[u8], scalars: &[Self::Scalar]) -> Vec<Self::Point>;
}
