//! What the product of pairings is made of, factor by factor, and where it is written down.

use super::{
    parameters::{Parameters, Power, Twist},
    walk::{kinds, Kind},
};

/// Coefficients of an element of `Fp¹²`.
pub const DEGREE: usize = 12;

/// No polynomial of a plan has this degree: the chance of a false proof grows with it.
pub(super) const MOST_DEGREE: usize = 64 * DEGREE;

/// What happens to the product next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// It is squared.
    Square,
    /// It is multiplied by the line of a step of a pair.
    Line {
        /// The pair.
        pair: usize,
        /// The step.
        step: usize,
    },
    /// It is multiplied by the root or its inverse.
    Factor(Power),
    /// It is multiplied by the power by `pⁱ` of one of the two.
    Tail(Power, usize),
    /// It is multiplied by the scaling factor.
    Scale,
}

/// The operations on the product, which starts as the inverse of the root: the first digit of the loop is 1.
pub fn program(parameters: &Parameters, pairs: usize) -> Vec<Op> {
    let (mut ops, mut step) = (vec![], 0);
    let lines = |step: usize| (0..pairs).map(move |pair| Op::Line { pair, step });
    for kind in kinds(parameters) {
        if kind == Kind::Double {
            ops.push(Op::Square);
        }
        ops.extend(lines(step));
        match kind {
            Kind::Add { is_negative: false } => ops.push(Op::Factor(Power::Inverse)),
            Kind::Add { is_negative: true } => ops.push(Op::Factor(Power::Root)),
            Kind::Double | Kind::AddImage { .. } => {}
        }
        step += 1;
    }
    ops.extend(parameters.tail.iter().map(|&(power, i)| Op::Tail(power, i)));
    ops.push(Op::Scale);
    ops
}

/// Whether the root itself is used, not only its inverse.
pub fn uses_root(parameters: &Parameters) -> bool {
    program(parameters, 1).contains(&Op::Factor(Power::Root))
        || parameters.tail.iter().any(|(power, _)| *power == Power::Root)
}

/// The degree of a line as a polynomial in `w`, as it is computed: no product is reduced on the way.
fn line_degree(twist: Twist, is_fixed: bool) -> usize {
    match (twist, is_fixed) {
        // Λ·(w³·X - w·x) with Λ and X of degree 6; w³·C.
        (Twist::Divided, false) => 15,
        (Twist::Divided, true) => 9,
        // Λ·(X - w²·x); Λ·w²·x.
        (Twist::Multiplied, false) => 12,
        (Twist::Multiplied, true) => 8,
    }
}

/// A program, and where its product is written down as an element of `Fp¹²`. Between two such places the product is a
/// polynomial, known by its value at one point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The operations.
    pub ops: Vec<Op>,
    /// Whether the product is written down before each.
    pub is_written: Vec<bool>,
    /// The largest degree of a polynomial.
    pub degree: usize,
}

impl Plan {
    /// The plan with the fewest coefficients. `is_fixed` says which pairs have a fixed second
    /// point.
    pub fn new(parameters: &Parameters, is_fixed: &[bool]) -> Self {
        let ops = program(parameters, is_fixed.len());
        let bounds = 2 * DEGREE..MOST_DEGREE;
        let plans = bounds.filter_map(|bound| Self::within(parameters, &ops, is_fixed, bound));
        plans.min_by_key(Self::coefficients).expect("there is a bound that serves")
    }

    /// The plan that writes the product down as late as a bound allows; `None` if one operation alone exceeds it.
    fn within(
        parameters: &Parameters,
        ops: &[Op],
        is_fixed: &[bool],
        bound: usize,
    ) -> Option<Self> {
        let after = |degree: usize, op: &Op| match op {
            Op::Square => 2 * degree,
            Op::Line { pair, .. } => degree + line_degree(parameters.twist, is_fixed[*pair]),
            Op::Factor(_) | Op::Tail(..) | Op::Scale => degree + DEGREE - 1,
        };
        let (mut is_written, mut degree, mut largest) = (vec![], DEGREE - 1, 2 * (DEGREE - 1));
        for op in ops {
            let is_too_much = after(degree, op) > bound;
            degree = after(if is_too_much { DEGREE - 1 } else { degree }, op);
            if degree > bound {
                return None;
            }
            is_written.push(is_too_much);
            largest = largest.max(degree);
        }
        Some(Self { ops: ops.to_vec(), is_written, degree: largest })
    }

    /// The coefficients of the quotient by the polynomial of `w`.
    pub fn quotient_coefficients(&self) -> usize {
        self.degree + 1 - DEGREE
    }

    /// The coefficients that are witnessed: of the product where it is written down, and of the quotient.
    fn coefficients(&self) -> usize {
        DEGREE * self.is_written.iter().filter(|is_written| **is_written).count()
            + self.quotient_coefficients()
    }
}
