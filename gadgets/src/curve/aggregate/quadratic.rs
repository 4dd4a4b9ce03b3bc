//! The sum of points with coordinates in a quadratic extension: the keys of G2.

use halo2curves::{ff::Field, CurveAffine};
use num_bigint::BigUint;

use crate::field::foreign::integer::{element, Integer};
use muster_gates::foreign::{
    above, AssignedLimbs, Cursor, Equation, ForeignChip, Form, Operand as BlockOperand,
    Operand::Element as Limbs,
    Source::{Above, Operand, Result},
};
use muster_schemes::{
    curve::aggregate::{modulus, Element, Step, SumWalk},
    field::ExtensionField,
};

/// The relations of a sum over a prime field with a `u² = -1`. Elements are `a₀ + a₁·u`.
///
/// `X, Y` is the point that is added and `X', Y'` the one that was added last; `x` is the sum before, `λ` the slope
/// that led to it, and `x'`, `λ'` are the next ones. A point takes four blocks. Neither coefficient of `λ'` is
/// known before both are there, so each equation but one stands a block below the number that it is about:
///
/// | block | operands | equation |
/// |---|---|---|
/// | `λ'₀` | `X'₀, X'₁, Y'₀` | the second coefficient of `x`, where it was left |
/// | `λ'₁` | `X₀, X₁, Y₀, Y₁` | the first coefficient of `λ'·(x - X) = λ·(X' - x) - Y' - Y`, and `x₀ ≠ X₀` |
/// | `x'₀` | `X'₀, X'₁, Y'₁` | the second coefficient of that |
/// | `x'₁` | `X₀` | the first coefficient of `x' = λ'² - x - X` |
///
/// Points are given with limbs that are near their bounds, except those of the start. An operand that an equation does
/// not constrain is handed down.
#[derive(Clone, Debug)]
pub struct SumEquations {
    modulus: BigUint,
    start: StartEquations,
    /// `x₁ = 2·λ₀·λ₁ - z₁ - X'₁` for the sum `z` before `x`.
    second_added: Equation,
    /// `λ'₀·(x₀ - X₀) - λ'₁·(x₁ - X₁) + λ₀·(x₀ - X'₀) - λ₁·(x₁ - X'₁) + Y'₀ + Y₀ = 0` and `x₀ ≠ X₀`.
    first_slope: Equation,
    /// `λ'₁·(x₀ - X₀) + λ'₀·(x₁ - X₁) + λ₀·(x₁ - X'₁) + λ₁·(x₀ - X'₀) + Y'₁ + Y₁ = 0`.
    second_slope: Equation,
    /// `x'₀ = (λ'₀ - λ'₁)·(λ'₀ + λ'₁) - x₀ - X₀`.
    first_added: Equation,
    /// `y₀ = λ₀·(X₀ - x₀) - λ₁·(X₁ - x₁) - Y₀`, for the operands above.
    first_height: Equation,
    /// `y₁ = λ₀·(X₁ - x₁) + λ₁·(X₀ - x₀) - Y₁`.
    second_height: Equation,
}

/// The equations that put a point on the curve: `w = x²` and `y² = x·w + b`, coefficient by
/// coefficient.
#[derive(Clone, Debug)]
struct StartEquations {
    /// `w₀ = (x₀ - x₁)·(x₀ + x₁)`, for `x₁`, `x₀` above.
    first_square: Equation,
    /// `w₁ = 2·x₀·x₁`, for `w₀`, `x₁`, `x₀` above.
    second_square: Equation,
    /// `y₀² - y₁² = x₀·w₀ - x₁·w₁ + b₀`, for `y₀`, `w₁`, `w₀`, `x₁`, `x₀` above.
    first_root: Equation,
    /// `2·y₀·y₁ = x₀·w₁ + x₁·w₀ + b₁`, for `y₁` and so on above; the result is free.
    second_root: Equation,
    /// A coefficient of `x = X`.
    opened: Equation,
}

impl StartEquations {
    fn new(p: &BigUint, [b0, b1]: [&BigUint; 2]) -> Self {
        Self {
            first_square: above(|[x1, x0]| Equation::result(p, (x0 - x1) * (x0 + x1))),
            second_square: above(|[_, x1, x0]| Equation::result(p, 2 * (x0 * x1))),
            first_root: above(|[y0, w1, w0, x1, x0]| {
                let squares = y0 * y0 - Result * Result;
                Equation::zero(p, squares - x0 * w0 + x1 * w1 - b0)
            }),
            second_root: above(|[y1, y0, w1, w0, x1, x0]| {
                let twice = y0 * y1 + y1 * y0;
                Equation::zero(p, twice - x0 * w1 - x1 * w0 - b1)
            }),
            opened: Equation::result(p, Form::from(Operand(0))),
        }
    }
}

impl SumEquations {
    /// The equations of a curve `y² = x³ + b` over a quadratic extension with `u² = -1`.
    ///
    /// # Panics
    /// If the curve has a linear term, or the extension is another.
    pub fn of<C>() -> Self
    where
        C: CurveAffine,
        C::Base: ExtensionField,
    {
        assert_eq!(C::a().coefficients(), [BigUint::ZERO; 2], "the curve is y² = x³ + b");
        let p = modulus::<C::Base>();
        let roots = [[0u8.into(), 1u8.into()], [0u8.into(), &p - 1u8]];
        let root = Option::<C::Base>::from((-C::Base::ONE).sqrt()).map(|u| u.coefficients());
        assert!(root.is_some_and(|u| roots.contains(&u)), "u² = -1, in the extension alone");
        let [b0, b1] = C::b().coefficients();
        Self::new(&p, [&b0, &b1])
    }

    fn new(p: &BigUint, b: [&BigUint; 2]) -> Self {
        let [a0, a1, a2, a3] = [0, 1, 2, 3].map(Operand);
        let [o0, o1, o2, o3] = [0, 1, 2, 3].map(Above);
        // Stands for a product that the other equations have: its second factor is 0.
        let none = || above(|[last, other]| other * (last - Form::from(last)));
        Self {
            modulus: p.clone(),
            start: StartEquations::new(p, b),
            second_added: above(|[x1, _, l1, l0, z1]| {
                Equation::zero(p, 2 * (l0 * l1) - z1 - a1 - x1).near([a0, a1, a2])
            }),
            first_slope: above(|[m0, x1, x0, l1, l0]| {
                let next = m0 * (x0 - a0) + Result * (a1 - x1);
                let last = l0 * (x0 - o0) + l1 * (o1 - x1);
                let apart = Equation::zero(p, next + last + o2 + a2).apart();
                apart.near([a0, a1, a2, a3, o0, o1, o2])
            }),
            second_slope: above(|[m1, m0, x1, x0, l1, l0]| {
                let next = m1 * (x0 - o0) + m0 * (x1 - o1);
                let last = l0 * (x1 - a1) + l1 * (x0 - a0);
                Equation::zero(p, next + last + o3 + a2).near([a0, a1, a2, o0, o1, o3])
            }),
            first_added: above(|[new_x0, m1, m0, _, x0]| {
                Equation::zero(p, (m0 - m1) * (m0 + m1) - x0 - a0 - new_x0).near([a0])
            }),
            first_height: above(|[_, x1, x0, l1, l0]| {
                let chord = l0 * (o0 - x0) + l1 * (x1 - o1);
                Equation::result(p, none() + none() + chord - o2).near([o0, o1, o2])
            }),
            second_height: above(|[_, _, x1, x0, l1, l0]| {
                let chord = l0 * (a1 - x1) + l1 * (a0 - x0);
                Equation::result(p, none() + none() + chord - a2)
            }),
        }
    }

    /// The prime of the coefficients.
    pub fn modulus(&self) -> &BigUint {
        &self.modulus
    }

    /// The equations of a sum. A layout also needs those of the addends' coordinates: [`Integer::any`] for free
    /// elements.
    ///
    /// [`Integer::any`]: crate::field::foreign::integer::Integer::any
    pub fn all(&self) -> Vec<Equation> {
        let StartEquations { first_square, second_square, first_root, second_root, opened } =
            &self.start;
        [
            first_square,
            second_square,
            first_root,
            second_root,
            opened,
            &self.second_added,
            &self.first_slope,
            &self.second_slope,
            &self.first_added,
            &self.first_height,
            &self.second_height,
        ]
        .map(Clone::clone)
        .to_vec()
    }
}

/// The coefficients of an element.
pub type Elements = [AssignedLimbs; 2];
/// The coordinates of a point, which this gadget assumes to be on the curve.
pub type Pair = [Elements; 2];

/// The sum of `points`, each as often as it occurs. `walk` is what the prover claims about all sums on the way.
///
/// The caller must have shown that the points are on the curve of the equations. Then so is the sum. It is not the
/// identity, which has no coordinates. Two points may be equal or opposite.
///
/// # Panics
/// If the walk is one of more or fewer points.
pub fn sum(
    chip: &ForeignChip,
    equations: &SumEquations,
    points: &[Pair],
    walk: &SumWalk<2>,
) -> Pair {
    assert_eq!(walk.steps.len(), points.len() + 1, "the walk is that of the points");
    let Start { point: start, mut sum, mut cursor } = Start::new(chip, equations, &walk.start);
    let (mut last, mut left) = (&start, Integer::any());
    let mut add = |(point, step): (_, &Step<2>)| {
        let ([slope_0, slope_1], [x0, x1]) = (&step.slope, &step.x);
        cursor.relate(&left, &with_first(last), slope_0);
        cursor.relate(&equations.first_slope, &whole(point), slope_1);
        let x0 = cursor.relate(&equations.second_slope, &with_second(last), x0);
        let x1 = cursor.relate(&equations.first_added, &[Limbs(&point[0][0])], x1);
        sum = [x0, x1];
        (last, left) = (point, equations.second_added.clone());
    };
    chip.each(points.iter().zip(&walk.steps), &mut add);
    add((&start, &walk.steps[points.len()]));
    cursor.relate(&left, &with_first(last), &BigUint::ZERO);
    let [y0, y1] = &walk.y;
    let y0 = cursor.relate(&equations.first_height, &[], y0);
    let y1 = cursor.relate(&equations.second_height, &with_second(last), y1);
    [sum, [y0, y1]]
}

/// A point of the curve that the prover chose, and the sum that starts at its opposite.
struct Start<'a> {
    point: Pair,
    /// The first coordinate, once more. The first slope reads the point as the one that was added last. Its first
    /// coordinate is that of the sum, so whatever is read as the slope that led there does not count.
    sum: Elements,
    cursor: Cursor<'a>,
}

impl<'a> Start<'a> {
    fn new(
        chip: &'a ForeignChip,
        equations: &SumEquations,
        [[x0, x1], [y0, y1]]: &[Element<2>; 2],
    ) -> Self {
        let (p, of) = (equations.modulus(), &equations.start);
        let w0 = (x0 + p - x1) * (x0 + x1) % p;
        let w1 = x0 * x1 * 2u8 % p;
        let [x0, x1] = [x0, x1].map(|number| element(chip, number));
        let mut cursor = chip.below(&[&x0, &x1]);
        cursor.relate(&of.first_square, &[], &w0);
        cursor.relate(&of.second_square, &[], &w1);
        let y0 = cursor.relate(&Integer::any(), &[], y0);
        let y1 = cursor.relate(&of.first_root, &[], y1);
        cursor.relate(&of.second_root, &[], &BigUint::ZERO);
        let sum = [&x0, &x1].map(|x| cursor.relate(&of.opened, &[Limbs(x)], x.value()));
        Self { point: [[x0, x1], [y0, y1]], sum, cursor }
    }
}

/// All coefficients.
fn whole([[x0, x1], [y0, y1]]: &Pair) -> [BlockOperand<'_>; 4] {
    [x0, x1, y0, y1].map(Limbs)
}

/// The first coordinate, with the first coefficient of the second one.
fn with_first([[x0, x1], [y0, _]]: &Pair) -> [BlockOperand<'_>; 3] {
    [x0, x1, y0].map(Limbs)
}

/// The same with its second coefficient.
fn with_second([[x0, x1], [_, y1]]: &Pair) -> [BlockOperand<'_>; 3] {
    [x0, x1, y1].map(Limbs)
}
