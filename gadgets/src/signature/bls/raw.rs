//! Signatures by the coordinates of their points, as a circuit takes them, and the native verdict about them.

use super::{
    error::BlsError,
    point::{PublicKey, Signature},
    scheme::Suite,
};
use crate::curve::pairing::{
    is_in_group, is_in_subgroup, is_on_curve, is_on_twist, product_is_one, BasePoint, PairingCurve,
    TwistPoint,
};

/// A key, the point that its owner signed, and the signature. Evidence of nothing.
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

/// A suite whose points a circuit can take.
pub trait Coordinates: Suite {
    /// A point of the group of keys, by its coordinates.
    type RawKey;
    /// A point of the group of signatures.
    type RawPoint;
    /// The curve of both.
    const CURVE: PairingCurve;

    /// The coordinates of a key.
    fn key_coordinates(key: &Self::Key) -> Self::RawKey;

    /// The coordinates of a signature, or of the hash of a message.
    fn point_coordinates(point: &Self::Point) -> Self::RawPoint;

    /// The point that a message is hashed to with [`Suite::TAG`].
    fn message_point(message: &[u8]) -> Self::Point;
}

impl<K, P> RawSigned<K, P> {
    /// A signature on a message, with the key that is said to have made it.
    pub fn of<S>(key: &PublicKey<S>, message: &[u8], signature: &Signature<S>) -> Self
    where
        S: Coordinates<RawKey = K, RawPoint = P>,
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

fn first(curve: PairingCurve, point: &BasePoint) -> Result<(), BlsError> {
    if !is_on_curve(curve, point) {
        return Err(BlsError::NotOnCurve);
    }
    if is_in_group(curve, point) {
        Ok(())
    } else {
        Err(BlsError::NotInSubgroup)
    }
}

fn second(curve: PairingCurve, point: &TwistPoint) -> Result<(), BlsError> {
    let parameters = curve.parameters();
    if !is_on_twist(parameters, point) {
        return Err(BlsError::NotOnCurve);
    }
    if is_in_subgroup(parameters, point) {
        Ok(())
    } else {
        Err(BlsError::NotInSubgroup)
    }
}

fn equation(curve: PairingCurve, pairs: [(&BasePoint, &TwistPoint); 2]) -> Result<(), BlsError> {
    if product_is_one(curve, &pairs) {
        Ok(())
    } else {
        Err(BlsError::Equation)
    }
}
