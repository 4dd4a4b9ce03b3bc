//! The suites in circuit.

use super::{bn254, extension::Extension, g1, g2, group::Point, sign::MapInput};
use crate::{
    field::foreign::script::{Script, Var},
    hash::to_curve::{Bls12381G1, Bls12381G2, Bn254G1, Suite},
};

/// A suite whose elements have `D` coordinates, in circuit. Each method has a native twin in [`Suite`].
pub trait MapInstructions<const D: usize>: Suite<Field: Extension<D>> {
    /// The point of the curve that an element is mapped to. Not canonical.
    fn map_in(script: &mut Script, element: MapInput<D>) -> [[Var; D]; 2];

    /// The multiple in the group of the sum of two points, of which coordinates are given: they are on the curve.
    fn sum_in(script: &mut Script, points: [[[Var; D]; 2]; 2]) -> [[Var; D]; 2];
}

impl MapInstructions<1> for Bls12381G1 {
    fn map_in(script: &mut Script, element: MapInput<1>) -> Point<1> {
        g1::map(script, element.first()).map(|part| [part])
    }

    fn sum_in(script: &mut Script, points: [Point<1>; 2]) -> Point<1> {
        g1::sum_in_group(script, points)
    }
}

impl MapInstructions<2> for Bls12381G2 {
    fn map_in(script: &mut Script, element: MapInput<2>) -> Point<2> {
        g2::map(script, element)
    }

    fn sum_in(script: &mut Script, points: [Point<2>; 2]) -> Point<2> {
        g2::sum_in_group(script, points)
    }
}

impl MapInstructions<1> for Bn254G1 {
    fn map_in(script: &mut Script, element: MapInput<1>) -> Point<1> {
        bn254::map(script, element.first()).map(|part| [part])
    }

    fn sum_in(script: &mut Script, points: [Point<1>; 2]) -> Point<1> {
        bn254::sum(script, points)
    }
}
