//! Whole hashes: from a message to a point of the group.

use std::marker::PhantomData;

use ff::Field;
use num_bigint::BigUint;

use super::{
    expand::{expand, expand_with_keccak},
    first::{Digest, Expandable},
    group::Point,
    message::FixedMessage,
    reduce::{all, reduce, shift, to_field, Unreduced, WideField},
    sign::MapInput,
    suite::{MapInstructions, MappedPoint},
};
use crate::field::foreign::{
    regroup::element_bits,
    script::{Script, Var},
};
use muster_gates::{
    foreign::{AssignedLimbs, Equation, ForeignChip},
    GateContext,
};
use muster_schemes::field::ExtensionField;
use muster_schemes::hash::to_curve::Tag;

/// Elements that a message is hashed to.
const ELEMENTS: usize = 2;

/// Both coordinates of a point.
pub type AssignedPoint<const D: usize> = [[AssignedLimbs; D]; 2];

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
