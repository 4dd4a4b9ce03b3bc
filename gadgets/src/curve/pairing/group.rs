//! Points of the curve in the group of order `r`: first arguments of pairings.

use ff::Field;
use halo2curves::{bls12_381, group::Curve};
use num_bigint::BigUint;

use super::{point::AssignedBasePoint, PairingEquations};
use crate::{
    field::foreign::integer::constant,
    hash::to_curve::{
        clear_cofactor, clearing_equations, AssignedPoint, AssignedStages, FoundPoint,
    },
};
use muster_gates::foreign::{AssignedLimbs, Equation, ForeignChip};
use muster_schemes::{
    curve::pairing::{
        group::of_coordinates, is_in_group, polynomial::number, BasePoint, PairingCurve,
    },
    hash::to_curve::{bls12381::PARAMETER, Bls12381G1, Bn254G1},
};

/// A point of the curve in the group of order `r`, not the identity. Its coordinates are not canonical.
#[derive(Clone, Debug)]
pub struct AssignedGroupPoint(AssignedBasePoint);

/// The curve has points outside the group, so a point on the curve need not be in the group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a point of {0} is not necessarily in the group")]
pub struct NotPrime(pub PairingCurve);

/// Every point of BN254 is in the group: its order is `r`.
impl TryFrom<AssignedBasePoint> for AssignedGroupPoint {
    type Error = NotPrime;

    fn try_from(point: AssignedBasePoint) -> Result<Self, NotPrime> {
        match point.curve() {
            PairingCurve::Bn254 => Ok(Self(point)),
            curve @ PairingCurve::Bls12381 => Err(NotPrime(curve)),
        }
    }
}

impl AssignedGroupPoint {
    /// The equations of [`Self::new`] and [`Self::negative_generator`], besides those of pairings.
    pub fn equations(curve: PairingCurve) -> Vec<Equation> {
        let p = &curve.parameters().p;
        let mut all = vec![constant(p, &(p - 1u8))];
        if curve == PairingCurve::Bls12381 {
            all.extend(clearing_equations());
        }
        all
    }

    /// Witnesses a point of the group.
    ///
    /// Over BLS12-381 it is the multiple by `1 - x` of a point of the curve, for the curve's parameter `x`: all
    /// multiples by it are in the group. For a point outside the group, the constraints do not hold, or they are about
    /// another point, which is in the group.
    pub fn new(chip: &ForeignChip, equations: &PairingEquations, point: &BasePoint) -> Self {
        match equations.curve() {
            PairingCurve::Bn254 => Self(AssignedBasePoint::new(chip, equations, point)),
            PairingCurve::Bls12381 => {
                let over = over_cofactor(point).unwrap_or_else(|| point.clone());
                let over = AssignedBasePoint::new(chip, equations, &over);
                let over = over.coordinates().clone().map(|coordinate| [coordinate]);
                Self::known(equations, &clear_cofactor(chip, &over))
            }
        }
    }

    /// The hash of a message to the group of BN254.
    ///
    /// # Panics
    /// If the equations are those of another curve.
    pub fn hashed_to_bn254(
        equations: &PairingEquations,
        stages: &AssignedStages<Bn254G1, 1>,
    ) -> Self {
        assert_eq!(equations.curve(), PairingCurve::Bn254, "the hash is one to this curve");
        Self::known(equations, stages.point())
    }

    /// The hash of a message to the group of BLS12-381.
    ///
    /// # Panics
    /// If the equations are those of another curve.
    pub fn hashed_to_bls12381(
        equations: &PairingEquations,
        stages: &AssignedStages<Bls12381G1, 1>,
    ) -> Self {
        assert_eq!(equations.curve(), PairingCurve::Bls12381, "the hash is one to this curve");
        Self::known(equations, stages.point())
    }

    /// The point of BN254 that a search has found.
    ///
    /// # Panics
    /// If the equations are those of another curve.
    pub fn found_in_bn254(equations: &PairingEquations, found: &FoundPoint) -> Self {
        assert_eq!(equations.curve(), PairingCurve::Bn254, "the search is one of this curve");
        Self::known(equations, found.point())
    }

    /// A point that was computed in the group.
    fn known(equations: &PairingEquations, point: &AssignedPoint<1>) -> Self {
        let coordinates = point.clone().map(|[coordinate]| coordinate);
        Self(AssignedBasePoint::known(equations, coordinates))
    }

    /// The opposite of the generator of the group: a constant.
    pub fn negative_generator(chip: &ForeignChip, equations: &PairingEquations) -> Self {
        let parameters = equations.curve().parameters();
        let load = |number: &BigUint| chip.relate(&constant(&parameters.p, number), &[], number);
        let coordinates = parameters.negative_generator().each_ref().map(load);
        Self(AssignedBasePoint::known(equations, coordinates))
    }

    /// A point that was shown to be in the group outside this circuit: one of a set that was checked before it was
    /// committed to, or a sum of such points.
    pub fn taken_for_granted(point: AssignedBasePoint) -> Self {
        Self(point)
    }

    /// The coordinates.
    pub fn coordinates(&self) -> &[AssignedLimbs; 2] {
        self.0.coordinates()
    }

    pub(super) fn point(&self) -> &AssignedBasePoint {
        &self.0
    }
}

/// The point of BLS12-381's group whose multiple by `1 - x` is this one, for the curve's parameter `x`, which is
/// negative; `None` for a point that is not in the group.
fn over_cofactor(point: &BasePoint) -> Option<BasePoint> {
    if !is_in_group(PairingCurve::Bls12381, point) {
        return None;
    }
    let point = of_coordinates::<bls12_381::G1Affine>(point)?;
    let factor = bls12_381::Fr::from(PARAMETER) + bls12_381::Fr::ONE;
    let over = (point * factor.invert().into_option()?).to_affine();
    Some([over.x, over.y].map(|coordinate| number(&coordinate)))
}
