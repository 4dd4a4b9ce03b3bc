//! Clearing the cofactor of BLS12-381 G1 by itself, outside a hash.

use ff::Field;
use halo2curves::bls12_381::Fq;
use num_bigint::BigUint;

use super::{g1::cleared, group::Sums, hash::AssignedPoint};
use crate::field::foreign::script::Script;
use muster_gates::foreign::{Equation, ForeignChip};
use muster_schemes::field::ExtensionField;

/// The equations of [`clear_cofactor`].
pub(crate) fn clearing_equations() -> Vec<Equation> {
    let mut script = Script::of_equations(&prime());
    let point = [(); 2].map(|()| [script.unknown()]);
    let mut sums = Sums::<Fq>::new(&mut script);
    cleared(&mut sums, point);
    sums.finish();
    script.equations().to_vec()
}

/// The multiple of a point of the curve by `1 - x`, for the curve's parameter `x`: a point of the group, not the
/// identity. There is none if a multiple on the way meets the point, which does not happen if the order of the point is
/// `r`. The point is assumed to be on the curve.
pub(crate) fn clear_cofactor(chip: &ForeignChip, point: &AssignedPoint<1>) -> AssignedPoint<1> {
    let mut script = Script::new(chip, &prime());
    let point = point.each_ref().map(|[part]| [script.given(part)]);
    let mut sums = Sums::<Fq>::new(&mut script);
    let multiple = cleared(&mut sums, point);
    sums.finish();
    multiple.map(|[part]| [script.limbs(part).clone()])
}

fn prime() -> BigUint {
    &(-Fq::ONE).integers()[0] + 1u8
}
