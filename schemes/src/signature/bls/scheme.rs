//! What BLS signatures need: a pairing, a hash to its curve, and encodings.

use std::fmt::{self, Debug};

use ff::PrimeField;
use num_bigint::BigUint;

use super::message_group::MessageGroup;
use crate::curve::pairing::PairingCurve;
#[cfg(any(test, feature = "bls"))]
use crate::hash::to_curve::Tag;

/// What is wrong with a key or a signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BlsError {
    /// Bytes whose length is not that of an encoding.
    #[error("{found} bytes, not {expected}")]
    Length {
        /// The encoding's length.
        expected: usize,
        /// The length found.
        found: usize,
    },
    /// Bytes that do not encode a point of the curve.
    #[error("not the encoding of a point of the curve")]
    NotOnCurve,
    /// A point outside the group of prime order.
    #[error("the point is not in the subgroup")]
    NotInSubgroup,
    /// The point at infinity.
    #[error("the point is the identity")]
    Identity,
    /// The signature is not one on the message by the key.
    #[error("the signature is not by this key on this message")]
    Equation,
    /// A secret that is zero or not below the order.
    #[error("the secret is zero or not below the order of the group")]
    BadSecret,
}

impl BlsError {
    /// Refuses bytes whose number is not that of an encoding.
    pub(super) fn check_length(bytes: &[u8], expected: usize) -> Result<(), Self> {
        let found = bytes.len();
        (found == expected).then_some(()).ok_or(Self::Length { expected, found })
    }
}

/// A hash to the curve, other than the one that signers should use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OtherHash {
    /// That of RFC 9380 with another tag.
    Tag(&'static [u8]),
    /// The search of EigenLayer's contracts.
    Search,
}

impl fmt::Display for OtherHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::Tag(tag) = self else { return f.write_str("the hash try-and-increment") };
        write!(f, "the tag {}, ", String::from_utf8_lossy(tag))?;
        f.write_str(if tag.starts_with(b"BLS_POP_") {
            "that of proofs of possession"
        } else if tag.ends_with(b"_NUL_") {
            "that of the hash nul"
        } else {
            "that of the hash pop"
        })
    }
}

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

/// The groups of secrets, keys and signatures, with their encodings and coordinates, and how messages become points.
/// Points are raw here: [`super::PublicKey`] and [`super::Signature`] hold checked ones, and are what callers use.
///
/// # Panics
///
/// Functions that take a secret panic if it is zero; those that take several points panic if there
/// are none, or not as many scalars.
pub trait Ciphersuite: Copy + Clone + Debug + PartialEq + Eq + Send + Sync + 'static {
    /// The field of secrets and coefficients.
    type Scalar: PrimeField<Repr = [u8; 32]>;
    /// A public key, as an affine point.
    type Key: Copy + Debug + PartialEq + Send + Sync;
    /// A signature, as an affine point.
    type Point: Copy + Debug + PartialEq + Send + Sync;
    /// What is signed: bytes, which are hashed to a point, or a [point](super::SignedPoint).
    type Signed: ?Sized + Sync;
    /// The result of a pairing.
    type Target: Copy + PartialEq;
    /// The coordinates of a key, as a circuit takes them.
    type RawKey: Clone + Debug + PartialEq + Send + Sync + 'static;
    /// The coordinates of a signature.
    type RawPoint: Clone + Debug + PartialEq + Send + Sync + 'static;
    /// The name on the command line and in files.
    const NAME: &'static str;
    /// Domain separation tag of the hash to the curve (RFC 9380, section 3.1); empty where points are signed.
    const TAG: &'static [u8];
    /// All tags that the schemes have for hashes to the group of signatures; none where points are signed.
    const TAGS: &'static [&'static [u8]];
    /// The curve of both groups.
    const CURVE: PairingCurve;
    /// The group of signatures, and of the points that are signed.
    const GROUP: MessageGroup;
    /// Bytes of a public key.
    const KEY_BYTES: usize;
    /// Bytes of a signature.
    const SIGNATURE_BYTES: usize;

    /// The public key of a secret other than zero.
    fn public_key(secret: &Self::Scalar) -> Self::Key;

    /// The point that a message stands for: the signature of the secret 1.
    fn message_point(message: &Self::Signed) -> Self::Point;

    /// The point under another tag; `None` where points are signed.
    fn tagged_point(message: &Self::Signed, tag: &[u8]) -> Option<Self::Point>;

    /// The signature of a secret other than zero.
    fn sign(secret: &Self::Scalar, message: &Self::Signed) -> Self::Point;

    /// Plain verification: whether the signature was made with the key. Both are in their
    /// subgroups.
    fn verify(key: &Self::Key, message: &Self::Signed, signature: &Self::Point) -> bool;

    /// Whether the signature is the multiple of a point by the secret of the key. All are in their subgroups.
    fn is_multiple(key: &Self::Key, point: &Self::Point, signature: &Self::Point) -> bool;

    /// The sum of keys, or `None` if that is the identity. At least one.
    fn sum_of_keys(keys: &[Self::Key]) -> Option<Self::Key>;

    /// Whether Σ zᵢ Xᵢ is the identity. As many scalars as keys, at least one.
    fn cancel(keys: &[Self::Key], scalars: &[Self::Scalar]) -> bool;

    /// Σ zᵢ σᵢ, or `None` if that is the identity. As many scalars as points, at least one.
    fn combine(points: &[Self::Point], scalars: &[Self::Scalar]) -> Option<Self::Point>;

    /// e(Σ zᵢ σᵢ, −g) e(H(m), Σ zᵢ Xᵢ): how far signatures σᵢ under keys Xᵢ are from being good,
    /// all together; or its inverse. One product of two pairings.
    fn discrepancy(
        message: &Self::Signed,
        signatures: &[Self::Point],
        keys: &[Self::Key],
        scalars: &[u128],
        sign: Sign,
    ) -> Self::Target;

    /// Whether all signatures are good, each by its own key on its own message: e(Σ zᵢ σᵢ, g) = Π e(zᵢ H(mᵢ), Xᵢ). A
    /// bad list whose maker could not know its coefficients before passes once in 2^128. As many coefficients as
    /// signatures, at least one.
    fn verify_each(
        signed: &[(Self::Key, &Self::Signed, Self::Point)],
        coefficients: &[u128],
    ) -> bool;

    /// The discrepancy of two sets together.
    fn product(a: &Self::Target, b: &Self::Target) -> Self::Target;

    /// The discrepancy of good signatures.
    fn one() -> Self::Target;

    /// s H(m) for each s other than zero. Not in constant time: for measurements.
    fn multiples(message: &Self::Signed, scalars: &[Self::Scalar]) -> Vec<Self::Point>;

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

    /// The coordinates of a key.
    fn key_coordinates(key: &Self::Key) -> Self::RawKey;

    /// The coordinates of a signature, or of the hash of a message.
    fn point_coordinates(point: &Self::Point) -> Self::RawPoint;

    /// The numbers that a key's coordinates consist of, in the order in which they are public: `x` before `y`, each with
    /// the real part before the imaginary one. EIP-197 puts the imaginary part first.
    fn key_numbers(key: &Self::RawKey) -> &[BigUint];

    /// Those of a signature, or of a point that is signed.
    fn point_numbers(point: &Self::RawPoint) -> &[BigUint];

    /// Reads the bytes of coordinates, as [`PointMessage`](super::PointMessage) has them, with the rules for signatures:
    /// by default they are the encoding of one.
    ///
    /// # Errors
    ///
    /// As [`Self::decode_signature`].
    fn decode_coordinates(bytes: &[u8]) -> Result<Self::Point, BlsError> {
        Self::decode_signature(bytes)
    }
}

/// A search for a point, from bytes on: returns the point, and how many numbers it passes over.
#[cfg(any(test, feature = "bls"))]
pub(super) type Search<P> = fn(&[u8]) -> (P, usize);
/// A hash of bytes to a point over Keccak-256, with a tag.
#[cfg(any(test, feature = "bls"))]
pub(super) type Keccak<P> = fn(&[u8], &Tag) -> P;

/// A suite that hashes bytes, also with other tags than its own.
///
/// # Panics
///
/// A secret that is zero is refused as by [`Ciphersuite`].
#[cfg(any(test, feature = "bls"))]
pub(super) trait TaggedSuite: Ciphersuite<Signed = [u8]> {
    /// The search for a point, if there is one.
    const SEARCH: Option<Search<Self::Point>> = None;
    /// The hash over Keccak-256, if there is one.
    const KECCAK: Option<Keccak<Self::Point>> = None;

    /// What the search finds.
    ///
    /// # Panics
    /// If there is none.
    fn searched(message: &[u8]) -> (Self::Point, usize) {
        Self::SEARCH.expect("schemes without a search have no such choice")(message)
    }

    /// The point that a message is hashed to with this tag.
    fn hashed_with(message: &[u8], tag: &Tag) -> Self::Point;

    /// The signature of a secret other than zero on that point.
    fn sign_tagged(secret: &Self::Scalar, message: &[u8], tag: &Tag) -> Self::Point;
}
