//! The equations of a curve.

use num_bigint::{BigInt, BigUint};

use super::Endomorphism;
use crate::field::foreign::integer::constant;
use muster_gates::foreign::{
    above, AssignedLimbs, Equation, ForeignChip,
    Source::{self, Above, Operand, Result, Turned},
};
use muster_schemes::curve::weierstrass::Curve;

/// Relations between coordinates, with a point `(x, y)` in the two blocks above, or one block
/// further up if there is a slope in between.
#[derive(Clone, Debug)]
pub struct CurveEquations {
    curve: Curve,
    /// `x² = w - a`, for `w` above: `w = x² + a`.
    pub(super) first_coordinate: Equation,
    /// `y² = x·w + b`, for `x` above and `w` above that.
    pub(super) second_coordinate: Equation,
    /// `λ·2y = 3x² + a`.
    pub(super) tangent: Equation,
    /// `x' = λ² - 2x`, for `λ`, `y`, `x` above.
    pub(super) doubled: Equation,
    /// `λ·(x - x₁) = y - y₁` for the operand `(x₁, y₁)`.
    pub(super) chord: Equation,
    /// The same for an entry of a table, with the sign of a digit.
    pub(super) digit_chord: Equation,
    /// `x' = λ² - x - x₁`, for `λ`, `y`, `x` above and the operand `x₁` of `λ`.
    pub(super) added: Equation,
    /// `y' = λ·(x - x') - y`, for `x'`, `λ`, `y`, `x` above.
    pub(super) height: Equation,
    /// `λ'·(x' - x₂) = y' - y₂` for an entry, with `y'` still unknown: `x'`, `λ`, `y`, `x` above.
    pub(super) second_chord: Equation,
    /// `x" = λ'² - x' - x₂`, for `λ'`, `x'` above.
    pub(super) second_added: Equation,
    /// `y" = λ'·(x' - x") - y'`, for `x"`, `λ'`, `x'`, `λ` above and the operand `(x, y)`.
    pub(super) second_height: Equation,
    /// `A₀·A₁`.
    pub(super) multiply: Equation,
}

/// The factor of an endomorphism in circuit, which is just a constant.
#[derive(Clone, Debug)]
pub struct Beta(AssignedLimbs);

impl Beta {
    /// Its limbs.
    pub fn limbs(&self) -> &AssignedLimbs {
        &self.0
    }
}

impl CurveEquations {
    /// The equations of `curve`.
    pub fn new(curve: Curve) -> Self {
        let (p, a, b) = (curve.p(), BigInt::from(curve.a().clone()), curve.b());
        // The coefficient of least magnitude: -3 for P-256.
        let modulus = BigInt::from(p.clone());
        let a = if &a * 2 > modulus { a - modulus } else { a };
        let zero = |form| Equation::zero(p, form);
        Self {
            curve,
            first_coordinate: above(|[w]| zero(Result * Result - w + a.clone())),
            second_coordinate: above(|[x, w]| zero(Result * Result - w * x - b)),
            tangent: above(|[y, x]| Equation::result(p, (3 * (x * x) + a) / (2 * y))),
            doubled: above(|[slope, _, x]| Equation::result(p, slope * slope - 2 * x)),
            chord: chord(p, Operand(1)),
            digit_chord: chord(p, Turned),
            added: above(|[slope, _, x]| Equation::result(p, slope * slope - x - Above(0))),
            height: above(|[new_x, slope, y, x]| Equation::result(p, slope * (x - new_x) - y)),
            second_chord: above(|[new_x, slope, y, x]| {
                let new_y = slope * (x - new_x) - y;
                Equation::result(p, (new_y - Turned) / (new_x - Operand(0)))
            }),
            second_added: above(|[slope, x]| Equation::result(p, slope * slope - x - Above(0))),
            second_height: above(|[new_x, slope, x, first_slope]| {
                let y = first_slope * (Operand(0) - x) - Operand(1);
                Equation::result(p, slope * (x - new_x) - y)
            }),
            multiply: Equation::multiply(p),
        }
    }

    /// The curve.
    pub fn curve(&self) -> Curve {
        self.curve
    }

    /// The endomorphism, if the curve has one.
    pub fn endomorphism(&self) -> Option<&'static Endomorphism> {
        Endomorphism::of(self.curve)
    }

    /// The factor of the endomorphism in circuit.
    pub fn beta(&self, chip: &ForeignChip, endomorphism: &Endomorphism) -> Beta {
        self.beta_of_hint(chip, endomorphism, &endomorphism.beta)
    }

    /// The same with a hint of the factor.
    pub(super) fn beta_of_hint(
        &self,
        chip: &ForeignChip,
        endomorphism: &Endomorphism,
        hint: &BigUint,
    ) -> Beta {
        Beta(chip.relate(&self.constant(&endomorphism.beta), &[], hint))
    }

    /// `R = c`.
    pub(super) fn constant(&self, value: &BigUint) -> Equation {
        constant(self.curve.p(), value)
    }

    /// The result two blocks above is `c`; the block's own is free.
    pub(super) fn equals(&self, value: &BigUint) -> Equation {
        above(|[_, result]| Equation::zero(self.curve.p(), result - value))
    }

    /// The equations that a layout must have room for.
    pub fn all(&self) -> Vec<Equation> {
        let top = self.curve.p() - 1u8;
        vec![
            self.first_coordinate.clone(),
            self.second_coordinate.clone(),
            self.tangent.clone(),
            self.doubled.clone(),
            self.chord.clone(),
            self.digit_chord.clone(),
            self.added.clone(),
            self.height.clone(),
            self.second_chord.clone(),
            self.second_added.clone(),
            self.second_height.clone(),
            self.multiply.clone(),
            self.constant(&top),
            self.equals(&top),
        ]
    }
}

/// The slope from the point in the two blocks above to the operands, with this second coordinate.
fn chord(p: &BigUint, other_y: Source) -> Equation {
    above(|[y, x]| Equation::result(p, (y - other_y) / (x - Operand(0))))
}
