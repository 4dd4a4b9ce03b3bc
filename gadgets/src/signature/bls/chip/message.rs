//! The points that messages are hashed to.

use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, AssignedValue, Context};

use crate::{
    curve::pairing::chip::{AssignedGroupPoint, AssignedTwistPoint, PairingEquations},
    field::foreign::regroup::words,
    hash::to_curve::chip::{Expandable, FixedMessage, HashToCurve, PointSearch},
};
use muster_gates::{foreign::AssignedLimbs, vertical, Chips};
use muster_schemes::{
    curve::pairing::{BasePoint, PairingCurve, TwistPoint},
    hash::to_curve::{Bls12381G1, Bls12381G2, Bn254G1, Tag},
    signature::bls::POINT_WORD_BITS,
};

/// The point that is signed: the hash of a message, or a public point, which whoever reads the public inputs must know
/// to be such a hash. No other point will do: on a point whose logarithm they know, others than the owner of a key may
/// have signatures by it.
#[derive(Clone, Debug)]
pub struct MessagePoint<P>(P);

impl<P> MessagePoint<P> {
    /// The point.
    pub fn point(&self) -> &P {
        &self.0
    }
}

impl MessagePoint<AssignedTwistPoint> {
    /// The hash of a message, as [`PointGroup::hash`](super::PointGroup::hash) has it.
    pub(super) fn hashed(
        ctx: &mut Context<Fr>,
        chips: &Chips,
        equations: &PairingEquations,
        message: &impl Expandable,
        tag: &Tag,
    ) -> Self {
        match equations.curve() {
            PairingCurve::Bn254 => unreachable!("there is no hash to the second group of BN254"),
            PairingCurve::Bls12381 => {
                let stages = HashToCurve::<Bls12381G2, 2>::default().hash(ctx, chips, message, tag);
                Self(AssignedTwistPoint::hashed_to_bls12381(equations, &stages))
            }
        }
    }

    /// The point whose coordinates are in public cells.
    ///
    /// Each part of a coordinate is in words of 128 bits, the highest first, as a big-endian integer is; the real part comes
    /// before the imaginary one, and `x` before `y`. A number that is not below the prime stands for its residue.
    ///
    /// # Panics
    /// If the number of cells is wrong.
    pub fn public(
        ctx: &mut Context<Fr>,
        chips: &Chips,
        equations: &PairingEquations,
        point: &TwistPoint,
        public: &[AssignedValue<Fr>],
    ) -> Self {
        let chip = chips.foreign_of(equations.curve().parameters().p.bits() as usize);
        let point = AssignedTwistPoint::new(chip, equations, point);
        let numbers: Vec<_> = point.coordinates().iter().flatten().collect();
        assert_public(ctx, chips, &numbers, public);
        Self(point)
    }
}

impl MessagePoint<AssignedGroupPoint> {
    /// The hash of a message, as [`PointGroup::hash`](super::PointGroup::hash) has it.
    pub(super) fn hashed(
        ctx: &mut Context<Fr>,
        chips: &Chips,
        equations: &PairingEquations,
        message: &impl Expandable,
        tag: &Tag,
    ) -> Self {
        match equations.curve() {
            PairingCurve::Bn254 => {
                let stages = HashToCurve::<Bn254G1, 1>::default().hash(ctx, chips, message, tag);
                Self(AssignedGroupPoint::hashed_to_bn254(equations, &stages))
            }
            PairingCurve::Bls12381 => {
                let stages = HashToCurve::<Bls12381G1, 1>::default().hash(ctx, chips, message, tag);
                Self(AssignedGroupPoint::hashed_to_bls12381(equations, &stages))
            }
        }
    }

    /// The hash of a message to BN254 with Keccak-256, as
    /// [`PointGroup::hash_with_keccak`](super::PointGroup::hash_with_keccak) has it.
    ///
    /// # Panics
    /// If the equations are those of another curve.
    pub(super) fn hashed_with_keccak(
        ctx: &mut Context<Fr>,
        chips: &Chips,
        equations: &PairingEquations,
        message: &FixedMessage,
        tag: &Tag,
    ) -> Self {
        let hash = HashToCurve::<Bn254G1, 1>::default();
        let stages = hash.hash_with_keccak(ctx, chips, message, tag);
        Self(AssignedGroupPoint::hashed_to_bn254(equations, &stages))
    }

    /// The point of BN254 that a search finds for a digest, whose first and last 16 bytes are given as big-endian integers.
    ///
    /// # Panics
    /// If the equations are those of another curve.
    pub fn found(
        ctx: &mut Context<Fr>,
        chips: &Chips,
        equations: &PairingEquations,
        (search, digest): (&PointSearch, [AssignedValue<Fr>; 2]),
    ) -> Self {
        let found = search.find(ctx, chips, digest);
        Self(AssignedGroupPoint::found_in_bn254(equations, &found))
    }

    /// The point whose coordinates are in public cells: each in words of 128 bits, the highest first, `x` before `y`. A
    /// number that is not below the prime stands for its residue.
    ///
    /// # Panics
    /// If the number of cells is wrong.
    pub fn public(
        ctx: &mut Context<Fr>,
        chips: &Chips,
        equations: &PairingEquations,
        point: &BasePoint,
        public: &[AssignedValue<Fr>],
    ) -> Self {
        let chip = chips.foreign_of(equations.curve().parameters().p.bits() as usize);
        let point = AssignedGroupPoint::new(chip, equations, point);
        let numbers: Vec<_> = point.coordinates().iter().collect();
        assert_public(ctx, chips, &numbers, public);
        Self(point)
    }
}

/// Constrains public cells to hold the words of numbers.
fn assert_public(
    ctx: &mut Context<Fr>,
    chips: &Chips,
    numbers: &[&AssignedLimbs],
    public: &[AssignedValue<Fr>],
) {
    let mut cells = vec![];
    for number in numbers {
        let limbs: Vec<_> = number.limbs().iter().copied().zip(number.shape().widths()).collect();
        let mut words = words(ctx, chips, &limbs, POINT_WORD_BITS);
        words.reverse();
        cells.extend(words);
    }
    assert_eq!(cells.len(), public.len(), "a cell a word");
    for (cell, public) in cells.iter().zip(public) {
        vertical::assert_equal(ctx, cell, public);
    }
}
