//! What threshold signing needs of a pairing, a hash to its curve and encodings.

use std::fmt::Debug;

use ff::PrimeField;

use super::Error;

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

/// A BLS signature scheme. Points are raw: [`super::PublicKey`] and [`super::Signature`] hold those that
/// were checked.
pub trait Suite: Copy + Clone + Debug + PartialEq + Eq + Send + Sync + 'static {
    /// The name on the command line and in files.
    const NAME: &'static str;
    /// Domain separation tag of the hash to the curve (RFC 9380, section 3.1).
    const TAG: &'static [u8];
    /// The field of secrets and coefficients.
    type Scalar: PrimeField<Repr = [u8; 32]>;
    /// A public key, as an affine point.
    type Key: Copy + Debug + PartialEq + Send + Sync;
    /// A signature, as an affine point.
    type Point: Copy + Debug + PartialEq + Send + Sync;
    /// What a pairing gives.
    type Target: Copy + PartialEq;

    /// The public key of a secret other than zero.
    fn public_key(secret: &Self::Scalar) -> Self::Key;

    /// The signature of a secret other than zero.
    fn sign(secret: &Self::Scalar, message: &[u8]) -> Self::Point;

    /// Whether the signature is that of the key: plain verification. Both are in their subgroups.
    fn verify(key: &Self::Key, message: &[u8], signature: &Self::Point) -> bool;

    /// Σ zᵢ σᵢ, or nothing if that is the identity. As many scalars as points, at least one.
    fn combine(points: &[Self::Point], scalars: &[Self::Scalar]) -> Option<Self::Point>;

    /// Whether Σ zᵢ Xᵢ is the identity. As many scalars as keys, at least one.
    fn cancel(keys: &[Self::Key], scalars: &[Self::Scalar]) -> bool;

    /// e(Σ zᵢ σᵢ, −g) e(H(m), Σ zᵢ Xᵢ): how far signatures σᵢ under keys Xᵢ are from good, all together; or
    /// its inverse. One product of two pairings.
    fn discrepancy(
        message: &[u8],
        signatures: &[Self::Point],
        keys: &[Self::Key],
        scalars: &[u128],
        sign: Sign,
    ) -> Self::Target;

    /// The discrepancy of two sets together.
    fn product(a: &Self::Target, b: &Self::Target) -> Self::Target;

    /// The discrepancy of signatures that are good.
    fn one() -> Self::Target;

    /// s H(m) for each s other than zero. Not in constant time: for measurements.
    fn multiples(message: &[u8], scalars: &[Self::Scalar]) -> Vec<Self::Point>;

    /// The encoding of a public key.
    fn encode_key(key: &Self::Key) -> Vec<u8>;

    /// Reads a public key: in its one encoding, on the curve, in the subgroup, not the identity.
    ///
    /// # Errors
    ///
    /// [`Error::Length`], [`Error::NotOnCurve`], [`Error::NotInSubgroup`] or [`Error::Identity`].
    fn decode_key(bytes: &[u8]) -> Result<Self::Key, Error>;

    /// The encoding of a signature.
    fn encode_signature(signature: &Self::Point) -> Vec<u8>;

    /// Reads a signature, with the rules for public keys.
    ///
    /// # Errors
    ///
    /// As [`Self::decode_key`].
    fn decode_signature(bytes: &[u8]) -> Result<Self::Point, Error>;
}

/// s times a point for each s, by a table of its multiples: one addition for each digit of s.
pub(super) fn multiples<P: Copy + Send + Sync>(
    base: P,
    identity: P,
    scalars: &[[u8; 32]],
    add: impl Fn(&P, &P) -> P + Sync,
) -> Vec<P> {
    use rayon::prelude::*;
    // Larger tables pay for more scalars. Whole numbers of digits in two bytes or in one.
    let bits: usize = if scalars.len() < 256 { 4 } else { 8 };
    let digits = 256 / bits;
    let mut table = Vec::with_capacity(digits << bits);
    let mut unit = base;
    for _ in 0..digits {
        let mut multiple = identity;
        for _ in 0..1 << bits {
            table.push(multiple);
            multiple = add(&multiple, &unit);
        }
        unit = multiple;
    }
    let multiply = |scalar: &[u8; 32]| {
        let digit =
            |i: usize| usize::from(scalar[i * bits / 8] >> (i * bits % 8)) & ((1 << bits) - 1);
        let terms = (0..digits).filter(|&i| digit(i) != 0);
        terms.fold(identity, |sum, i| add(&sum, &table[(i << bits) + digit(i)]))
    };
    scalars.par_iter().map(multiply).collect()
}
