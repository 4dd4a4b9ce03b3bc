//! The suites in circuit.

use super::{bn254, extension::Extension, g1, g2, group::Point, sign::MapInput};
use crate::field::foreign::script::{Script, Var};
use muster_schemes::hash::to_curve::{Bls12381G1, Bls12381G2, Bn254G1, Suite};

/// A point of the curve that an element was mapped to: only [`MapInstructions::map_in`] makes one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MappedPoint<const D: usize>(Point<D>);

impl<const D: usize> MappedPoint<D> {
    /// Its coordinates. Not canonical.
    pub fn coordinates(&self) -> [[Var; D]; 2] {
        self.0
    }
}

/// A suite whose elements have `D` coordinates, in circuit. Each method has a native twin in [`Suite`].
pub trait MapInstructions<const D: usize>: Suite<Field: Extension<D>> {
    /// The point of the curve that an element is mapped to.
    fn map_in(script: &mut Script, element: MapInput<D>) -> MappedPoint<D>;

    /// The multiple, in the group, of the sum of two points. Not canonical.
    fn sum_in(script: &mut Script, points: [MappedPoint<D>; 2]) -> [[Var; D]; 2];
}

impl MapInstructions<1> for Bls12381G1 {
    fn map_in(script: &mut Script, element: MapInput<1>) -> MappedPoint<1> {
        MappedPoint(g1::map(script, element.first()).map(|part| [part]))
    }

    fn sum_in(script: &mut Script, points: [MappedPoint<1>; 2]) -> Point<1> {
        g1::sum_in_group(script, points.map(|point| point.0))
    }
}

impl MapInstructions<2> for Bls12381G2 {
    fn map_in(script: &mut Script, element: MapInput<2>) -> MappedPoint<2> {
        MappedPoint(g2::map(script, element))
    }

    fn sum_in(script: &mut Script, points: [MappedPoint<2>; 2]) -> Point<2> {
        g2::sum_in_group(script, points.map(|point| point.0))
    }
}

impl MapInstructions<1> for Bn254G1 {
    fn map_in(script: &mut Script, element: MapInput<1>) -> MappedPoint<1> {
        MappedPoint(bn254::map(script, element.first()).map(|part| [part]))
    }

    fn sum_in(script: &mut Script, points: [MappedPoint<1>; 2]) -> Point<1> {
        bn254::sum(script, points.map(|point| point.0))
    }
}
