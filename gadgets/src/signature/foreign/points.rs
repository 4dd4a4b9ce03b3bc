//! Keys, nonce points, and bounds for what is witnessed with them.

use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, AssignedValue, QuantumCell};
use num_bigint::BigUint;

use super::{KeyPoint, ScalarEquations};
use crate::{
    curve::weierstrass::{chip_of, AssignedPoint, CurveEquations},
    field::foreign::{
        halves::{halves, HALF_BITS},
        integer::{assert_even, element, Canonical, Integer},
    },
    hash::poseidon,
};
use muster_gates::{
    foreign::{AssignedLimbs, Equation},
    vertical, Chips, GateContext,
};
use muster_schemes::{
    curve::weierstrass::{Curve, Point, NAME_DOMAIN},
    hash::poseidon::domain,
};

/// All relations of circuits over `curve`, which their layout must have room for.
pub fn equations(curve: Curve) -> Vec<Equation> {
    let mut equations = CurveEquations::new(curve).all();
    equations.extend(ScalarEquations::new(curve).all());
    equations.extend(Integer::all(curve.p().bits() as usize));
    equations
}

/// Unchecked coordinates.
pub type RawKey = (BigUint, BigUint);

/// The coordinates of a point.
pub(crate) fn integers(point: &Point) -> RawKey {
    (BigUint::from_bytes_be(&point.x()), BigUint::from_bytes_be(&point.y()))
}

/// Witnesses keys over a curve.
pub(crate) fn assign_keys(
    ctx: &mut GateContext,
    curve: Curve,
    keys: &[RawKey],
) -> Vec<AssignedKey> {
    let equations = CurveEquations::new(curve);
    keys.iter().map(|key| AssignedKey::new(ctx, &equations, key)).collect()
}

/// An unchecked signature, with the point that it is checked with.
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
    point: AssignedPoint,
    coordinates: [Canonical; 2],
    /// High and low half of each coordinate.
    halves: [[AssignedValue<Fr>; 2]; 2],
}

impl AssignedKey {
    /// Witnesses a key.
    pub fn new(
        ctx: &mut GateContext,
        equations: &CurveEquations,
        point: &(BigUint, BigUint),
    ) -> Self {
        let chip = chip_of(ctx.chips, equations.curve());
        let point = AssignedPoint::new(chip, equations, point);
        let p = equations.curve().p();
        let coordinates = point.coordinates().each_ref().map(|x| Canonical::new(chip, x, p));
        let halves = coordinates.each_ref().map(|x| halves(ctx, x.limbs()));
        Self { point, coordinates, halves }
    }

    pub(crate) fn coordinates(&self) -> &[Canonical; 2] {
        &self.coordinates
    }

    /// High and low half of x and of y.
    pub fn halves(&self) -> &[[AssignedValue<Fr>; 2]; 2] {
        &self.halves
    }

    /// The name of the key in a leaf: the twin of
    /// [`Point::name`](muster_schemes::curve::weierstrass::Point::name).
    pub fn name(&self, chips: &Chips) -> AssignedValue<Fr> {
        let [[a, b], [c, d]] = self.halves.map(|half| half.map(QuantumCell::Existing));
        let inputs = [a, b, c, d, QuantumCell::Constant(Fr::zero())];
        poseidon::hash(chips, domain(NAME_DOMAIN), &inputs).digest
    }
}

impl KeyPoint for AssignedKey {
    fn point(&self) -> &AssignedPoint {
        &self.point
    }
}

/// A nonce point, its first coordinate canonical.
#[derive(Clone, Debug)]
pub struct AssignedNonce {
    point: AssignedPoint,
    x: Canonical,
}

impl AssignedNonce {
    /// Witnesses the nonce point of a signature.
    pub fn new(chips: &Chips, equations: &CurveEquations, point: &(BigUint, BigUint)) -> Self {
        let (chip, curve) = (chip_of(chips, equations.curve()), equations.curve());
        let point = AssignedPoint::new(chip, equations, point);
        let x = Canonical::new(chip, &point.coordinates()[0], curve.p());
        Self { point, x }
    }

    pub(crate) fn point(&self) -> &AssignedPoint {
        &self.point
    }

    /// The coordinates; the second one need not be canonical.
    pub(crate) fn coordinates(&self) -> &[AssignedLimbs; 2] {
        self.point.coordinates()
    }

    pub(crate) fn x(&self) -> &Canonical {
        &self.x
    }

    /// Constrains the second coordinate to be the even one of the two.
    pub(crate) fn assert_even(&self, chips: &Chips, curve: Curve) {
        let chip = chip_of(chips, curve);
        assert_even(chip, &Canonical::new(chip, &self.coordinates()[1], curve.p()));
    }
}

/// The integer of a digest that is given in halves, which are thereby below `2^128`.
pub(crate) fn from_halves(ctx: &mut GateContext, given: [AssignedValue<Fr>; 2]) -> AssignedLimbs {
    let [high, low] = given.map(|half| halo2_base::utils::fe_to_biguint(half.value()));
    let number = ((high << 128) + low) % (BigUint::from(1u8) << 256);
    let number = element(ctx.chips.foreign_of(2 * HALF_BITS), &number);
    for (found, given) in halves(ctx, &number).iter().zip(&given) {
        vertical::assert_equal(ctx, found, given);
    }
    number
}
