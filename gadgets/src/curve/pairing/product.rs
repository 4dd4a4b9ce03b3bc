//! Whether a product of pairings is 1.

use num_bigint::BigUint;
use num_traits::One;

use super::{
    arithmetic::Arithmetic,
    group::AssignedGroupPoint,
    line::{Challenge, Lines},
    point::{AssignedSubgroupPoint, AssignedTwistPoint, AssignedWalk},
    transcript::{coefficients, evaluation_point, Claim},
    PairingEquations,
};
use muster_gates::{
    foreign::{
        AssignedLimbs,
        Operand::{Constant, Element},
    },
    GateContext,
};
use muster_schemes::curve::pairing::{
    is_in_subgroup,
    parameters::Power,
    program::{Op, Plan, DEGREE},
    witness::{NotOne, RawPair, Witness},
    PairingCurve, Parameters, TwistPoint,
};

/// The second argument of a pairing.
#[derive(Clone, Debug)]
pub enum SecondPoint<'a> {
    /// A point of the subgroup that is the same in every circuit. There is no circuit for one outside the subgroup.
    Fixed(TwistPoint),
    /// A point of the twist, which is shown to be in the subgroup.
    Variable(&'a AssignedTwistPoint),
}

/// Both arguments of a pairing.
#[derive(Clone, Debug)]
pub struct AssignedArguments<'a> {
    /// The point of the curve.
    pub first: &'a AssignedGroupPoint,
    /// The point of the twist.
    pub second: SecondPoint<'a>,
}

impl AssignedArguments<'_> {
    fn is_fixed(&self) -> bool {
        matches!(self.second, SecondPoint::Fixed(_))
    }

    /// # Panics
    /// If a fixed point is not in the subgroup.
    fn raw(&self, parameters: &Parameters) -> RawPair {
        let (q, is_fixed) = match &self.second {
            SecondPoint::Fixed(point) => {
                assert!(is_in_subgroup(parameters, point), "a fixed point is in the subgroup");
                (point.clone(), true)
            }
            SecondPoint::Variable(point) => (point.point(&parameters.p), false),
        };
        RawPair { p: self.first.point().point(&parameters.p), q, is_fixed }
    }

    /// Whether both are points of this curve and its twist.
    fn are_of(&self, curve: PairingCurve) -> bool {
        let is_second = match &self.second {
            SecondPoint::Fixed(_) => true,
            SecondPoint::Variable(point) => point.curve() == curve,
        };
        self.first.point().curve() == curve && is_second
    }
}

/// Constrains the product of the pairings to be 1, and the second points that are not fixed to be in the subgroup.
/// Returns the latter, in the order of the pairs, and the native verdict: [`NotOne`] if the product is not 1, or a
/// second point is not in the subgroup; then not all constraints hold.
///
/// The verdict is for a prover, once the whole circuit is filled. Code that lays out a circuit must go on regardless:
/// keys are made from a circuit with arbitrary values, and one that returned early would lack what follows.
///
/// # Panics
/// If there are no pairs, or points of another curve, or a fixed point is not reduced or not in the subgroup.
pub fn assert_product_is_one(
    ctx: &mut GateContext,
    equations: &PairingEquations,
    pairs: &[AssignedArguments],
) -> (Vec<AssignedSubgroupPoint>, Result<(), NotOne>) {
    let curve = equations.curve();
    assert!(pairs.iter().all(|pair| pair.are_of(curve)), "the points are of {curve}");
    let parameters = curve.parameters();
    let is_fixed: Vec<_> = pairs.iter().map(AssignedArguments::is_fixed).collect();
    let plan = Plan::new(parameters, &is_fixed);
    if ctx.chips.counts_only() {
        let witness = Witness::of_zeros(curve, &plan, pairs.len());
        return (assert_claim(ctx, equations, pairs, &plan, &witness), Ok(()));
    }
    let raw: Vec<_> = pairs.iter().map(|pair| pair.raw(parameters)).collect();
    let (witness, is_one) = Witness::regardless(curve, &plan, &raw);
    let points = assert_claim(ctx, equations, pairs, &plan, &witness);
    (points, is_one.then_some(()).ok_or(NotOne))
}

/// Constrains what a witness claims.
pub(super) fn assert_claim(
    ctx: &mut GateContext,
    equations: &PairingEquations,
    pairs: &[AssignedArguments],
    plan: &Plan,
    witness: &Witness,
) -> Vec<AssignedSubgroupPoint> {
    assert!(!pairs.is_empty(), "a product has factors");
    let parameters = equations.curve().parameters();
    let chip = ctx.chips.foreign_of(parameters.p.bits() as usize);
    let arithmetic = Arithmetic { chip, equations };
    let (mut walks, mut points) = (vec![], vec![]);
    for (pair, steps) in pairs.iter().zip(&witness.walks) {
        walks.push(match &pair.second {
            SecondPoint::Fixed(_) => None,
            SecondPoint::Variable(point) => {
                let (walk, point) = point.walk(&arithmetic, steps);
                points.push(point);
                Some(walk)
            }
        });
    }
    let firsts = pairs.iter().map(|pair| pair.first);
    let claim = Claim::new(ctx, &arithmetic, (firsts, &points), witness);
    let rho = claim.rho(ctx, chip);
    let quotient = witness.quotient(rho.value(), plan.quotient_coefficients());
    let quotient = coefficients(ctx, chip, &quotient);
    let z = evaluation_point(ctx, chip, (&rho, &quotient));
    let challenge = Challenge::new(&arithmetic, z);
    let lines = lines(&arithmetic, &challenge, pairs, (&points, &walks));
    assert_identities(&arithmetic, (&challenge, &rho), plan, &claim, &lines, &quotient);
    points
}

fn lines<'a>(
    arithmetic: &Arithmetic,
    challenge: &'a Challenge,
    pairs: &[AssignedArguments],
    (points, walks): (&[AssignedSubgroupPoint], &'a [Option<AssignedWalk>]),
) -> Vec<Lines<'a>> {
    let mut points = points.iter();
    let of =
        |(pair, walk): (&AssignedArguments, &'a Option<AssignedWalk>)| match (&pair.second, walk) {
            (SecondPoint::Fixed(point), _) => {
                Lines::fixed(arithmetic, challenge, pair.first, point)
            }
            (SecondPoint::Variable(_), Some(walk)) => {
                let point = points.next().expect("each walk starts somewhere");
                Lines::variable(arithmetic, challenge, pair.first, (point.coordinates(), walk))
            }
            (SecondPoint::Variable(_), None) => unreachable!("every point that is not fixed walks"),
        };
    pairs.iter().zip(walks).map(of).collect()
}

/// Constrains all identities at once: with the quotient, their sum with powers of `rho` is 0 at the challenge.
fn assert_identities(
    arithmetic: &Arithmetic,
    (challenge, rho): (&Challenge, &AssignedLimbs),
    plan: &Plan,
    claim: &Claim,
    lines: &[Lines],
    quotient: &[AssignedLimbs],
) {
    let sum = sum_identities(arithmetic, (challenge, rho), plan, claim, lines);
    let quotient = evaluate_quotient(arithmetic, challenge, quotient);
    sum.assert_multiple(arithmetic, (challenge, rho), &quotient);
}

/// Values at the challenge.
pub(super) struct Identities {
    /// The sum of all but the last, if there are others.
    pub(super) before: Option<AssignedLimbs>,
    /// Two factors of the product that is 1 by the last.
    pub(super) last: [AssignedLimbs; 2],
}

impl Identities {
    /// Constrains the sum of all to be that multiple of the polynomial of `w`.
    pub(super) fn assert_multiple(
        &self,
        arithmetic: &Arithmetic,
        (challenge, rho): (&Challenge, &AssignedLimbs),
        quotient: &AssignedLimbs,
    ) {
        let zero = BigUint::ZERO;
        let before = self.before.as_ref().map_or(Constant(&zero), Element);
        let [a, b] = self.last.each_ref().map(Element);
        let operands = [before, Element(rho), a, b, Element(&challenge.tower), Element(quotient)];
        arithmetic.chip.relate(&arithmetic.equations.is_one, &operands, &BigUint::ZERO);
    }
}

/// Goes through a plan.
pub(super) fn sum_identities(
    arithmetic: &Arithmetic,
    (challenge, rho): (&Challenge, &AssignedLimbs),
    plan: &Plan,
    claim: &Claim,
    lines: &[Lines],
) -> Identities {
    let (zero, one) = (BigUint::ZERO, BigUint::one());
    let inverse = challenge.evaluate(arithmetic, &claim.inverse);
    let root = claim.root.as_ref().map(|root| challenge.evaluate(arithmetic, root));
    let mut identities: Option<AssignedLimbs> = root.as_ref().map(|root| {
        let none = Constant(&zero);
        arithmetic.products_less([Element(root), Element(&inverse), none, none, Constant(&one)])
    });
    let of = |power: Power| match power {
        Power::Inverse => (&inverse, &claim.inverse),
        Power::Root => {
            (root.as_ref().expect("it is used"), claim.root.as_ref().expect("it is used"))
        }
    };
    let mut written = claim.products.iter();
    // The product is that of these two.
    let mut product = (inverse.clone(), None::<AssignedLimbs>);
    for (op, is_written) in plan.ops.iter().zip(&plan.is_written) {
        let value = match product {
            (only, None) => only,
            (a, Some(b)) if !is_written => arithmetic.product(Element(&a), Element(&b)),
            (a, Some(b)) => {
                let coefficients = written.next().expect("the plan says how many");
                let value = challenge.evaluate(arithmetic, coefficients);
                let before = identities.as_ref().map_or(Constant(&zero), Element);
                let operands = [before, Element(rho), Element(&a), Element(&b), Element(&value)];
                identities = Some(arithmetic.products_less(operands));
                value
            }
        };
        let factor = match op {
            Op::Square => value.clone(),
            Op::Line { pair, step } => lines[*pair].line(arithmetic, *step),
            Op::Factor(power) => of(*power).0.clone(),
            Op::Tail(power, i) => {
                let factors = challenge.frobenius(arithmetic, *i);
                challenge.evaluate_power(arithmetic, of(*power).1, &factors)
            }
            Op::Scale => challenge.evaluate_even(arithmetic, &claim.scale),
        };
        product = (value, Some(factor));
    }
    let (a, b) = product;
    Identities { before: identities, last: [a, b.expect("a program has operations")] }
}

/// The value of a polynomial of any degree, by pieces of twelve coefficients.
pub(super) fn evaluate_quotient(
    arithmetic: &Arithmetic,
    challenge: &Challenge,
    coefficients: &[AssignedLimbs],
) -> AssignedLimbs {
    let pieces = coefficients.chunks(DEGREE).rev();
    let mut pieces = pieces.map(|piece| challenge.evaluate(arithmetic, piece));
    let top = pieces.next().expect("a polynomial has coefficients");
    pieces.fold(top, |above, piece| {
        arithmetic.product_and(Element(&above), challenge.last(), Element(&piece))
    })
}
