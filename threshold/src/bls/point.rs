//! Public keys and signatures that obey every rule but the equation.

use super::{Error, Suite};

/// A public key: on the curve, in the subgroup, not the identity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PublicKey<S: Suite>(pub(super) S::Key);

/// A signature, or a share of one: on the curve, in the subgroup, not the identity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Signature<S: Suite>(pub(super) S::Point);

impl<S: Suite> PublicKey<S> {
    /// Reads the scheme's encoding.
    ///
    /// # Errors
    ///
    /// [`Error::Length`], [`Error::NotOnCurve`], [`Error::NotInSubgroup`] or [`Error::Identity`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        S::decode_key(bytes).map(Self)
    }

    /// The scheme's encoding.
    pub fn to_bytes(&self) -> Vec<u8> {
        S::encode_key(&self.0)
    }

    /// Plain verification: whether the signature is this key's.
    pub fn verify(&self, message: &[u8], signature: &Signature<S>) -> bool {
        S::verify(&self.0, message, &signature.0)
    }
}

impl<S: Suite> Signature<S> {
    /// Σ cᵢ σᵢ by multi-exponentiation, or nothing if that is the identity, if there are no points or
    /// not as many coefficients.
    pub fn combine(points: &[Self], coefficients: &[S::Scalar]) -> Option<Self> {
        if points.is_empty() || points.len() != coefficients.len() {
            return None;
        }
        let points: Vec<S::Point> = points.iter().map(|point| point.0).collect();
        S::combine(&points, coefficients).map(Self)
    }

    /// Reads the scheme's encoding.
    ///
    /// # Errors
    ///
    /// As [`PublicKey::from_bytes`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        S::decode_signature(bytes).map(Self)
    }

    /// The scheme's encoding.
    pub fn to_bytes(&self) -> Vec<u8> {
        S::encode_signature(&self.0)
    }
}
