//! Whole hashes: from a message to a point of the group, by the suites in circuit.

use std::marker::PhantomData;

use ff::Field;
use num_bigint::BigUint;

use super::{
    bn254,
    expand::{expand, expand_with_keccak},
    extension::{Extension, MapInput},
    g1, g2,
    group::{AssignedPoint, Point},
    message::{Digest, Expandable, FixedMessage},
    reduce::{all, reduce, shift, to_field, Unreduced, WideField},
};
use crate::field::foreign::{
    regroup::element_bits,
    script::{Script, Var},
};
use muster_gates::{
    foreign::{AssignedLimbs, Equation, ForeignChip},
    GateContext,
};
use muster_schemes::{
    field::ExtensionField,
    hash::to_curve::{Bls12381G1, Bls12381G2, Bn254G1, Suite, Tag},
};

/// Elements that a message is hashed to.
const ELEMENTS: usize = 2;

/// All stages of a suite's hash.
#[derive(Clone, Debug)]
pub struct AssignedStages<S, const D: usize> {
    elements: [[AssignedLimbs; D]; 2],
    mapped: [AssignedPoint<D>; 2],
    point: AssignedPoint<D>,
    suite: PhantomData<S>,
}

impl<S, const D: usize> AssignedStages<S, D> {
    /// `u` of the message. First coordinates are canonical.
    pub fn elements(&self) -> &[[AssignedLimbs; D]; 2] {
        &self.elements
    }

    /// `Q0` and `Q1`, points of the curve.
    pub fn mapped(&self) -> &[AssignedPoint<D>; 2] {
        &self.mapped
    }

    /// The hash, a point of the group, which is not the identity. Not canonical.
    pub fn point(&self) -> &AssignedPoint<D> {
        &self.point
    }
}

/// The same in a script.
struct Stages<const D: usize> {
    elements: [[Var; D]; 2],
    mapped: [MappedPoint<D>; 2],
    point: Point<D>,
}

/// The hash of a suite whose elements have `D` coordinates.
#[derive(Clone, Debug)]
pub struct HashToCurve<S, const D: usize> {
    field: WideField,
    suite: PhantomData<S>,
}

impl<S: MapInstructions<D>, const D: usize> Default for HashToCurve<S, D> {
    fn default() -> Self {
        let prime = &(-S::Field::ONE).integers()[0] + 1u8;
        Self { field: WideField::new(&prime, S::Field::BYTES), suite: PhantomData }
    }
}

impl<S: MapInstructions<D>, const D: usize> HashToCurve<S, D> {
    /// The prime of the coordinates.
    pub fn prime(&self) -> &BigUint {
        self.field.prime()
    }

    /// The equations that a layout must have room for.
    pub fn all(&self) -> Vec<Equation> {
        let mut script = Script::of_equations(self.prime());
        let numbers: Vec<_> =
            (0..ELEMENTS * D).map(|_| [script.unknown(), script.unknown()]).collect();
        self.run(&mut script, self.prime().bits() as usize, &numbers);
        all(&script)
    }

    /// The hash of a message, with all its stages.
    pub fn hash(
        &self,
        ctx: &mut GateContext,
        message: &impl Expandable,
        tag: &Tag,
    ) -> AssignedStages<S, D> {
        let digests = expand(ctx, message, tag, self.field.bytes(ELEMENTS * D));
        self.of_digests(ctx, &digests)
    }

    /// The same with Keccak-256 in place of SHA-256, for a message that fills its halves.
    ///
    /// # Panics
    /// If it does not.
    pub fn hash_with_keccak(
        &self,
        ctx: &mut GateContext,
        message: &FixedMessage,
        tag: &Tag,
    ) -> AssignedStages<S, D> {
        let bytes = self.field.bytes(ELEMENTS * D);
        let digests = expand_with_keccak(ctx, message, tag, bytes);
        self.of_digests(ctx, &digests)
    }

    /// The hash of a message that was expanded to these digests.
    fn of_digests(&self, ctx: &mut GateContext, digests: &[Digest]) -> AssignedStages<S, D> {
        let numbers = to_field(ctx, (&self.field, ELEMENTS * D), digests);
        let chip = ctx.chips.foreign_of(self.prime().bits() as usize);
        self.map(chip, &numbers)
    }

    fn map(&self, chip: &ForeignChip, numbers: &[Unreduced]) -> AssignedStages<S, D> {
        let mut script = Script::new(chip, self.prime());
        let numbers: Vec<_> = numbers.iter().map(|number| number.given(&mut script)).collect();
        let Stages { elements, mapped, point } =
            self.run(&mut script, element_bits(chip), &numbers);
        let element = |element: [Var; D]| element.map(|part| script.limbs(part).clone());
        AssignedStages {
            elements: elements.map(element),
            mapped: mapped.map(|point| point.coordinates().map(element)),
            point: point.map(element),
            suite: PhantomData,
        }
    }

    /// The stages from numbers whose upper parts have the weight `2^bits`.
    fn run(&self, script: &mut Script, bits: usize, numbers: &[[Var; 2]]) -> Stages<D> {
        let (elements, mapped) = self.mapped(script, bits, numbers);
        let elements = elements.map(|element| element.coordinates());
        Stages { elements, mapped, point: S::sum_in(script, mapped) }
    }

    /// The elements of these numbers, and the points of the curve that they are mapped to.
    pub(super) fn mapped(
        &self,
        script: &mut Script,
        bits: usize,
        numbers: &[[Var; 2]],
    ) -> ([MapInput<D>; 2], [MappedPoint<D>; 2]) {
        let shift = shift(script, bits);
        let mut numbers = numbers.iter();
        let elements = [(); ELEMENTS].map(|()| {
            let element = [(); D].map(|()| {
                let number = numbers.next().expect("a number a coordinate");
                reduce(script, shift, *number)
            });
            MapInput::new(script, element)
        });
        (elements, elements.map(|element| S::map_in(script, element)))
    }
}

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
