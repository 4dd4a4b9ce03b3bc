//! The equations of a curve.

use num_bigint::{BigInt, BigUint};

use super::Endomorphism;
use crate::{
    curve::weierstrass::Curve,
    field::foreign::integer::constant,
    gate::foreign::{
        AssignedLimbs, Equation, ForeignChip,
        Source::{Above, Back, Operand, Result, Turned},
    },
};

/// Relations between coordinates. With a point `(x, y)` in the two blocks above, or one further
/// where a slope stands between.
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

/// The factor of an endomorphism in circuit: nothing but the constant that it is.
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
        let on = || Equation::new(p);
        let square = |of| on().product(&[(1, of)], &[(1, of)]);
        Self {
            curve,
            first_coordinate: square(Result).linear(&[(-1, Back(1))]).constant(a.clone()),
            second_coordinate: square(Result)
                .second_product(&[(1, Back(2))], &[(-1, Back(1))])
                .constant(-BigInt::from(b.clone())),
            tangent: on()
                .product(&[(1, Result)], &[(2, Back(1))])
                .second_product(&[(1, Back(2))], &[(-3, Back(2))])
                .constant(-a),
            doubled: square(Back(1)).linear(&[(-2, Back(3)), (-1, Result)]),
            chord: on()
                .product(&[(1, Result)], &[(1, Back(2)), (-1, Operand(0))])
                .linear(&[(-1, Back(1)), (1, Operand(1))]),
            digit_chord: on()
                .product(&[(1, Result)], &[(1, Back(2)), (-1, Operand(0))])
                .linear(&[(-1, Back(1)), (1, Turned)]),
            added: square(Back(1)).linear(&[(-1, Back(3)), (-1, Above), (-1, Result)]),
            height: on()
                .product(&[(1, Back(2))], &[(1, Back(4)), (-1, Back(1))])
                .linear(&[(-1, Back(3)), (-1, Result)]),
            second_chord: on()
                .product(&[(1, Result)], &[(1, Back(1)), (-1, Operand(0))])
                .second_product(&[(1, Back(2))], &[(1, Back(1)), (-1, Back(4))])
                .linear(&[(1, Back(3)), (1, Turned)]),
            second_added: square(Back(1)).linear(&[(-1, Back(2)), (-1, Above), (-1, Result)]),
            second_height: on()
                .product(&[(1, Back(2))], &[(1, Back(3)), (-1, Back(1))])
                .second_product(&[(1, Back(4))], &[(1, Back(3)), (-1, Operand(0))])
                .linear(&[(1, Operand(1)), (-1, Result)]),
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

    /// The same for a hint of the factor.
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

    /// The result two blocks above is `c`; nothing is said of the block's own.
    pub(super) fn equals(&self, value: &BigUint) -> Equation {
        let equation = Equation::new(self.curve.p()).linear(&[(1, Back(2))]);
        equation.constant(-BigInt::from(value.clone()))
    }

    /// What a layout must have room for.
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
