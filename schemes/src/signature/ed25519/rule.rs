//! What the rules say of keys and nonce commitments, and which equation they check.

use super::{EncodedPoint, PointError};
use crate::signature::Rule;

/// Whether both sides of the equation are multiplied by the cofactor 8.
pub(super) fn is_cofactored(rule: Rule) -> bool {
    matches!(rule, Rule::Zip215 | Rule::Rfc8032)
}

/// Whether a set may hold this key. No rule admits keys of small order, since anyone can sign with them.
///
/// Of the other keys, `strict` admits only those in the subgroup. With a key that has a part of small
/// order, `verify_strict` accepts one signature and refuses another, depending on their challenges: a
/// verdict on the part, which a circuit that checks membership of the subgroup does not see. No key
/// generation makes such keys.
///
/// # Errors
///
/// [`PointError::SmallOrder`], [`PointError::NonCanonical`], [`PointError::MixedOrder`].
pub(super) fn check_key(rule: Rule, key: &EncodedPoint) -> Result<(), PointError> {
    if key.is_small_order() {
        return Err(PointError::SmallOrder);
    }
    check_encoding(rule, key)?;
    (is_cofactored(rule) || key.is_torsion_free()).then_some(()).ok_or(PointError::MixedOrder)
}

/// Whether a signature may have this nonce commitment. Under `strict`, a commitment whose order is not
/// small is left to the equation, by which R is a difference of points of the subgroup.
///
/// # Errors
///
/// [`PointError::NonCanonical`], [`PointError::SmallOrder`].
pub(super) fn check_nonce(rule: Rule, nonce: &EncodedPoint) -> Result<(), PointError> {
    check_encoding(rule, nonce)?;
    (is_cofactored(rule) || !nonce.is_small_order()).then_some(()).ok_or(PointError::SmallOrder)
}

pub(super) fn check_encoding(rule: Rule, point: &EncodedPoint) -> Result<(), PointError> {
    (rule == Rule::Zip215 || point.is_canonical()).then_some(()).ok_or(PointError::NonCanonical)
}
