//! The equations of the map.

use num_bigint::BigInt;

use crate::{
    curve::weierstrass::{chip_of, CurveEquations},
    field::foreign::integer::{constant, Integer},
};
use muster_gates::{
    foreign::{
        AssignedLimbs, Equation,
        Source::{Operand, Result},
    },
    Chips,
};
use muster_schemes::curve::edwards25519::{root_of_minus_one, CURVE, SCALE, SHIFT, SLOPE};

/// Relations between the two forms of the curve.
#[derive(Clone, Debug)]
pub struct Edwards25519Equations {
    /// The equations of the Weierstrass form.
    pub weierstrass: CurveEquations,
    /// `R·X + 9B·R = X - 9B` for the `X = A₀ - 3AB`: y, from the first coordinate in Weierstrass form.
    pub(super) y: Equation,
    /// `R·A₀ = 3B·(A₁ - 3AB)`: x, from the second coordinate and the first.
    pub(super) x: Equation,
    /// `A₀·A₁`
    pub(super) multiply: Equation,
    /// The root of -1.
    root: Equation,
}

/// The root of -1 in circuit, which is just a constant.
#[derive(Clone, Debug)]
pub struct AssignedRoot(AssignedLimbs);

impl AssignedRoot {
    pub(super) fn limbs(&self) -> &AssignedLimbs {
        &self.0
    }
}

impl Default for Edwards25519Equations {
    fn default() -> Self {
        Self::new()
    }
}

impl Edwards25519Equations {
    /// The equations.
    pub fn new() -> Self {
        let p = CURVE.p();
        let [a, b] = [Operand(0), Operand(1)];
        let product = |left: i64, right: i64| BigInt::from(left) * right;
        Self {
            weierstrass: CurveEquations::new(CURVE),
            y: {
                let ends = Result * a + (SCALE - SHIFT) * Result - a;
                Equation::zero(p, ends + BigInt::from(SCALE + SHIFT))
            },
            x: Equation::result(p, (SLOPE * b - product(SLOPE, SHIFT)) / a),
            multiply: Equation::multiply(p),
            root: constant(p, root_of_minus_one()),
        }
    }

    /// The root of -1 in circuit.
    pub fn root(&self, chips: &Chips) -> AssignedRoot {
        AssignedRoot(chip_of(chips, CURVE).relate(&self.root, &[], root_of_minus_one()))
    }

    /// The equations that a layout must have room for.
    pub fn all(&self) -> Vec<Equation> {
        let mut all = self.weierstrass.all();
        all.extend([&self.y, &self.x, &self.multiply, &self.root].map(Clone::clone));
        all.extend(Integer::all(CURVE.p().bits() as usize));
        all
    }
}
