//! Signatures by the coordinates of their points, as a circuit takes them, and the native verdict about them.

use num_bigint::BigUint;
use num_traits::One;

use super::{
    message_group::POINT_WORD_BITS,
    point::{PublicKey, Signature},
    scheme::{BlsError, Ciphersuite},
};
use crate::curve::pairing::{
    is_in_group, is_in_subgroup, is_on_curve, is_on_twist, product_of_members_is_one, BasePoint,
    PairingCurve, TwistPoint,
};

/// A key, the point that its owner signed, and the signature. It is evidence of nothing.
///
/// Keys are in the first group and the others in the second (`min-pk`), or the other way round (`min-sig`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawSigned<K, P> {
    /// The key.
    pub key: K,
    /// What a message was hashed to.
    pub message: P,
    /// The signature.
    pub signature: P,
}

/// The words of a point's [numbers](Ciphersuite::point_numbers), as circuits have them in public cells: 128 bits each,
/// coordinate by coordinate, the highest first. Whoever verifies a proof has to hash the message to that point.
///
/// # Panics
/// If a coordinate is not reduced.
pub fn public_words(curve: PairingCurve, numbers: &[BigUint]) -> Vec<BigUint> {
    let p = &curve.parameters().p;
    let count = (p.bits() as usize).div_ceil(POINT_WORD_BITS);
    let words = numbers.iter().flat_map(|number| {
        assert!(number < p, "a coordinate is reduced");
        let word =
            |i: usize| (number >> (POINT_WORD_BITS * i)) % (BigUint::one() << POINT_WORD_BITS);
        (0..count).rev().map(word).collect::<Vec<_>>()
    });
    words.collect()
}

impl<K, P> RawSigned<K, P> {
    /// A signature on a message, with the key that allegedly made it.
    pub fn of<S>(key: &PublicKey<S>, message: &S::Signed, signature: &Signature<S>) -> Self
    where
        S: Ciphersuite<RawKey = K, RawPoint = P>,
    {
        Self {
            key: S::key_coordinates(&key.0),
            message: S::point_coordinates(&S::message_point(message)),
            signature: S::point_coordinates(&signature.0),
        }
    }
}

impl RawSigned<BasePoint, TwistPoint> {
    /// The native verdict: `e(key, message)·e(-g, signature) = 1`, all points in their groups and none the identity.
    ///
    /// # Errors
    /// [`BlsError::NotOnCurve`], [`BlsError::NotInSubgroup`] or [`BlsError::Equation`].
    pub fn verify(&self, curve: PairingCurve) -> Result<(), BlsError> {
        first(curve, &self.key)?;
        second(curve, &self.message)?;
        second(curve, &self.signature)?;
        let generator = curve.parameters().negative_generator();
        equation(curve, [(&self.key, &self.message), (&generator, &self.signature)])
    }
}

impl RawSigned<TwistPoint, BasePoint> {
    /// The native verdict: `e(message, key)·e(-signature, g) = 1`, all points in their groups and none the identity.
    ///
    /// # Errors
    /// [`BlsError::NotOnCurve`], [`BlsError::NotInSubgroup`] or [`BlsError::Equation`].
    pub fn verify(&self, curve: PairingCurve) -> Result<(), BlsError> {
        second(curve, &self.key)?;
        first(curve, &self.message)?;
        first(curve, &self.signature)?;
        let generator = curve.parameters().negative_twist_generator();
        equation(curve, [(&self.message, &self.key), (&self.signature, &generator)])
    }
}

pub(super) fn first(curve: PairingCurve, point: &BasePoint) -> Result<(), BlsError> {
    if !is_on_curve(curve, point) {
        return Err(BlsError::NotOnCurve);
    }
    is_in_group(curve, point).then_some(()).ok_or(BlsError::NotInSubgroup)
}

pub(super) fn second(curve: PairingCurve, point: &TwistPoint) -> Result<(), BlsError> {
    let parameters = curve.parameters();
    if !is_on_twist(parameters, point) {
        return Err(BlsError::NotOnCurve);
    }
    is_in_subgroup(parameters, point).then_some(()).ok_or(BlsError::NotInSubgroup)
}

/// The verdict on points that were found to be in their groups.
fn equation(curve: PairingCurve, pairs: [(&BasePoint, &TwistPoint); 2]) -> Result<(), BlsError> {
    product_of_members_is_one(curve, &pairs).then_some(()).ok_or(BlsError::Equation)
}
