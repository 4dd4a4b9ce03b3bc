//! The values of polynomials at the challenge `z`, those of lines among them.

use num_bigint::BigUint;
use num_traits::One;

use super::{
    arithmetic::{Arithmetic, AssignedPair},
    group::AssignedGroupPoint,
    point::{AssignedStep, AssignedWalk},
};
use muster_gates::foreign::{
    AssignedLimbs,
    Operand::{self, Constant, Element},
};
use muster_schemes::curve::pairing::{
    extension::Extension,
    parameters::Twist,
    program::DEGREE,
    walk::{walk, Kind, Step},
    Parameters, TwistPoint,
};

/// An element, or 1.
#[derive(Clone, Debug)]
enum Value {
    One(BigUint),
    Element(AssignedLimbs),
}

impl Value {
    fn operand(&self) -> Operand<'_> {
        match self {
            Self::One(one) => Constant(one),
            Self::Element(element) => Element(element),
        }
    }
}

/// The point at which polynomials in `w` are evaluated, and what follows from it alone.
#[derive(Clone, Debug)]
pub(super) struct Challenge {
    /// The powers `z, z², …, z¹²`.
    powers: Vec<AssignedLimbs>,
    /// The value of the polynomial that is 0 at `w`.
    pub(super) tower: AssignedLimbs,
    /// The value of `u`.
    u: AssignedLimbs,
    /// The factor of the twist's coordinates in a line, `w³` or 1; and that times `u`.
    weight: Value,
    u_weight: AssignedLimbs,
}

impl Challenge {
    pub(super) fn new(arithmetic: &Arithmetic, z: AssignedLimbs) -> Self {
        let (equations, parameters) =
            (arithmetic.equations, arithmetic.equations.curve().parameters());
        let mut powers = vec![z];
        while powers.len() < DEGREE {
            let power = arithmetic.product(Element(&powers[powers.len() - 1]), Element(&powers[0]));
            powers.push(power);
        }
        let (third, sixth) = (Element(&powers[2]), Element(&powers[5]));
        let a = i64::try_from(parameters.a).expect("it is small");
        let value = arithmetic.value(&[(1, third, third)], &[], -a);
        let u = arithmetic.chip.relate(&equations.imaginary, &[third, third], &value);
        let [s, t] = parameters.reduction();
        let value = arithmetic.value(&[(1, sixth, sixth)], &[(-s, sixth)], -t);
        let operands = [sixth, sixth, sixth];
        let tower = arithmetic.chip.relate(&equations.tower, &operands, &value);
        let weight = match parameters.twist {
            Twist::Divided => Value::Element(powers[2].clone()),
            Twist::Multiplied => Value::One(BigUint::one()),
        };
        let u_weight = match &weight {
            Value::Element(weight) => arithmetic.product(Element(weight), Element(&u)),
            Value::One(_) => u.clone(),
        };
        Self { powers, tower, u, weight, u_weight }
    }

    /// `z¹²`.
    pub(super) fn last(&self) -> Operand<'_> {
        Element(&self.powers[DEGREE - 1])
    }

    /// The value of an element of `Fp¹²`, or of a polynomial of that degree.
    #[track_caller]
    pub(super) fn evaluate(
        &self,
        arithmetic: &Arithmetic,
        coefficients: &[AssignedLimbs],
    ) -> AssignedLimbs {
        let coefficients: Vec<_> = coefficients.iter().map(Element).collect();
        let powers: Vec<_> = self.powers[..coefficients.len() - 1].iter().map(Element).collect();
        arithmetic.dot(&coefficients, &powers)
    }

    /// The same where the odd coefficients are 0 and not given.
    #[track_caller]
    pub(super) fn evaluate_even(
        &self,
        arithmetic: &Arithmetic,
        coefficients: &[AssignedLimbs],
    ) -> AssignedLimbs {
        let coefficients: Vec<_> = coefficients.iter().map(Element).collect();
        let powers = self.powers.iter().skip(1).step_by(2).take(coefficients.len() - 1);
        arithmetic.dot(&coefficients, &powers.map(Element).collect::<Vec<_>>())
    }

    /// The value of the power by `pⁱ` of an element of `Fp¹²`: the sum of its coefficients with the powers of
    /// `w^(pⁱ) = γ·w`.
    #[track_caller]
    pub(super) fn evaluate_power(
        &self,
        arithmetic: &Arithmetic,
        coefficients: &[AssignedLimbs],
        factors: &[AssignedLimbs],
    ) -> AssignedLimbs {
        let coefficients: Vec<_> = coefficients.iter().map(Element).collect();
        arithmetic.dot(&coefficients, &factors.iter().map(Element).collect::<Vec<_>>())
    }

    /// The values of the powers of `w^(pⁱ)` from 1 to 11.
    pub(super) fn frobenius(&self, arithmetic: &Arithmetic, power: usize) -> Vec<AssignedLimbs> {
        let parameters = arithmetic.equations.curve().parameters();
        let field = Extension(&parameters.p);
        let root = &parameters.roots[power - 1];
        let one = BigUint::one();
        let mut factor = [one.clone(), BigUint::ZERO];
        (1..DEGREE)
            .map(|exponent| {
                factor = field.mul(&factor, root);
                let [low, high] = lifted(parameters, &factor, exponent);
                let (small, large) =
                    (exponent % (DEGREE / 2), exponent % (DEGREE / 2) + DEGREE / 2);
                let small = match small {
                    0 => Constant(&one),
                    small => Element(&self.powers[small - 1]),
                };
                let large = Element(&self.powers[large - 1]);
                arithmetic.products([small, Constant(&low), large, Constant(&high)])
            })
            .collect()
    }
}

/// The coefficients of `(x₀ + x₁·u)·wⁱ` at the power below `w⁶` and at the one above.
fn lifted(parameters: &Parameters, factor: &[BigUint; 2], exponent: usize) -> [BigUint; 2] {
    let [low, high] = parameters.lifted(factor);
    if exponent < DEGREE / 2 {
        return [low, high];
    }
    // w⁶·(low + high·w⁶) = high·t + (low + high·s)·w⁶.
    let p = &parameters.p;
    let [s, t] = parameters.reduction().map(|part| residue(part, p));
    [&high * t % p, (low + high * s) % p]
}

/// A small integer modulo the prime.
fn residue(integer: i64, p: &BigUint) -> BigUint {
    let magnitude = BigUint::from(integer.unsigned_abs());
    if integer < 0 {
        p - magnitude
    } else {
        magnitude
    }
}

/// The first point of a pair as its lines use it.
#[derive(Clone, Debug)]
pub(super) struct Weighted {
    x: AssignedLimbs,
    y: AssignedLimbs,
}

/// What a line through a point of the twist is made of: `y - Y` or `y + Y` for a point or its negative, and `X - x`.
#[derive(Clone, Debug)]
struct Through {
    run: AssignedLimbs,
    /// For the point and for its negative.
    rest: [AssignedLimbs; 2],
}

/// A pair whose lines are evaluated.
#[derive(Clone, Debug)]
pub(super) struct Lines<'a> {
    challenge: &'a Challenge,
    first: Weighted,
    second: Second<'a>,
}

#[derive(Clone, Debug)]
enum Second<'a> {
    Fixed(Vec<Step>),
    Variable(Box<Ways<'a>>),
}

/// What the lines of a point that is not fixed are made of.
#[derive(Clone, Debug)]
struct Ways<'a> {
    walk: &'a AssignedWalk,
    /// Through the point itself.
    own: Through,
    /// Through its images, by the power of `ψ`.
    images: Vec<(usize, Through)>,
}

impl<'a> Lines<'a> {
    /// The lines of the steps from a fixed point.
    pub(super) fn fixed(
        arithmetic: &Arithmetic,
        challenge: &'a Challenge,
        first: &AssignedGroupPoint,
        point: &TwistPoint,
    ) -> Self {
        let first = Weighted::new(arithmetic, challenge, first);
        let steps = walk(arithmetic.equations.curve().parameters(), point);
        Self { challenge, first, second: Second::Fixed(steps) }
    }

    /// The lines of the steps from a point that is not fixed.
    pub(super) fn variable(
        arithmetic: &Arithmetic,
        challenge: &'a Challenge,
        first: &AssignedGroupPoint,
        (point, walk): (&[AssignedPair; 2], &'a AssignedWalk),
    ) -> Self {
        let first = Weighted::new(arithmetic, challenge, first);
        let own = Through::new(arithmetic, challenge, &first, point);
        let images = walk.images.iter();
        let images = images
            .map(|(power, point)| (*power, Through::new(arithmetic, challenge, &first, point)));
        let ways = Ways { walk, own, images: images.collect() };
        Self { challenge, first, second: Second::Variable(Box::new(ways)) }
    }

    /// The line of a step.
    pub(super) fn line(&self, arithmetic: &Arithmetic, step: usize) -> AssignedLimbs {
        match &self.second {
            Second::Fixed(steps) => self.constant_line(arithmetic, &steps[step]),
            Second::Variable(ways) => {
                let Ways { walk, own, images } = &**ways;
                let step = &walk.steps[step];
                let (through, is_negative) = match step.kind {
                    Kind::Double => return self.tangent(arithmetic, step),
                    Kind::Add { is_negative } => (own, is_negative),
                    Kind::AddImage { power, is_negative } => {
                        let image = images.iter().find(|(known, _)| *known == power);
                        (&image.expect("all images are there").1, is_negative)
                    }
                };
                let slope = self.slope(arithmetic, step);
                let rest = &through.rest[usize::from(is_negative)];
                arithmetic.product_and(Element(&slope), Element(&through.run), Element(rest))
            }
        }
    }

    /// The value of a slope.
    #[track_caller]
    fn slope(&self, arithmetic: &Arithmetic, step: &AssignedStep) -> AssignedLimbs {
        let [re, im] = step.slope.each_ref().map(Element);
        arithmetic.product_and(im, Element(&self.challenge.u), re)
    }

    /// `y - Y + λ·(X - x)` for the point that is doubled.
    fn tangent(&self, arithmetic: &Arithmetic, step: &AssignedStep) -> AssignedLimbs {
        let Challenge { weight, u_weight, .. } = self.challenge;
        let (weight, u_weight) = (weight.operand(), Element(u_weight));
        let [[x0, x1], [y0, y1]] = step.from.each_ref().map(|pair| pair.each_ref().map(Element));
        let slope = self.slope(arithmetic, step);
        let run = arithmetic.products_less([x0, weight, x1, u_weight, Element(&self.first.x)]);
        let (slope, y) = (Element(&slope), Element(&self.first.y));
        let products = [(-1, y0, weight), (-1, y1, u_weight), (1, slope, Element(&run))];
        let value = arithmetic.value(&products, &[(1, y)], 0);
        let mut cursor = arithmetic.chip.below(&[&run]);
        let operands = [y0, weight, y1, u_weight, slope, y];
        cursor.relate(&arithmetic.equations.line, &operands, &value)
    }

    /// `y + C - λ·x` for constants `λ` and `C = λ·X - Y`.
    fn constant_line(&self, arithmetic: &Arithmetic, step: &Step) -> AssignedLimbs {
        let field = Extension(&arithmetic.equations.curve().parameters().p);
        let [re, im] = step.slope.each_ref().map(Constant);
        let slope = arithmetic.product_and(im, Element(&self.challenge.u), re);
        let rest = field.sub(&field.mul(&step.slope, &step.from[0]), &step.from[1]);
        let [rest_re, rest_im] = rest.each_ref().map(Constant);
        let (weight, u_weight) =
            (self.challenge.weight.operand(), Element(&self.challenge.u_weight));
        let (x, y) = (Element(&self.first.x), Element(&self.first.y));
        let products = [(1, rest_re, weight), (1, rest_im, u_weight), (-1, x, Element(&slope))];
        let value = arithmetic.value(&products, &[(1, y)], 0);
        let mut cursor = arithmetic.chip.below(&[&slope]);
        let operands = [rest_re, weight, rest_im, u_weight, x, y];
        cursor.relate(&arithmetic.equations.fixed_line, &operands, &value)
    }
}

impl Weighted {
    /// `w·x` and `y`, or `w²·x` and `w³·y`.
    fn new(arithmetic: &Arithmetic, challenge: &Challenge, point: &AssignedGroupPoint) -> Self {
        let [x, y] = point.coordinates();
        let weighted = |coordinate, power: usize| {
            arithmetic.product(Element(coordinate), Element(&challenge.powers[power - 1]))
        };
        match arithmetic.equations.curve().parameters().twist {
            Twist::Divided => Self { x: weighted(x, 1), y: y.clone() },
            Twist::Multiplied => Self { x: weighted(x, 2), y: weighted(y, 3) },
        }
    }
}

impl Through {
    fn new(
        arithmetic: &Arithmetic,
        challenge: &Challenge,
        first: &Weighted,
        point: &[AssignedPair; 2],
    ) -> Self {
        let [[x0, x1], [y0, y1]] = point.each_ref().map(|pair| pair.each_ref().map(Element));
        let (weight, u_weight) = (challenge.weight.operand(), Element(&challenge.u_weight));
        let (x, y) = (Element(&first.x), Element(&first.y));
        let run = arithmetic.products_less([x0, weight, x1, u_weight, x]);
        let operands = [y0, weight, y1, u_weight, y];
        let equations = arithmetic.equations;
        let rest = [
            arithmetic.mixed(&equations.less_products, (-1, 1), operands),
            arithmetic.mixed(&equations.products_and, (1, 1), operands),
        ];
        Self { run, rest }
    }
}
