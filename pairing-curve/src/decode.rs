//! Decoding: canonical, on the curve, and (separately, so that it can be batched) in the subgroup.

use super::{G1Affine, G2Affine};

/// Bytes of a compressed point of G1.
pub const G1_BYTES: usize = 48;
/// Bytes of a compressed point of G2.
pub const G2_BYTES: usize = 96;

/// Bytes of an uncompressed point of G1.
pub const G1_UNCOMPRESSED_BYTES: usize = 96;

/// What is wrong with a point's bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PointFault {
    /// Not the canonical encoding of a point of the curve.
    #[error("not the encoding of a point of the curve")]
    NotOnCurve,
    /// A point outside the group of prime order.
    #[error("not in the subgroup")]
    NotInSubgroup,
    /// The identity where it has no place.
    #[error("the identity")]
    Identity,
}

/// A point of G1 from ZCash's compressed encoding: canonical, on the curve, in the subgroup.
///
/// # Errors
///
/// [`PointFault::NotOnCurve`] or [`PointFault::NotInSubgroup`].
pub fn decode_g1(bytes: &[u8; G1_BYTES]) -> Result<G1Affine, PointFault> {
    let point = G1Affine::from_compressed_unchecked(bytes).into_option();
    let point = point.ok_or(PointFault::NotOnCurve)?;
    if bool::from(point.is_torsion_free()) {
        Ok(point)
    } else {
        Err(PointFault::NotInSubgroup)
    }
}

/// A point of G1 from its encoding: canonical and on the curve. Whether it is in the subgroup is left to
/// [`super::all_in_g1`].
///
/// # Errors
///
/// [`PointFault::NotOnCurve`].
pub fn decode_on_curve(bytes: &[u8; G1_BYTES]) -> Result<G1Affine, PointFault> {
    let point = G1Affine::from_compressed_unchecked(bytes).into_option();
    point.ok_or(PointFault::NotOnCurve)
}

/// A point of G1 from its uncompressed encoding: canonical and on the curve. Whether it is in the subgroup is left to
/// [`super::all_in_g1`].
pub fn decode_uncompressed_on_curve(bytes: &[u8; G1_UNCOMPRESSED_BYTES]) -> Option<G1Affine> {
    let point = G1Affine::from_uncompressed_unchecked(bytes).into_option();
    point.filter(|point| bool::from(point.is_on_curve()))
}

/// A point of G2, with the rules of [`decode_g1`].
///
/// # Errors
///
/// As [`decode_g1`].
pub fn decode_g2(bytes: &[u8; G2_BYTES]) -> Result<G2Affine, PointFault> {
    let point = G2Affine::from_compressed_unchecked(bytes).into_option();
    let point = point.ok_or(PointFault::NotOnCurve)?;
    if bool::from(point.is_torsion_free()) {
        Ok(point)
    } else {
        Err(PointFault::NotInSubgroup)
    }
}
