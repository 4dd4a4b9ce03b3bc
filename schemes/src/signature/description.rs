//! A scheme in words, for those who are about to use it.

use crate::curve::weierstrass::Curve;

/// What a scheme takes and what it accepts. Each scheme writes its own, next to its code and from
/// the constants that the code uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    /// The curve.
    pub curve: &'static str,
    /// Encoding of a public key.
    pub public_key: String,
    /// What is signed.
    pub message: &'static str,
    /// Encoding of a signature.
    pub signature: String,
    /// When a signature is valid.
    pub equation: String,
    /// Which keys are accepted.
    pub key_rules: &'static str,
    /// What a signature must satisfy besides the equation.
    pub signature_rules: String,
    /// Whether signatures made for something else count.
    pub elsewhere: String,
}

/// Where a curve comes from.
pub(super) fn curve(curve: Curve) -> &'static str {
    match curve {
        Curve::Secp256k1 => "secp256k1 (SEC 2)",
        Curve::P256 => "P-256, or secp256r1 (FIPS 186-5)",
        Curve::Edwards25519 => "edwards25519 (RFC 8032)",
    }
}

/// What schemes over curves of other fields sign.
pub(super) const DIGEST: &str =
    "32 bytes: the digest of what is signed, by the hash that the signers use";

/// Which points of a curve of prime order are keys.
pub(super) const ON_CURVE: &str = "canonical, on the curve, not the identity";
