//! The two groups of a pairing: keys are in one, signatures in the other.

use std::fmt::Debug;

use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, AssignedValue};
use halo2curves::{bls12_381, bn256, CurveAffine};
use num_bigint::BigUint;

use super::signed::{assert_public, AssignedSigned, MessagePoint};
use crate::{
    curve::{
        aggregate::{prime, quadratic},
        pairing::{
            assert_product_is_one, AssignedArguments, AssignedBasePoint, AssignedGroupPoint,
            AssignedTwistPoint, PairingEquations, SecondPoint,
        },
    },
    field::foreign::integer::element,
    hash::to_curve::{Expandable, FixedMessage, HashToCurve, PointSearch},
};
use muster_gates::{
    foreign::{AssignedLimbs, Equation, ForeignChip},
    Chips, GateContext,
};
use muster_schemes::{
    curve::{
        aggregate::SumWalk,
        pairing::{
            group::{of_coordinates, of_twist_coordinates},
            BasePoint, NotOne, PairingCurve, TwistPoint,
        },
    },
    field::ExtensionField,
    hash::to_curve::{Bls12381G1, Bls12381G2, Bn254G1, Tag},
};

/// A group, by the coordinates of its points.
pub trait PointGroup: Clone + Debug + PartialEq + Send + Sync + 'static {
    /// The other group.
    type Other: PointGroup<Other = Self>;
    /// A point in circuit.
    type Point: Clone + Debug;
    /// Coordinates in circuit, known only to be elements.
    type Elements: Clone + Debug;
    /// The equations of sums.
    type Sums: Clone + Debug;
    /// What a prover claims about a sum.
    type Walk;

    /// The generator.
    fn generator(curve: PairingCurve) -> Self;

    /// The point whose coordinates consist of these numbers, in the order of [`Self::limbs`].
    ///
    /// # Panics
    /// If there are fewer numbers or more.
    fn of_numbers(numbers: &[BigUint]) -> Self;

    /// Witnesses the point of a signature: that it is in the group is shown here or by a product of pairings.
    fn point(&self, chip: &ForeignChip, equations: &PairingEquations) -> Self::Point;

    /// The point whose coordinates are in public cells: each number in words of 128 bits, the highest first, as a big-endian integer is;
    /// the real part before the imaginary one, and `x` before `y`. A number that is not below the prime stands for its residue.
    ///
    /// # Panics
    /// If the number of cells is wrong.
    fn public(
        &self,
        ctx: &mut GateContext,
        equations: &PairingEquations,
        public: &[AssignedValue<Fr>],
    ) -> MessagePoint<Self::Point> {
        let point = self.point(chip_of(ctx.chips, equations), equations);
        assert_public(ctx, &Self::numbers(&point), public);
        MessagePoint(point)
    }

    /// The coordinates of a point, in the order of [`Self::limbs`].
    fn numbers(point: &Self::Point) -> Vec<&AssignedLimbs>;

    /// The equations of hashes to the group; none if there is no hash.
    fn hash_equations(curve: PairingCurve) -> Vec<Equation>;

    /// The hash of a message to the group, with the tag of signatures, such as
    /// [those of Ethereum](muster_schemes::signature::bls::tags::ETHEREUM).
    ///
    /// Tags of other uses must not be used for signatures: with that of proofs of possession (`BLS_POP_…`), every such
    /// proof, which anyone may read, is a signature.
    ///
    /// # Panics
    /// For the second group of BN254, which has no hash.
    fn hash(
        ctx: &mut GateContext,
        equations: &PairingEquations,
        message: &impl Expandable,
        tag: &Tag,
    ) -> MessagePoint<Self::Point>;

    /// The same with Keccak-256 in place of SHA-256, for a message that fills its halves.
    ///
    /// # Panics
    /// For groups other than the first of BN254, for which no scheme offers this hash, and with equations of another curve.
    fn hash_with_keccak(
        _: &mut GateContext,
        _equations: &PairingEquations,
        _message: &FixedMessage,
        _tag: &Tag,
    ) -> MessagePoint<Self::Point> {
        unreachable!("no scheme hashes to the second group with Keccak")
    }

    /// The point that a search finds for a digest, whose first and last 16 bytes are given as big-endian integers.
    ///
    /// # Panics
    /// For groups other than the first of BN254: no scheme offers a search for them.
    fn found(
        _: &mut GateContext,
        _equations: &PairingEquations,
        _search: (&PointSearch, [AssignedValue<Fr>; 2]),
    ) -> MessagePoint<Self::Point> {
        unreachable!("there is no search in the second group")
    }

    /// Witnesses coordinates in blocks of the gate.
    fn elements(&self, chip: &ForeignChip) -> Self::Elements;

    /// Witnesses coordinates outside blocks, by range checks alone: only sums take them.
    fn addend(&self, ctx: &mut GateContext, chip: &ForeignChip) -> Self::Elements;

    /// The coordinates, in the order of [`Ciphersuite::key_numbers`](muster_schemes::signature::bls::Ciphersuite::key_numbers).
    fn limbs(elements: &Self::Elements) -> Vec<&AssignedLimbs>;

    /// Their witnessed values, reduced modulo the prime.
    fn residues(elements: &Self::Elements, p: &BigUint) -> Self;

    /// The equations of sums.
    fn sums(curve: PairingCurve) -> Self::Sums;

    /// All equations of sums.
    fn all(sums: &Self::Sums) -> Vec<Equation>;

    /// The addition chain of a sum; `None` if a point is off the curve or the sum is the identity.
    fn walk(curve: PairingCurve, points: &[Self]) -> Option<Self::Walk>;

    /// The sum of points that are on the curve.
    fn sum(
        chip: &ForeignChip,
        equations: &Self::Sums,
        points: &[Self::Elements],
        walk: &Self::Walk,
    ) -> Self::Elements;

    /// A point whose membership of the group is taken for granted, or shown by a product of pairings; that it is on the
    /// curve is constrained.
    fn trusted(
        chip: &ForeignChip,
        equations: &PairingEquations,
        elements: Self::Elements,
    ) -> Self::Point;

    /// Constrains a signature to be one by a key in this group: `e(key, message)·e(-g, signature) = 1`, or `e(message, key)·e(signature, -g) = 1`
    /// if that is the second one. That all points of the second group are in it is constrained, too.
    ///
    /// # Errors
    /// [`NotOne`] if it is none; then not all constraints hold. Code that lays out a circuit must not return early on it,
    /// since whatever it would constrain afterwards is a part of the circuit.
    fn assert_verifies(
        signed: &AssignedSigned<Self::Point, <Self::Other as PointGroup>::Point>,
        ctx: &mut GateContext,
        equations: &PairingEquations,
    ) -> Result<(), NotOne>;
}

impl PointGroup for BasePoint {
    type Other = TwistPoint;
    type Point = AssignedGroupPoint;
    type Elements = prime::Pair;
    type Sums = prime::SumEquations;
    type Walk = SumWalk<1>;

    fn generator(curve: PairingCurve) -> Self {
        curve.parameters().generator.clone()
    }

    fn of_numbers(numbers: &[BigUint]) -> Self {
        numbers.to_vec().try_into().expect("two numbers")
    }

    fn point(&self, chip: &ForeignChip, equations: &PairingEquations) -> AssignedGroupPoint {
        AssignedGroupPoint::new(chip, equations, self)
    }

    fn numbers(point: &AssignedGroupPoint) -> Vec<&AssignedLimbs> {
        point.coordinates().iter().collect()
    }

    fn hash_equations(curve: PairingCurve) -> Vec<Equation> {
        match curve {
            PairingCurve::Bn254 => HashToCurve::<Bn254G1, 1>::default().all(),
            PairingCurve::Bls12381 => HashToCurve::<Bls12381G1, 1>::default().all(),
        }
    }

    fn hash(
        ctx: &mut GateContext,
        equations: &PairingEquations,
        message: &impl Expandable,
        tag: &Tag,
    ) -> MessagePoint<AssignedGroupPoint> {
        MessagePoint(match equations.curve() {
            PairingCurve::Bn254 => {
                let stages = HashToCurve::<Bn254G1, 1>::default().hash(ctx, message, tag);
                AssignedGroupPoint::hashed_to_bn254(equations, &stages)
            }
            PairingCurve::Bls12381 => {
                let stages = HashToCurve::<Bls12381G1, 1>::default().hash(ctx, message, tag);
                AssignedGroupPoint::hashed_to_bls12381(equations, &stages)
            }
        })
    }

    fn hash_with_keccak(
        ctx: &mut GateContext,
        equations: &PairingEquations,
        message: &FixedMessage,
        tag: &Tag,
    ) -> MessagePoint<AssignedGroupPoint> {
        let hash = HashToCurve::<Bn254G1, 1>::default();
        let stages = hash.hash_with_keccak(ctx, message, tag);
        MessagePoint(AssignedGroupPoint::hashed_to_bn254(equations, &stages))
    }

    fn found(
        ctx: &mut GateContext,
        equations: &PairingEquations,
        (search, digest): (&PointSearch, [AssignedValue<Fr>; 2]),
    ) -> MessagePoint<AssignedGroupPoint> {
        let found = search.find(ctx, digest);
        MessagePoint(AssignedGroupPoint::found_in_bn254(equations, &found))
    }

    fn elements(&self, chip: &ForeignChip) -> prime::Pair {
        self.each_ref().map(|coordinate| element(chip, coordinate))
    }

    fn addend(&self, ctx: &mut GateContext, chip: &ForeignChip) -> prime::Pair {
        self.each_ref().map(|coordinate| chip.witness(ctx, coordinate))
    }

    fn limbs(elements: &prime::Pair) -> Vec<&AssignedLimbs> {
        elements.iter().collect()
    }

    fn residues(elements: &prime::Pair, p: &BigUint) -> Self {
        elements.each_ref().map(|coordinate| coordinate.value() % p)
    }

    fn sums(curve: PairingCurve) -> prime::SumEquations {
        match curve {
            PairingCurve::Bn254 => prime::SumEquations::of::<bn256::G1Affine>(),
            PairingCurve::Bls12381 => prime::SumEquations::of::<bls12_381::G1Affine>(),
        }
    }

    fn all(sums: &prime::SumEquations) -> Vec<Equation> {
        sums.all()
    }

    fn walk(curve: PairingCurve, points: &[Self]) -> Option<SumWalk<1>> {
        match curve {
            PairingCurve::Bn254 => walk(points, of_coordinates::<bn256::G1Affine>),
            PairingCurve::Bls12381 => walk(points, of_coordinates::<bls12_381::G1Affine>),
        }
    }

    fn sum(
        chip: &ForeignChip,
        equations: &prime::SumEquations,
        points: &[prime::Pair],
        walk: &SumWalk<1>,
    ) -> prime::Pair {
        prime::sum(chip, equations, points, walk)
    }

    fn trusted(
        chip: &ForeignChip,
        equations: &PairingEquations,
        elements: prime::Pair,
    ) -> AssignedGroupPoint {
        AssignedGroupPoint::taken_for_granted(AssignedBasePoint::of(chip, equations, elements))
    }

    fn assert_verifies(
        signed: &AssignedSigned<AssignedGroupPoint, AssignedTwistPoint>,
        ctx: &mut GateContext,
        equations: &PairingEquations,
    ) -> Result<(), NotOne> {
        let generator =
            AssignedGroupPoint::negative_generator(chip_of(ctx.chips, equations), equations);
        let pairs = [(&signed.key, signed.message.point()), (&generator, &signed.signature)];
        let arguments = pairs.map(|(first, second)| AssignedArguments {
            first,
            second: SecondPoint::Variable(second),
        });
        assert_product_is_one(ctx, equations, &arguments).1
    }
}

impl PointGroup for TwistPoint {
    type Other = BasePoint;
    type Point = AssignedTwistPoint;
    type Elements = quadratic::Pair;
    type Sums = quadratic::SumEquations;
    type Walk = SumWalk<2>;

    fn generator(curve: PairingCurve) -> Self {
        curve.parameters().twist_generator.clone()
    }

    fn of_numbers(numbers: &[BigUint]) -> Self {
        let [x0, x1, y0, y1] = numbers.to_vec().try_into().expect("four numbers");
        [[x0, x1], [y0, y1]]
    }

    fn point(&self, chip: &ForeignChip, equations: &PairingEquations) -> AssignedTwistPoint {
        AssignedTwistPoint::new(chip, equations, self)
    }

    fn numbers(point: &AssignedTwistPoint) -> Vec<&AssignedLimbs> {
        point.coordinates().iter().flatten().collect()
    }

    fn hash_equations(curve: PairingCurve) -> Vec<Equation> {
        match curve {
            PairingCurve::Bn254 => vec![],
            PairingCurve::Bls12381 => HashToCurve::<Bls12381G2, 2>::default().all(),
        }
    }

    fn hash(
        ctx: &mut GateContext,
        equations: &PairingEquations,
        message: &impl Expandable,
        tag: &Tag,
    ) -> MessagePoint<AssignedTwistPoint> {
        match equations.curve() {
            PairingCurve::Bn254 => unreachable!("there is no hash to the second group of BN254"),
            PairingCurve::Bls12381 => {
                let stages = HashToCurve::<Bls12381G2, 2>::default().hash(ctx, message, tag);
                MessagePoint(AssignedTwistPoint::hashed_to_bls12381(equations, &stages))
            }
        }
    }

    fn elements(&self, chip: &ForeignChip) -> quadratic::Pair {
        self.each_ref().map(|coordinate| coordinate.each_ref().map(|part| element(chip, part)))
    }

    fn addend(&self, ctx: &mut GateContext, chip: &ForeignChip) -> quadratic::Pair {
        self.each_ref().map(|coordinate| coordinate.each_ref().map(|part| chip.witness(ctx, part)))
    }

    fn limbs(elements: &quadratic::Pair) -> Vec<&AssignedLimbs> {
        elements.iter().flatten().collect()
    }

    fn residues(elements: &quadratic::Pair, p: &BigUint) -> Self {
        elements.each_ref().map(|coordinate| coordinate.each_ref().map(|part| part.value() % p))
    }

    fn sums(curve: PairingCurve) -> quadratic::SumEquations {
        match curve {
            PairingCurve::Bn254 => quadratic::SumEquations::of::<bn256::G2Affine>(),
            PairingCurve::Bls12381 => quadratic::SumEquations::of::<bls12_381::G2Affine>(),
        }
    }

    fn all(sums: &quadratic::SumEquations) -> Vec<Equation> {
        sums.all()
    }

    fn walk(curve: PairingCurve, points: &[Self]) -> Option<SumWalk<2>> {
        match curve {
            PairingCurve::Bn254 => walk(points, of_twist_coordinates::<bn256::G2Affine>),
            PairingCurve::Bls12381 => walk(points, of_twist_coordinates::<bls12_381::G2Affine>),
        }
    }

    fn sum(
        chip: &ForeignChip,
        equations: &quadratic::SumEquations,
        points: &[quadratic::Pair],
        walk: &SumWalk<2>,
    ) -> quadratic::Pair {
        quadratic::sum(chip, equations, points, walk)
    }

    fn trusted(
        chip: &ForeignChip,
        equations: &PairingEquations,
        elements: quadratic::Pair,
    ) -> AssignedTwistPoint {
        AssignedTwistPoint::of(chip, equations, elements)
    }

    fn assert_verifies(
        signed: &AssignedSigned<AssignedTwistPoint, AssignedGroupPoint>,
        ctx: &mut GateContext,
        equations: &PairingEquations,
    ) -> Result<(), NotOne> {
        let generator = equations.curve().parameters().negative_twist_generator();
        let key = SecondPoint::Variable(&signed.key);
        let arguments = [
            AssignedArguments { first: signed.message.point(), second: key },
            AssignedArguments { first: &signed.signature, second: SecondPoint::Fixed(generator) },
        ];
        assert_product_is_one(ctx, equations, &arguments).1
    }
}

fn chip_of<'a>(chips: &'a Chips, equations: &PairingEquations) -> &'a ForeignChip {
    chips.foreign_of(equations.curve().parameters().p.bits() as usize)
}

fn walk<P, C, const D: usize>(points: &[P], of: impl Fn(&P) -> Option<C>) -> Option<SumWalk<D>>
where
    C: CurveAffine,
    C::Base: ExtensionField,
{
    let points: Option<Vec<_>> = points.iter().map(of).collect();
    SumWalk::new(&points?).ok()
}
