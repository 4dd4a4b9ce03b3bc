//! Public keys and signatures that obey every rule but the equation.

use ff::Field;

use super::scheme::{BlsError, Ciphersuite, OtherHash, Sign};

/// A public key: on the curve, in the subgroup, not the identity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PublicKey<S: Ciphersuite>(pub(super) S::Key);

/// A signature, or a share of one: on the curve, in the subgroup, not the identity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Signature<S: Ciphersuite>(pub(super) S::Point);

impl<S: Ciphersuite> PublicKey<S> {
    /// Reads the scheme's encoding.
    ///
    /// # Errors
    ///
    /// [`BlsError::Length`], [`BlsError::NotOnCurve`], [`BlsError::NotInSubgroup`] or [`BlsError::Identity`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, BlsError> {
        S::decode_key(bytes).map(Self)
    }

    /// The scheme's encoding.
    pub fn to_bytes(&self) -> Vec<u8> {
        S::encode_key(&self.0)
    }

    /// The point.
    pub fn point(&self) -> &S::Key {
        &self.0
    }

    /// The sum of keys, or `None` if that is the identity, or if there are none.
    pub fn sum(keys: &[Self]) -> Option<Self> {
        let keys: Vec<S::Key> = keys.iter().map(|key| key.0).collect();
        (!keys.is_empty()).then(|| S::sum_of_keys(&keys)).flatten().map(Self)
    }

    /// Whether Σ cᵢ Xᵢ is the identity; `None` if there are no keys, or not as many coefficients.
    pub fn cancel(keys: &[Self], coefficients: &[S::Scalar]) -> Option<bool> {
        if keys.is_empty() || keys.len() != coefficients.len() {
            return None;
        }
        let keys: Vec<S::Key> = keys.iter().map(|key| key.0).collect();
        Some(S::cancel(&keys, coefficients))
    }

    /// Plain verification: whether the signature was made with this key.
    pub fn verify(&self, message: &S::Signed, signature: &Signature<S>) -> bool {
        S::verify(&self.0, message, &signature.0)
    }

    /// The hash with another tag, of those that the schemes have, with which the signature is one on the message: another
    /// than `tag`, with which it is none.
    pub fn other_tag(
        &self,
        message: &S::Signed,
        signature: &Signature<S>,
        tag: Option<&[u8]>,
    ) -> Option<OtherHash> {
        let holds = |tag: &&[u8]| {
            let point = S::tagged_point(message, tag);
            point.is_some_and(|point| S::is_multiple(&self.0, &point, &signature.0))
        };
        let mut others = S::TAGS.iter().copied().filter(|other| Some(*other) != tag);
        others.find(holds).map(OtherHash::Tag)
    }

    /// Whether all signatures are good, each by its own key on its own message, by one sum; see [`Ciphersuite::verify_each`].
    ///
    /// # Panics
    ///
    /// If there are none, or not as many coefficients.
    pub fn verify_each<'a>(
        signed: impl IntoIterator<Item = (Self, &'a S::Signed, Signature<S>)>,
        coefficients: &[u128],
    ) -> bool {
        let signed = signed.into_iter();
        let signed: Vec<_> =
            signed.map(|(key, message, signature)| (key.0, message, signature.0)).collect();
        S::verify_each(&signed, coefficients)
    }
}

impl<S: Ciphersuite> Signature<S> {
    /// Σ cᵢ σᵢ by multi-exponentiation, or `None` if that is the identity, or if there are no
    /// points or not as many coefficients.
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
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, BlsError> {
        S::decode_signature(bytes).map(Self)
    }

    /// The scheme's encoding.
    pub fn to_bytes(&self) -> Vec<u8> {
        S::encode_signature(&self.0)
    }

    /// The point.
    pub fn point(&self) -> &S::Point {
        &self.0
    }

    /// How far signatures on a message are from being good, all together: e(Σ zᵢ σᵢ, −g) e(H(m), Σ
    /// zᵢ Xᵢ) or its inverse, by one product of two pairings. It is [`Ciphersuite::one`] if all are, each
    /// under its own key.
    ///
    /// # Panics
    ///
    /// If there are none, or not as many coefficients.
    pub fn discrepancy(
        message: &S::Signed,
        signed: &[(Self, PublicKey<S>)],
        coefficients: &[u128],
        sign: Sign,
    ) -> S::Target {
        let (signatures, keys): (Vec<S::Point>, Vec<S::Key>) =
            signed.iter().map(|(signature, key)| (signature.0, key.0)).unzip();
        S::discrepancy(message, &signatures, &keys, coefficients, sign)
    }

    /// The signatures on a message by many secrets, not in constant time: for measurements. `None`
    /// if one of the secrets is zero.
    pub fn by_all(message: &S::Signed, secrets: &[S::Scalar]) -> Option<Vec<Self>> {
        let zero = secrets.iter().any(|secret| bool::from(secret.is_zero()));
        (!zero).then(|| S::multiples(message, secrets).into_iter().map(Self).collect())
    }
}
