//! The rules that a key or a signature may break.

use std::ops::RangeInclusive;

use thiserror::Error;

use super::{
    bls::{BlsError, OtherHash},
    ed25519::point,
};
use crate::curve::{edwards::PointError, weierstrass};

/// The rule that a key or a signature breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SignatureError {
    /// The bytes are too few or too many.
    #[error("expected {expected} bytes, found {found}")]
    WrongLength {
        /// Bytes in the encoding.
        expected: usize,
        /// Bytes given.
        found: usize,
    },
    /// The secret key is zero or not below the group order.
    #[error("the secret key is not between 1 and the group order")]
    SecretKey,
    /// The public key is not a valid point.
    #[error("public key: {0}")]
    PublicKey(PointError),
    /// The nonce commitment R is not a valid point.
    #[error("nonce commitment R: {0}")]
    Nonce(PointError),
    /// The response s is not below the group order.
    #[error("s is not below the group order")]
    ScalarNotReduced,
    /// The public key is not a valid point of a Weierstrass curve.
    #[error("public key: {0}")]
    Key(weierstrass::PointError),
    /// No nonce commitment R has the x coordinate in the signature.
    #[error("nonce commitment R: {0}")]
    NonceX(weierstrass::PointError),
    /// The public key is not a point of Edwards25519 that a set may hold.
    #[error("public key: {0}")]
    Ed25519Key(point::PointError),
    /// The y of a BIP-340 key is odd.
    #[error("public key: its y is odd, but x alone stands for the point with an even y")]
    OddKey,
    /// The key belongs to another scheme, or names a member in another way.
    #[error("the key is of another kind: it belongs to another scheme, or it is an address where a key is expected, or the other way round")]
    OtherKey,
    /// Nobody can sign for the place: no set holds the key that the chain has.
    #[error("the place is empty: no set holds the key, so nobody can sign for it")]
    EmptyPlace,
    /// The nonce commitment R is not a point of Edwards25519 that the rule allows.
    #[error("nonce commitment R: {0}")]
    Ed25519Nonce(point::PointError),
    /// The public key is not a point of a BLS suite that a set may hold.
    #[error("public key: {0}")]
    BlsKey(BlsError),
    /// A BLS signature is not a point that a signature may be.
    #[error("signature: {0}")]
    BlsSignature(BlsError),
    /// A BLS key comes without a proof that its owner knows the secret, but the rule requires one.
    #[error("the key comes without a proof of possession")]
    NoPossession,
    /// The proof of possession that comes with a BLS key is not one for this key.
    #[error("the proof of possession is not for this key")]
    Possession,
    /// r or s of an ECDSA signature is zero or not below the group order.
    #[error("{0} is not between 1 and n - 1")]
    OutOfRange(char),
    /// s of an ECDSA signature is above half the group order, but the rule requires the lesser of s
    /// and n - s.
    #[error("s is above n/2")]
    HighS,
    /// The signature is over another curve.
    #[error("the signature is not over {expected} but over {found}")]
    WrongCurve {
        /// The curve of the scheme.
        expected: weierstrass::Curve,
        /// The curve of the signature.
        found: weierstrass::Curve,
    },
    /// The last byte of a recoverable signature stands for no point R.
    #[error("the recovery byte is {0}, not {read}", read = recovery_in_words())]
    RecoveryByte(u8),
    /// The nanoseconds of the time that is signed with a precommit make up a second or more.
    #[error("nanos: {0} is not below 1,000,000,000")]
    Nanos(u32),
    /// No key belongs to the message, the signature and its recovery byte.
    #[error("no key can be recovered from the signature")]
    NotRecoverable,
    /// A BLS signature holds, but with another hash to the curve than the one that signers should use.
    #[error("the verification equation does not hold, but with {0} it does")]
    OtherHash(OtherHash),
    /// Everything is well formed, but this is not a signature on this message by this key.
    #[error("the verification equation does not hold")]
    Equation,
}

impl SignatureError {
    /// Bytes, if there are as many as an encoding has.
    pub(super) fn check_length<const N: usize>(bytes: &[u8]) -> Result<&[u8; N], Self> {
        let found = bytes.len();
        bytes.try_into().map_err(|_| Self::WrongLength { expected: N, found })
    }

    /// Both halves of 64 bytes, if there are as many.
    pub(super) fn check_halves(bytes: &[u8]) -> Result<[[u8; 32]; 2], Self> {
        let (halves, _) = Self::check_length::<64>(bytes)?.as_chunks();
        Ok([halves[0], halves[1]])
    }
}

/// The bytes that say which point R is: as they are, and as Bitcoin and Ethereum write them.
pub(super) const RECOVERY_BYTES: [RangeInclusive<u8>; 2] = [0..=3, 27..=30];

/// [`RECOVERY_BYTES`] in words.
pub(super) fn recovery_in_words() -> String {
    RECOVERY_BYTES.map(|range| format!("{} to {}", range.start(), range.end())).join(" or ")
}
