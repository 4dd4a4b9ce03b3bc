//! The points that messages are hashed to.

use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, AssignedValue, Context};

use crate::{
    curve::pairing::chip::{AssignedGroupPoint, AssignedTwistPoint, PairingEquations},
    field::foreign::regroup::words,
    hash::to_curve::chip::{Expandable, HashToCurve, PointSearch},
};
use muster_gates::{
    foreign::{AssignedLimbs, Equation},
    vertical, Chips,
};
use muster_schemes::{
    curve::pairing::{BasePoint, PairingCurve, TwistPoint},
    hash::to_curve::{Bls12381G1, Bls12381G2, Bn254G1, Tag},
    signature::bls::{tags, POINT_WORD_BITS},
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

/// A suite that hashes messages to the group of signatures.
pub trait Hashed {
    /// A point of that group.
    type Point;
    /// The curve.
    const CURVE: PairingCurve;
    /// The tag of signatures in that group, which is [`Suite::TAG`](muster_schemes::signature::bls::Suite::TAG).
    const TAG: &'static [u8];

    /// The equations of hashes.
    fn equations() -> Vec<Equation>;

    /// The hash of a message with [`Self::TAG`].
    ///
    /// # Panics
    /// If the equations are those of another curve.
    fn hash(
        ctx: &mut Context<Fr>,
        chips: &Chips,
        equations: &PairingEquations,
        message: &impl Expandable,
    ) -> MessagePoint<Self::Point> {
        let tag = Tag::new(Self::TAG).expect("a tag of less than 256 bytes");
        Self::hash_with_tag(ctx, chips, equations, message, &tag)
    }

    /// The hash with the tag of other signatures, such as [those of Ethereum](tags::ETHEREUM).
    ///
    /// Tags of other uses must not be used for signatures: with that of proofs of possession (`BLS_POP_…`), every such
    /// proof, which anyone may read, is a signature.
    ///
    /// # Panics
    /// If the equations are those of another curve.
    fn hash_with_tag(
        ctx: &mut Context<Fr>,
        chips: &Chips,
        equations: &PairingEquations,
        message: &impl Expandable,
        tag: &Tag,
    ) -> MessagePoint<Self::Point>;
}

impl Hashed for Bn254G1 {
    type Point = AssignedGroupPoint;
    const CURVE: PairingCurve = PairingCurve::Bn254;
    const TAG: &'static [u8] = tags::BN254_G1;

    fn equations() -> Vec<Equation> {
        HashToCurve::<Self, 1>::default().all()
    }

    fn hash_with_tag(
        ctx: &mut Context<Fr>,
        chips: &Chips,
        equations: &PairingEquations,
        message: &impl Expandable,
        tag: &Tag,
    ) -> MessagePoint<AssignedGroupPoint> {
        let stages = HashToCurve::<Self, 1>::default().hash(ctx, chips, message, tag);
        MessagePoint(AssignedGroupPoint::hashed_to_bn254(equations, &stages))
    }
}

impl Hashed for Bls12381G1 {
    type Point = AssignedGroupPoint;
    const CURVE: PairingCurve = PairingCurve::Bls12381;
    const TAG: &'static [u8] = tags::BLS12381_G1;

    fn equations() -> Vec<Equation> {
        HashToCurve::<Self, 1>::default().all()
    }

    fn hash_with_tag(
        ctx: &mut Context<Fr>,
        chips: &Chips,
        equations: &PairingEquations,
        message: &impl Expandable,
        tag: &Tag,
    ) -> MessagePoint<AssignedGroupPoint> {
        let stages = HashToCurve::<Self, 1>::default().hash(ctx, chips, message, tag);
        MessagePoint(AssignedGroupPoint::hashed_to_bls12381(equations, &stages))
    }
}

impl Hashed for Bls12381G2 {
    type Point = AssignedTwistPoint;
    const CURVE: PairingCurve = PairingCurve::Bls12381;
    const TAG: &'static [u8] = tags::BLS12381_G2;

    fn equations() -> Vec<Equation> {
        HashToCurve::<Self, 2>::default().all()
    }

    fn hash_with_tag(
        ctx: &mut Context<Fr>,
        chips: &Chips,
        equations: &PairingEquations,
        message: &impl Expandable,
        tag: &Tag,
    ) -> MessagePoint<AssignedTwistPoint> {
        let stages = HashToCurve::<Self, 2>::default().hash(ctx, chips, message, tag);
        MessagePoint(AssignedTwistPoint::hashed_to_bls12381(equations, &stages))
    }
}

impl MessagePoint<AssignedTwistPoint> {
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
