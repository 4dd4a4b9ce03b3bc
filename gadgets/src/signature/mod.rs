//! Signature schemes: one folder each, with the native scheme and its chip.

use std::fmt::Debug;

use rand_core::{CryptoRng, RngCore};
use thiserror::Error;
use zeroize::Zeroizing;

use crate::curve::{edwards::PointError, weierstrass};

mod any;
#[cfg(feature = "circuit")]
pub mod batch;
#[cfg(all(test, feature = "circuit"))]
mod batch_tests;
pub mod bip340;
mod choices;
mod description;
#[cfg(test)]
mod digest_suite;
pub mod ecdsa;
pub mod eddsa;
mod edwards;
#[cfg(feature = "circuit")]
pub mod embedded;
#[cfg(feature = "circuit")]
pub mod foreign;
#[cfg(feature = "circuit")]
pub mod instructions;
mod message;
pub mod musig;
mod nonce;
pub mod schnorr;
pub mod secret;
#[cfg(test)]
mod suite;

pub use any::{AnySignature, MemberSignature};
pub use choices::{Choices, KeyKind, NoSuchChoice, Rule};
pub use description::Description;
pub use edwards::{signature_from_parts, RawSignature, Signature};
pub use message::{Message, SignedMessage};

/// A signature scheme outside a circuit.
///
/// Keys and signatures are evidence: a value of type `PublicKey` or `Signature` obeys every rule
/// of its encoding, so that `verify` has only the equation left to check.
pub trait SignatureScheme {
    /// The name of the scheme on the command line and in files.
    const NAME: &'static str;
    /// How a set can name its members.
    const KEY_KINDS: &'static [KeyKind] = &[KeyKind::Coordinates];
    /// The rules that there is a choice of, its own first; none if there is one way to accept a
    /// signature.
    const RULES: &'static [Rule] = &[];
    /// A secret key. It is wiped when dropped and does not print itself.
    type SecretKey: Send + Sync;
    /// A checked public key.
    type PublicKey: Copy + Eq + Debug;
    /// What is signed.
    type Message: SignedMessage;
    /// A checked signature.
    type Signature: Clone + MemberSignature;

    /// The scheme in words.
    fn description() -> Description;

    /// A fresh secret key.
    fn keygen(rng: &mut (impl RngCore + CryptoRng)) -> Self::SecretKey;

    /// The secret key that a 32-byte seed stands for.
    ///
    /// # Errors
    ///
    /// [`SignatureError::SecretKey`] for the one seed in about 2^250 that gives the zero key.
    fn secret_key_from_seed(seed: &[u8; 32]) -> Result<Self::SecretKey, SignatureError>;

    /// The secret key, or the seed that it is made of, in the order of bytes that the scheme has. Wiped
    /// when dropped.
    fn encode_secret_key(secret_key: &Self::SecretKey) -> Zeroizing<[u8; 32]>;

    /// The public key of a secret key.
    fn public_key(secret_key: &Self::SecretKey) -> Self::PublicKey;

    /// Signs a message. Schemes with deterministic nonces draw nothing from `rng`.
    fn sign(
        secret_key: &Self::SecretKey,
        message: &Self::Message,
        rng: &mut (impl RngCore + CryptoRng),
    ) -> Self::Signature;

    /// Checks a signature, in variable time.
    ///
    /// # Errors
    ///
    /// [`SignatureError::Equation`] if the signature is not one of this message by this key; or the
    /// rule of the scheme that a well-formed signature breaks.
    fn verify(
        public_key: &Self::PublicKey,
        message: &Self::Message,
        signature: &Self::Signature,
    ) -> Result<(), SignatureError>;

    /// The key in the encoding of the scheme's own standard.
    fn encode_public_key(public_key: &Self::PublicKey) -> Vec<u8>;

    /// Reads a key and checks it.
    ///
    /// # Errors
    ///
    /// [`SignatureError::PublicKey`] or [`SignatureError::Key`] with the rule that the bytes break.
    fn decode_public_key(bytes: &[u8]) -> Result<Self::PublicKey, SignatureError>;

    /// The signature in the encoding of the scheme's own standard.
    fn encode_signature(signature: &Self::Signature) -> Vec<u8>;

    /// Reads a signature and checks all but the equation.
    ///
    /// # Errors
    ///
    /// [`SignatureError::WrongLength`], or the rule that a part of the signature breaks.
    fn decode_signature(bytes: &[u8]) -> Result<Self::Signature, SignatureError>;
}

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
    /// The public key is no valid point.
    #[error("public key: {0}")]
    PublicKey(PointError),
    /// The nonce commitment R is no valid point.
    #[error("nonce commitment R: {0}")]
    Nonce(PointError),
    /// The response s is not below the group order.
    #[error("s is not below the group order")]
    ScalarNotReduced,
    /// The public key is no valid point of a Weierstrass curve.
    #[error("public key: {0}")]
    Key(weierstrass::PointError),
    /// No nonce commitment R has the x coordinate in the signature.
    #[error("nonce commitment R: {0}")]
    NonceX(weierstrass::PointError),
    /// r or s of an ECDSA signature is zero or not below the group order.
    #[error("{0} is not between 1 and n - 1")]
    OutOfRange(char),
    /// s of an ECDSA signature is above half the group order, where the rule wants the lesser of s
    /// and n - s.
    #[error("s is above n/2")]
    HighS,
    /// The signature is one over another curve.
    #[error("the signature is not over {expected} but over {found}")]
    WrongCurve {
        /// The curve of the scheme.
        expected: weierstrass::Curve,
        /// The curve of the signature.
        found: weierstrass::Curve,
    },
    /// The last byte of a recoverable signature stands for no point R.
    #[error("the recovery byte is {0}, not {read}", read = ecdsa::RecoveryId::bytes())]
    RecoveryByte(u8),
    /// No key belongs to the message, the signature and its recovery byte.
    #[error("no key can be recovered")]
    NotRecoverable,
    /// Everything is well formed, but this is no signature of this message by this key.
    #[error("the verification equation does not hold")]
    Equation,
}
