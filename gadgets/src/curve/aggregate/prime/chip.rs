//! The sum of points over a prime field.

use super::SumEquations;
use crate::field::foreign::integer::element;
use muster_gates::foreign::{
    AssignedLimbs, ForeignChip,
    Operand::{self, Element},
};
use muster_schemes::curve::aggregate::SumWalk;

/// The coordinates of a point, which this gadget assumes to be on the curve.
pub type Pair = [AssignedLimbs; 2];

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
    walk: &SumWalk<1>,
) -> Pair {
    assert_eq!(walk.steps.len(), points.len() + 1, "the walk is that of the points");
    let [[x], [y]] = &walk.start;
    let x = element(chip, x);
    let w = x.value() * x.value() % equations.modulus();
    let w = chip.relate(&equations.square, &[Element(&x), Element(&x)], &w);
    let mut cursor = chip.below(&[&x, &w]);
    let y = cursor.relate(&equations.root, &[], y);
    let start = [x, y];
    // The sum -S. The first slope reads S as the point that was added last. Its first coordinate is that of -S, so
    // the slope that led there does not count.
    let mut sum = cursor.relate(&equations.opened, &operands(&start), start[0].value());
    let mut slope = None;
    for (point, step) in points.iter().chain([&start]).zip(&walk.steps) {
        let ([next], [x]) = (&step.slope, &step.x);
        slope = Some(cursor.relate(&equations.slope, &operands(point), next));
        sum = cursor.relate(&equations.added, &operands(point), x);
    }
    let slope = slope.expect("the start comes at last");
    let [y] = &walk.y;
    let y = cursor.relate(&equations.height, &[Element(&slope), Element(&start[0])], y);
    [sum, y]
}

fn operands(point: &Pair) -> [Operand<'_>; 2] {
    point.each_ref().map(Element)
}
