//! The sum of points with coordinates in a prime field: the keys of G1.

use halo2curves::CurveAffine;
use num_bigint::BigUint;

use crate::field::foreign::integer::element;
use muster_gates::foreign::{
    above, AssignedLimbs, Equation, ForeignChip, Form, Operand as BlockOperand,
    Operand::Element,
    Source::{Above, Operand, Result},
};
use muster_schemes::{
    curve::aggregate::{modulus, Step, SumWalk},
    field::ExtensionField,
};

/// The relations of a sum over a prime field. Below, `X, Y` are the operands of a block, and `X', Y'` those of the
/// block above, the point that was added last; `x` is a sum's first coordinate and `λ` the slope that led to it.
///
/// The second coordinate of a sum has no block. The chord goes through the sum and the point, so it is
/// `λ·(X' - x) - Y'`.
///
/// Points are given with limbs that are near their bounds, except those of the start.
#[derive(Clone, Debug)]
pub struct SumEquations {
    modulus: BigUint,
    /// `w = X·Y`, for `X = Y`.
    square: Equation,
    /// `y² = x·w + b`, for `w`, `x` above.
    root: Equation,
    /// `x = X`: the sum has the first coordinate of a point that is added last.
    opened: Equation,
    /// `λ'·(x - X) = λ·(X' - x) - Y' - Y` and `x ≠ X`, for `x`, `λ` above.
    slope: Equation,
    /// `x' = λ² - x - X`, for `λ`, `x` above.
    added: Equation,
    /// `y = X·Y - λ·x - Y'` for `x`, `λ` above and the operands `λ`, `X'`.
    height: Equation,
}

impl SumEquations {
    /// The equations of a curve `y² = x³ + b` over a prime field.
    ///
    /// # Panics
    /// If the curve has a linear term.
    pub fn of<C>() -> Self
    where
        C: CurveAffine,
        C::Base: ExtensionField,
    {
        assert_eq!(C::a().coefficients(), [BigUint::ZERO], "the curve is y² = x³ + b");
        let [b] = C::b().coefficients();
        Self::new(&modulus::<C::Base>(), &b)
    }

    fn new(p: &BigUint, b: &BigUint) -> Self {
        let [x, y] = [0, 1].map(Operand);
        let [last_x, last_y] = [0, 1].map(Above);
        Self {
            modulus: p.clone(),
            square: Equation::result(p, x * y),
            root: above(|[w, x]| Equation::zero(p, Result * Result - x * w - b)),
            opened: Equation::result(p, Form::from(x)),
            slope: above(|[sum, slope]| {
                let both = slope * (last_x - sum) - last_y - y;
                Equation::result(p, both / (sum - x)).apart().near([x, y, last_x, last_y])
            }),
            added: above(|[slope, sum]| {
                // `Y` is not constrained here: it is handed down.
                Equation::result(p, slope * slope - sum - x).near([x, y])
            }),
            height: above(|[sum, slope]| {
                Equation::result(p, x * y - slope * sum - last_y).near([last_y])
            }),
        }
    }

    /// The prime of the coordinates.
    pub fn modulus(&self) -> &BigUint {
        &self.modulus
    }

    /// The equations of a sum. A layout also needs those of the addends' coordinates: [`Integer::any`] for free
    /// elements, [`constant`] for slots.
    ///
    /// [`Integer::any`]: crate::field::foreign::integer::Integer::any
    /// [`constant`]: crate::field::foreign::integer::constant
    pub fn all(&self) -> Vec<Equation> {
        [&self.square, &self.root, &self.opened, &self.slope, &self.added, &self.height]
            .map(Clone::clone)
            .to_vec()
    }
}

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
    let mut add = |(point, step): (&Pair, &Step<1>)| {
        let ([next], [x]) = (&step.slope, &step.x);
        slope = Some(cursor.relate(&equations.slope, &operands(point), next));
        sum = cursor.relate(&equations.added, &operands(point), x);
    };
    chip.each(points.iter().zip(&walk.steps), &mut add);
    add((&start, &walk.steps[points.len()]));
    let slope = slope.expect("the start comes at last");
    let [y] = &walk.y;
    let y = cursor.relate(&equations.height, &[Element(&slope), Element(&start[0])], y);
    [sum, y]
}

fn operands(point: &Pair) -> [BlockOperand<'_>; 2] {
    point.each_ref().map(Element)
}
