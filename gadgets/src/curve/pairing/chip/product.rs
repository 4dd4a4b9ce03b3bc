//! Whether a product of pairings is 1.

use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, AssignedValue, Context};
use num_bigint::BigUint;
use num_traits::One;

use super::{
    arithmetic::Arithmetic,
    line::{Challenge, Lines},
    point::{AssignedBasePoint, AssignedSubgroupPoint, AssignedTwistPoint, AssignedWalk},
    PairingEquations, TRANSCRIPT_WIDTH,
};
use crate::{
    curve::pairing::{
        program::uses_root,
        witness::{NotOne, RawPair, Witness},
        Op, Plan, Power, TwistPoint, DEGREE,
    },
    field::foreign::pack::pack,
    gate::{
        foreign::{
            AssignedLimbs,
            Operand::{Constant, Element},
        },
        Chips,
    },
    hash::poseidon::{chip::squeeze, domain},
};

/// Labels of the transcript.
const ABSORB_DOMAIN: &str = "muster.pairing.absorb.v1";
const SQUEEZE_DOMAIN: &str = "muster.pairing.squeeze.v1";
const QUOTIENT_DOMAIN: &str = "muster.pairing.quotient.v1";

/// The second argument of a pairing.
#[derive(Clone, Debug)]
pub enum SecondPoint<'a> {
    /// A point of the subgroup that is the same in every circuit.
    Fixed(TwistPoint),
    /// A point of the twist, which is shown to be in the subgroup.
    Variable(&'a AssignedTwistPoint),
}

/// Both arguments of a pairing. That the first one is in its subgroup is the caller's concern.
#[derive(Clone, Debug)]
pub struct AssignedArguments<'a> {
    /// The point of the curve.
    pub first: &'a AssignedBasePoint,
    /// The point of the twist.
    pub second: SecondPoint<'a>,
}

impl AssignedArguments<'_> {
    fn raw(&self) -> RawPair {
        let (q, is_fixed) = match &self.second {
            SecondPoint::Fixed(point) => (point.clone(), true),
            SecondPoint::Variable(point) => (point.point(), false),
        };
        RawPair { p: self.first.point(), q, is_fixed }
    }
}

/// Everything that the challenges are squeezed from.
struct Claim {
    root: Option<Vec<AssignedLimbs>>,
    inverse: Vec<AssignedLimbs>,
    scale: Vec<AssignedLimbs>,
    products: Vec<Vec<AssignedLimbs>>,
}

impl Claim {
    fn new(chips: &Chips, arithmetic: &Arithmetic, witness: &Witness) -> Self {
        let element = |number: &BigUint| arithmetic.chip.witness(&chips.range, number);
        let elements = |numbers: &[BigUint]| numbers.iter().map(element).collect::<Vec<_>>();
        let uses_root = uses_root(arithmetic.equations.curve().parameters());
        Self {
            root: uses_root.then(|| elements(&witness.root)),
            inverse: elements(&witness.inverse),
            scale: elements(&witness.scale),
            products: witness.products.iter().map(|product| elements(product)).collect(),
        }
    }

    /// In order.
    fn elements(&self) -> impl Iterator<Item = &AssignedLimbs> {
        let factors = self.root.iter().flatten().chain(&self.inverse).chain(&self.scale);
        factors.chain(self.products.iter().flatten())
    }
}

/// Constrains the product of the pairings to be 1, and the second points to be in the subgroup: those that are not fixed,
/// in order.
///
/// # Errors
/// [`NotOne`] if the product is not 1; then no constraints hold.
///
/// # Panics
/// If there are no pairs.
pub fn assert_product_is_one(
    ctx: &mut Context<Fr>,
    chips: &Chips,
    equations: &PairingEquations,
    pairs: &[AssignedArguments],
) -> Result<Vec<AssignedSubgroupPoint>, NotOne> {
    let raw: Vec<_> = pairs.iter().map(AssignedArguments::raw).collect();
    let parameters = equations.curve().parameters();
    let is_fixed: Vec<_> = raw.iter().map(|pair| pair.is_fixed).collect();
    let plan = Plan::new(parameters, &is_fixed);
    let (witness, is_one) = Witness::regardless(equations.curve(), &plan, &raw);
    let points = assert_claim(ctx, chips, equations, pairs, &plan, &witness);
    is_one.then_some(points).ok_or(NotOne)
}

/// Constrains what a witness claims.
pub(super) fn assert_claim(
    ctx: &mut Context<Fr>,
    chips: &Chips,
    equations: &PairingEquations,
    pairs: &[AssignedArguments],
    plan: &Plan,
    witness: &Witness,
) -> Vec<AssignedSubgroupPoint> {
    assert!(!pairs.is_empty(), "a product has factors");
    let parameters = equations.curve().parameters();
    let chip = chips.foreign_of(parameters.p.bits() as usize);
    let arithmetic = Arithmetic { chip, equations };
    let (mut walks, mut points) = (vec![], vec![]);
    for pair in pairs {
        walks.push(match &pair.second {
            SecondPoint::Fixed(_) => None,
            SecondPoint::Variable(point) => {
                let (walk, point) = point.walk(&arithmetic);
                points.push(point);
                Some(walk)
            }
        });
    }
    let claim = Claim::new(chips, &arithmetic, witness);
    let mut absorbed: Vec<_> = pairs.iter().flat_map(|pair| pair.first.coordinates()).collect();
    absorbed.extend(points.iter().flat_map(|point| point.coordinates().iter().flatten()));
    absorbed.extend(claim.elements());
    let squeezed = challenge(ctx, chips, ABSORB_DOMAIN, &[], &absorbed);
    let rho = chip.lowest(ctx, &chips.range, squeezed);
    let quotient = witness.quotient(rho.value(), plan.quotient_coefficients());
    let quotient: Vec<_> =
        quotient.iter().map(|number| chip.witness(&chips.range, number)).collect();
    let absorbed: Vec<_> = quotient.iter().collect();
    let squeezed = challenge(ctx, chips, QUOTIENT_DOMAIN, &[squeezed], &absorbed);
    let z = chip.lowest(ctx, &chips.range, squeezed);
    let challenge = Challenge::new(&arithmetic, z);
    let lines = lines(&arithmetic, &challenge, pairs, (&points, &walks));
    assert_identities(&arithmetic, (&challenge, &rho), plan, &claim, &lines, &quotient);
    points
}

/// A native element that is squeezed from everything given.
#[track_caller]
fn challenge(
    ctx: &mut Context<Fr>,
    chips: &Chips,
    label: &str,
    before: &[AssignedValue<Fr>],
    elements: &[&AssignedLimbs],
) -> AssignedValue<Fr> {
    let mut absorbed = before.to_vec();
    absorbed.extend(pack(ctx, elements));
    let domains = (domain(label), domain(SQUEEZE_DOMAIN));
    squeeze(chips.poseidon(TRANSCRIPT_WIDTH), domains, &absorbed, 1)[0]
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
    let b = b.expect("a program has operations");
    let quotient = evaluate_quotient(arithmetic, challenge, quotient);
    let before = identities.as_ref().map_or(Constant(&zero), Element);
    let tower = Element(&challenge.tower);
    let operands = [before, Element(rho), Element(&a), Element(&b), tower, Element(&quotient)];
    arithmetic.chip.relate(&arithmetic.equations.is_one, &operands, &BigUint::ZERO);
}

/// The value of a polynomial of any degree, by pieces of twelve coefficients.
fn evaluate_quotient(
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
