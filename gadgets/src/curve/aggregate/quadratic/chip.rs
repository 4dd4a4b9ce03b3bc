//! The sum of points over a quadratic extension.

use num_bigint::BigUint;

use super::SumEquations;
use crate::field::foreign::integer::{element, Integer};
use muster_gates::foreign::{
    AssignedLimbs, Cursor, ForeignChip,
    Operand::{self, Element as Limbs},
};
use muster_schemes::curve::aggregate::{Element, SumWalk};

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
    for (point, step) in points.iter().chain([&start]).zip(&walk.steps) {
        let ([slope_0, slope_1], [x0, x1]) = (&step.slope, &step.x);
        cursor.relate(&left, &with_first(last), slope_0);
        cursor.relate(&equations.first_slope, &whole(point), slope_1);
        let x0 = cursor.relate(&equations.second_slope, &with_second(last), x0);
        let x1 = cursor.relate(&equations.first_added, &[Limbs(&point[0][0])], x1);
        sum = [x0, x1];
        (last, left) = (point, equations.second_added.clone());
    }
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
fn whole([[x0, x1], [y0, y1]]: &Pair) -> [Operand<'_>; 4] {
    [x0, x1, y0, y1].map(Limbs)
}

/// The first coordinate, with the first coefficient of the second one.
fn with_first([[x0, x1], [y0, _]]: &Pair) -> [Operand<'_>; 3] {
    [x0, x1, y0].map(Limbs)
}

/// The same with its second coefficient.
fn with_second([[x0, x1], [_, y1]]: &Pair) -> [Operand<'_>; 3] {
    [x0, x1, y1].map(Limbs)
}
