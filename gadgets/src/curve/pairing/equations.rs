//! The equations of a pairing.
//!
//! All of them keep to few sums, so that the gate has few factors: a relation is
//!
//! ```text
//! (±A₀ ± A₁)·(±A₀ ± A₁) ± A₂·(A₃ - B₂) ± A₄·(A₅ ± B₁ - B₃) + L
//! ```

use num_bigint::{BigInt, BigUint};

use crate::field::foreign::integer::Integer;
use muster_gates::foreign::{above, Equation, Form, Source::Operand};
use muster_schemes::curve::pairing::PairingCurve;

/// The relations, each by its operands in order.
#[derive(Clone, Debug)]
pub struct PairingEquations {
    curve: PairingCurve,
    /// `A₀·A₁`.
    pub(super) product: Equation,
    /// `A₀·A₁ + A₂`.
    pub(super) product_and: Equation,
    /// `A₀·A₁ + A₂·A₃`.
    pub(super) products: Equation,
    /// `A₀·A₁ + A₂·A₃ + A₄`, with rounded operands 0, 2 and 4.
    pub(super) products_and: Equation,
    /// `A₀·A₁ + A₂·A₃ - A₄`.
    pub(super) products_less: Equation,
    /// `A₄ - A₀·A₁ - A₂·A₃`.
    pub(super) less_products: Equation,
    /// `A₀·A₁ + A₂·A₃ + A₄·A₅` plus the result above. The operands 0, 2 and 4 may be rounded.
    pub(super) more_products: Equation,
    /// `A₅ - A₀·A₁ - A₂·A₃ + A₄·B₁`.
    pub(super) line: Equation,
    /// `A₅ + A₀·A₁ + A₂·A₃ - A₄·B₁`.
    pub(super) fixed_line: Equation,
    /// `A₀·A₁ - a`.
    pub(super) imaginary: Equation,
    /// `A₀·A₁ - s·A₂ - t`.
    pub(super) tower: Equation,
    /// `A₀·A₁ + A₂·A₃ = A₄·A₅ + 1`.
    pub(super) is_one: Equation,
    /// `A₀·A₁ = A₂·A₃ + b`: `y² = x³ + b`.
    pub(super) on_curve: Equation,
    /// Both parts of a square, from the parts `A₀` and `A₁`.
    pub(super) square: [Equation; 2],
    /// `y² = x·w + b` on the twist: of `y₀, y₁, w₀, x₀, w₁, x₁` and `y₀, y₁, w₀, x₁, w₁, x₀`.
    pub(super) on_twist: [Equation; 2],
    /// `2·λ·y = 3x²`: of `x₀, x₁, λ₀, y₀, λ₁, y₁` and `x₀, x₁, λ₀, y₁, λ₁, y₀`.
    pub(super) tangent: [Equation; 2],
    /// `λ² - 2x`: of `λ₀, λ₁` and the part of `x`.
    pub(super) doubled: [Equation; 2],
    /// `A₀ - A₁`.
    pub(super) difference: Equation,
    /// `λ·d = y - y'` for a `y'` that is added, and for one that is subtracted: of the parts of `y` and `y'`, and
    /// `λ₀, d₀, λ₁, d₁` or `λ₀, d₁, λ₁, d₀`.
    pub(super) chord: [[Equation; 2]; 2],
    /// `λ² - x - x'`: of `λ₀, λ₁` and the parts of `x` and `x'`.
    pub(super) added: [Equation; 2],
    /// `λ·(x - x") - y` below both parts of `x"`: of `y₀`, an unused operand, and `λ₀, x₀, λ₁, x₁`; then below that, of
    /// `y₁`, an unused operand, and `λ₀, x₁, λ₁, x₀`.
    pub(super) height: [Equation; 2],
    /// `A₄ = A₀·A₁ + A₂·A₃`, and `A₄ = -(A₀·A₁ + A₂·A₃)`.
    pub(super) closing: [Equation; 2],
}

impl PairingEquations {
    /// The equations of `curve`.
    pub fn new(curve: PairingCurve) -> Self {
        let parameters = curve.parameters();
        let p = &parameters.p;
        let zero = |form| Equation::zero(p, form);
        let [a0, a1, a2, a3, a4, a5] = [0, 1, 2, 3, 4, 5].map(Operand);
        let near = |equation: Equation| equation.near([a0, a2, a4]);
        let [s, t] = parameters.reduction();
        let a = i64::try_from(parameters.a).expect("it is small");
        let [re, im] = [(a0 - a1) * (a0 + a1), 2 * a0 * a1];
        let chord = |is_negative: bool| {
            let other = if is_negative { -a1 } else { Form::from(a1) };
            [zero(a2 * a3 - a4 * a5 - a0 + other.clone()), zero(a2 * a3 + a4 * a5 - a0 + other)]
        };
        let [b_re, b_im] = parameters.twist_b.each_ref().map(|part| centred(part, p));
        Self {
            curve,
            product: Equation::result(p, a0 * a1),
            product_and: Equation::result(p, a0 * a1 + a2),
            products: Equation::result(p, a0 * a1 + a2 * a3),
            products_and: near(Equation::result(p, a0 * a1 + a2 * a3 + a4)),
            products_less: Equation::result(p, a0 * a1 + a2 * a3 - a4),
            less_products: Equation::result(p, a4 - a0 * a1 - a2 * a3),
            more_products: above(|[sum]| {
                near(Equation::result(p, sum + a0 * a1 + a2 * a3 + a4 * a5))
            }),
            line: above(|[run]| Equation::result(p, a5 - a0 * a1 - a2 * a3 + a4 * run)),
            fixed_line: above(|[slope]| Equation::result(p, a5 + a0 * a1 + a2 * a3 - a4 * slope)),
            imaginary: Equation::result(p, a0 * a1 - a),
            tower: Equation::result(p, a0 * a1 - s * a2 - t),
            is_one: zero(a0 * a1 + a2 * a3 - a4 * a5 - 1),
            on_curve: zero(a0 * a1 - a2 * a3 - centred(&parameters.b, p)),
            square: [Equation::result(p, re.clone()), Equation::result(p, im.clone())],
            on_twist: [
                zero(re.clone() - a2 * a3 + a4 * a5 - b_re),
                zero(im.clone() - a2 * a3 - a4 * a5 - b_im),
            ],
            tangent: [
                zero(3 * re.clone() - 2 * (a2 * a3) + 2 * (a4 * a5)),
                zero(3 * im.clone() - 2 * (a2 * a3) - 2 * (a4 * a5)),
            ],
            doubled: [re.clone(), im.clone()].map(|square| Equation::result(p, square - 2 * a2)),
            difference: Equation::result(p, a0 - a1),
            chord: [false, true].map(chord),
            added: [re, im].map(|square| Equation::result(p, square - a2 - a3)),
            height: [
                above(|[x1, x0]| Equation::result(p, a2 * (a3 - x0) - a4 * (a5 - x1) - a0)),
                above(|[_, x1, x0]| Equation::result(p, a2 * (a3 - x1) + a4 * (a5 - x0) - a0)),
            ],
            closing: [zero(a0 * a1 + a2 * a3 - a4), zero(a0 * a1 + a2 * a3 + a4)],
        }
    }

    /// The curve.
    pub fn curve(&self) -> PairingCurve {
        self.curve
    }

    /// The equations that a layout must have room for.
    pub fn all(&self) -> Vec<Equation> {
        let single = [
            &self.product,
            &self.product_and,
            &self.products,
            &self.products_and,
            &self.products_less,
            &self.less_products,
            &self.more_products,
            &self.line,
            &self.fixed_line,
            &self.imaginary,
            &self.tower,
            &self.is_one,
            &self.on_curve,
            &self.difference,
        ];
        let pairs = [
            &self.square,
            &self.on_twist,
            &self.tangent,
            &self.doubled,
            &self.added,
            &self.height,
            &self.closing,
        ];
        let all = single.into_iter().chain(pairs.into_iter().flatten());
        all.chain(self.chord.iter().flatten()).cloned().chain([Integer::any()]).collect()
    }
}

/// The residue of least magnitude.
fn centred(number: &BigUint, p: &BigUint) -> BigInt {
    let number = BigInt::from(number.clone());
    let modulus = BigInt::from(p.clone());
    if &number * 2 > modulus {
        number - modulus
    } else {
        number
    }
}
