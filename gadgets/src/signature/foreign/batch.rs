//! Keys, nonce points, and bounds of what is witnessed with them.

use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, AssignedValue, Context, QuantumCell};
use num_bigint::BigUint;

use super::ScalarEquations;
use crate::{
    curve::weierstrass::{
        chip::{AssignedPoint, CurveEquations},
        Curve, NAME_DOMAIN,
    },
    field::foreign::{
        halves::halves,
        integer::{assert_at_most, assert_even, element, Integer},
    },
    gate::{
        foreign::{AssignedLimbs, Equation},
        vertical, Chips,
    },
    hash::poseidon::{chip, domain},
};

/// Everything that circuits over `curve` relate: what their layout must have room for.
pub fn equations(curve: Curve) -> Vec<Equation> {
    let mut equations = CurveEquations::new(curve).all();
    equations.extend(ScalarEquations::new(curve).all());
    equations.extend(Integer::all(curve.p().bits() as usize));
    equations
}

/// A signature and what it is checked with. Nothing is known of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawSignature {
    /// The nonce point R.
    pub nonce: (BigUint, BigUint),
    /// The response.
    pub s: BigUint,
}

/// A public key: on the curve, not the identity, its coordinates canonical.
#[derive(Clone, Debug)]
pub struct AssignedKey {
    pub(in super::super) point: AssignedPoint,
    /// High and low half of each coordinate.
    halves: [[AssignedValue<Fr>; 2]; 2],
}

impl AssignedKey {
    /// Witnesses a key.
    pub fn new(
        ctx: &mut Context<Fr>,
        chips: &Chips,
        equations: &CurveEquations,
        point: &(BigUint, BigUint),
    ) -> Self {
        let chip = chips.foreign();
        let point = AssignedPoint::new(chip, equations, point);
        for coordinate in point.coordinates() {
            assert_at_most(chip, coordinate, &(equations.curve().p() - 1u8));
        }
        let halves = point.coordinates().each_ref().map(|x| halves(ctx, chips, x));
        Self { point, halves }
    }

    /// High and low half of x and of y.
    pub fn halves(&self) -> &[[AssignedValue<Fr>; 2]; 2] {
        &self.halves
    }

    /// What a leaf names the key by: the twin of
    /// [`Point::name`](crate::curve::weierstrass::Point::name).
    pub fn name(&self, chips: &Chips) -> AssignedValue<Fr> {
        let [[a, b], [c, d]] = self.halves.map(|half| half.map(QuantumCell::Existing));
        let inputs = [a, b, c, d, QuantumCell::Constant(Fr::zero())];
        chip::hash(chips, domain(NAME_DOMAIN), &inputs).digest
    }
}

/// A nonce point, its first coordinate canonical.
#[derive(Clone, Debug)]
pub struct AssignedNonce(pub(super) AssignedPoint);

impl AssignedNonce {
    /// Witnesses the nonce point of a signature.
    pub fn new(chips: &Chips, equations: &CurveEquations, point: &(BigUint, BigUint)) -> Self {
        let point = AssignedPoint::new(chips.foreign(), equations, point);
        assert_at_most(chips.foreign(), &point.coordinates()[0], &(equations.curve().p() - 1u8));
        Self(point)
    }

    pub(in super::super) fn coordinates(&self) -> &[AssignedLimbs; 2] {
        self.0.coordinates()
    }

    /// Constrains the second coordinate to be the even one of the two.
    pub(in super::super) fn assert_even(&self, chips: &Chips, curve: Curve) {
        let y = &self.coordinates()[1];
        assert_at_most(chips.foreign(), y, &(curve.p() - 1u8));
        assert_even(chips.foreign(), y);
    }
}

/// The number of a digest whose halves are given; the halves are thereby below `2^128`.
pub(in super::super) fn from_halves(
    ctx: &mut Context<Fr>,
    chips: &Chips,
    given: [AssignedValue<Fr>; 2],
) -> AssignedLimbs {
    let [high, low] = given.map(|half| halo2_base::utils::fe_to_biguint(half.value()));
    let number = ((high << 128) + low) % (BigUint::from(1u8) << 256);
    let number = element(chips.foreign(), &number);
    for (found, given) in halves(ctx, chips, &number).iter().zip(&given) {
        vertical::assert_equal(ctx, found, given);
    }
    number
}
