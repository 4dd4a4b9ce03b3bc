//! Pairings: whether a product of them is 1.

pub mod extension;
pub mod group;
pub mod parameters;
pub mod polynomial;
pub mod program;
#[cfg(test)]
#[path = "tests/samples.rs"]
pub(crate) mod samples;
#[cfg(test)]
mod tests;
pub mod walk;
pub mod witness;

pub use extension::Pair;
pub use group::{is_in_group, is_on_curve};
use group::{of_coordinates, of_twist_coordinates};
pub use parameters::{PairingCurve, Parameters};
pub use walk::{is_in_subgroup, is_on_twist, BasePoint, TwistPoint};
pub use witness::NotOne;

use halo2curves::{
    bls12_381::Bls12,
    bn256::Bn256,
    group::Group,
    pairing::{MillerLoopResult, MultiMillerLoop},
    CurveAffine,
};

use crate::field::ExtensionField;

/// Whether the product of the pairings is 1; `false` if a point is not in its group, or not reduced.
pub fn product_is_one(curve: PairingCurve, pairs: &[(&BasePoint, &TwistPoint)]) -> bool {
    let are_points =
        pairs.iter().all(|(p, q)| is_in_group(curve, p) && is_in_subgroup(curve.parameters(), q));
    are_points && product_of_members_is_one(curve, pairs)
}

/// The same for points that were shown to be in their groups.
///
/// # Panics
/// If a coordinate is not reduced.
pub(crate) fn product_of_members_is_one(
    curve: PairingCurve,
    pairs: &[(&BasePoint, &TwistPoint)],
) -> bool {
    match curve {
        PairingCurve::Bn254 => is_one::<Bn256>(pairs),
        PairingCurve::Bls12381 => is_one::<Bls12>(pairs),
    }
}

fn is_one<E: MultiMillerLoop>(pairs: &[(&BasePoint, &TwistPoint)]) -> bool
where
    E::G1Affine: CurveAffine<Base: ff::PrimeField>,
    E::G2Affine: CurveAffine<Base: ExtensionField>,
{
    let points = pairs.iter().map(|(p, q)| {
        let q = E::G2Prepared::from(of_twist_coordinates::<E::G2Affine>(q)?);
        Some((of_coordinates::<E::G1Affine>(p)?, q))
    });
    let points: Option<Vec<_>> = points.collect();
    points.is_some_and(|points| {
        let terms: Vec<_> = points.iter().map(|(p, q)| (p, q)).collect();
        bool::from(E::multi_miller_loop(&terms).final_exponentiation().is_identity())
    })
}
