//! Points of the curve in the group of order `r`, natively.

use ff::PrimeField;
use halo2curves::{bls12_381, bn256, CurveAffine};

use super::{
    parameters::PairingCurve,
    polynomial::element,
    walk::{BasePoint, TwistPoint},
};
use crate::field::ExtensionField;

/// Whether these are the coordinates of a point of the curve, each below the prime. The identity has none.
pub fn is_on_curve(curve: PairingCurve, point: &BasePoint) -> bool {
    let p = &curve.parameters().p;
    point.iter().all(|coordinate| coordinate < p)
        && match curve {
            PairingCurve::Bn254 => of_coordinates::<bn256::G1Affine>(point).is_some(),
            PairingCurve::Bls12381 => of_coordinates::<bls12_381::G1Affine>(point).is_some(),
        }
}

/// Whether these are the coordinates of a point of the group.
pub fn is_in_group(curve: PairingCurve, point: &BasePoint) -> bool {
    is_on_curve(curve, point)
        && match curve {
            PairingCurve::Bn254 => true,
            PairingCurve::Bls12381 => of_coordinates::<bls12_381::G1Affine>(point)
                .is_some_and(|point| bool::from(point.is_torsion_free())),
        }
}

/// The point with these coordinates, if there is one on the curve.
///
/// # Panics
/// If they are not reduced.
pub fn of_coordinates<C: CurveAffine>(point: &BasePoint) -> Option<C>
where
    C::Base: PrimeField,
{
    let [x, y] = point.each_ref().map(element);
    let point = C::from_xy(x, y).into_option()?;
    (!bool::from(point.is_identity())).then_some(point)
}

/// The point with these coordinates, if there is one on the twist.
///
/// # Panics
/// If they are not reduced.
pub fn of_twist_coordinates<C: CurveAffine>(point: &TwistPoint) -> Option<C>
where
    C::Base: ExtensionField,
{
    let [x, y] = point.each_ref().map(|parts| {
        let element = C::Base::of_integers(parts);
        assert!(element.integers() == parts, "the number is reduced");
        element
    });
    let point = C::from_xy(x, y).into_option()?;
    (!bool::from(point.is_identity())).then_some(point)
}
