//! What a prover knows of a product of pairings that is 1.
//!
//! `f`, the product of all lines with the squarings of the loop, is 1 after the final exponentiation if it is an `r`-th
//! power. Then `f·s = c^λ` for a scaling factor `s` and a root `c`, since `λ` is a multiple of `r` (ePrint 2024/640, section
//! 4.3).

use ff::PrimeField;
use halo2curves::{bls12_381, bn256};
use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::One;

use super::{
    extension::Pair,
    parameters::{PairingCurve, Parameters, Power, Twist},
    polynomial::{combine, element, multiply, number, one, Polynomial, Tower},
    program::{Op, Plan, DEGREE},
    walk::{addend, closes, walk, walk_of_zeros, BasePoint, Step, TwistPoint},
};

/// Both arguments of a pairing, with reduced coordinates. Evidence of nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawPair {
    /// The point of the curve.
    pub p: BasePoint,
    /// The point of the twist.
    pub q: TwistPoint,
    /// Whether the point of the twist is the same in every circuit.
    pub is_fixed: bool,
}

/// The product of the pairings is not 1, or a point of the twist is not in the subgroup.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the product of the pairings is not 1")]
pub struct NotOne;

/// What a prover knows. Numbers are reduced.
#[derive(Clone, Debug)]
pub struct Witness {
    /// The steps of each pair.
    pub walks: Vec<Vec<Step>>,
    /// The root `c`.
    pub root: Vec<BigUint>,
    /// Its inverse `g`.
    pub inverse: Vec<BigUint>,
    /// The even coefficients of the scaling factor `s`; the others are 0.
    pub scale: Vec<BigUint>,
    /// The product, wherever it is written down.
    pub products: Vec<Vec<BigUint>>,
    /// The polynomials that are multiples of the polynomial of `w`. One quotient is taken for all of
    /// them.
    pub identities: Vec<Vec<BigUint>>,
    curve: PairingCurve,
    /// Whether the product is 1.
    pub is_one: bool,
}

impl Witness {
    /// The witness for any product, and whether the product is 1 and all points of the twist are in the subgroup. If
    /// not, no circuit accepts it.
    ///
    /// # Panics
    /// If a coordinate is not reduced.
    pub fn regardless(curve: PairingCurve, plan: &Plan, pairs: &[RawPair]) -> (Self, bool) {
        match curve {
            PairingCurve::Bn254 => Maker::<bn256::Fq>::new(curve, plan, pairs).make(),
            PairingCurve::Bls12381 => Maker::<bls12_381::Fq>::new(curve, plan, pairs).make(),
        }
    }

    /// Zeros, as many as any witness for so many pairs has numbers: for a circuit that is only counted.
    pub fn of_zeros(curve: PairingCurve, plan: &Plan, pairs: usize) -> Self {
        let zeros = || vec![BigUint::ZERO; DEGREE];
        let written = plan.is_written.iter().filter(|is_written| **is_written);
        Self {
            walks: vec![walk_of_zeros(curve.parameters()); pairs],
            root: zeros(),
            inverse: zeros(),
            scale: vec![BigUint::ZERO; DEGREE / 2],
            products: written.map(|_| zeros()).collect(),
            identities: vec![],
            curve,
            is_one: false,
        }
    }

    /// The quotient of `Σ ρⁱ·identityᵢ` by the polynomial of `w`, the last identity with the factor 1.
    pub fn quotient(&self, rho: &BigUint, coefficients: usize) -> Vec<BigUint> {
        match self.curve {
            PairingCurve::Bn254 => self.quotient_in::<bn256::Fq>(rho, coefficients),
            PairingCurve::Bls12381 => self.quotient_in::<bls12_381::Fq>(rho, coefficients),
        }
    }

    fn quotient_in<F: PrimeField>(&self, rho: &BigUint, coefficients: usize) -> Vec<BigUint> {
        let parameters = self.curve.parameters();
        let rho = element::<F>(&(rho % &parameters.p));
        let sum = self.identities.iter().fold(vec![], |sum, identity| {
            let identity: Vec<F> = identity.iter().map(element).collect();
            combine(&sum, rho, &identity)
        });
        let (mut quotient, rest) = Tower::new(parameters).divide(sum);
        debug_assert!(
            !self.is_one || rest.iter().all(|part| bool::from(part.is_zero())),
            "identities hold"
        );
        quotient.resize(coefficients, F::ZERO);
        quotient.iter().map(number).collect()
    }
}

/// The exponents that make root and scaling factor: powers of `f`, whose order divides `h = (p¹² - 1)/r`.
struct Exponents {
    /// Of `s`: it removes the part of `f` whose order has factors in common with `λ/r`.
    scale: BigUint,
    /// Of `c`, and of `1/c`.
    root: BigUint,
    inverse: BigUint,
}

impl Exponents {
    fn new(parameters: &Parameters, h: &BigUint) -> Self {
        // The largest divisor of h whose primes are all in λ.
        let (mut common, mut rest) = (BigUint::one(), h.clone());
        loop {
            let shared = rest.gcd(&parameters.lambda);
            if shared.is_one() {
                break;
            }
            rest /= &shared;
            common *= shared;
        }
        // 0 modulo the rest and -1 modulo the common part, so that f·s has an order that divides the rest.
        let scale = &rest * (&common - rest.modinv(&common).expect("coprime")) % h;
        let inverse_of_lambda = parameters.lambda.modinv(&rest).expect("coprime");
        let kept = &scale + 1u8;
        let root = &kept * &inverse_of_lambda % h;
        let inverse = &kept * (&rest - &inverse_of_lambda) % h;
        Self { scale, root, inverse }
    }
}

/// A curve's arithmetic, to make a witness.
pub struct Maker<'a, F> {
    curve: PairingCurve,
    plan: &'a Plan,
    pairs: &'a [RawPair],
    walks: Vec<Vec<Step>>,
    tower: Tower<F>,
}

impl<'a, F: PrimeField> Maker<'a, F> {
    /// The walks of all pairs, and the arithmetic for their product.
    pub fn new(curve: PairingCurve, plan: &'a Plan, pairs: &'a [RawPair]) -> Self {
        let parameters = curve.parameters();
        let walks = pairs.iter().map(|pair| walk(parameters, &pair.q)).collect();
        Self { curve, plan, pairs, walks, tower: Tower::new(parameters) }
    }

    fn make(self) -> (Witness, bool) {
        let parameters = self.curve.parameters();
        let lines = self.lines();
        let f = self.loop_product(&lines);
        let h = (parameters.p.pow(DEGREE as u32) - 1u8) / &parameters.r;
        let exponents = Exponents::new(parameters, &h);
        let Exponents { scale, root, inverse } = &exponents;
        let [last, scale, root, inverse] = self.tower.powers(&f, [&h, scale, root, inverse]);
        let is_one = last == one() && self.is_in_subgroup();
        let (products, identities) = self.identities(&lines, [&root, &inverse, &scale]);
        let numbers = |polynomial: &Polynomial<F>| polynomial.iter().map(number).collect();
        let witness = Witness {
            walks: self.walks,
            root: numbers(&root),
            inverse: numbers(&inverse),
            scale: scale.iter().step_by(2).map(number).collect(),
            products: products.iter().map(numbers).collect(),
            identities: identities.iter().map(numbers).collect(),
            curve: self.curve,
            is_one,
        };
        (witness, is_one)
    }

    /// Whether all points of the twist are in the subgroup.
    fn is_in_subgroup(&self) -> bool {
        let mut pairs = self.pairs.iter().zip(&self.walks);
        pairs.all(|(pair, walk)| closes(self.curve.parameters(), &pair.q, walk))
    }

    /// The lines of all pairs as polynomials, not reduced.
    pub fn lines(&self) -> Vec<Vec<Polynomial<F>>> {
        let lines = self.pairs.iter().zip(&self.walks);
        lines.map(|(pair, walk)| walk.iter().map(|step| self.line(pair, step)).collect()).collect()
    }

    /// `x₀ + x₁·u` as a polynomial.
    fn lifted(&self, pair: &Pair) -> Polynomial<F> {
        let mut lifted = vec![F::ZERO; 7];
        [lifted[0], lifted[6]] = self.curve.parameters().lifted(pair).each_ref().map(element);
        lifted
    }

    /// `y - λ·w·x + (λ·x' - y')·w³`, or the same divided by `w³`, for the point `(x', y')` of the twist and `(x, y)` of
    /// the curve.
    fn line(&self, pair: &RawPair, step: &Step) -> Polynomial<F> {
        let [x, y] = pair.p.each_ref().map(element::<F>);
        // A line goes through both points, but as polynomials its two forms differ.
        let addend = addend(self.curve.parameters(), &pair.q, step.kind);
        let through = addend.as_ref().unwrap_or(&step.from);
        let [slope, from_x, from_y] =
            [&step.slope, &through[0], &through[1]].map(|pair| self.lifted(pair));
        let (rest, [for_x, for_y]) = match self.curve.parameters().twist {
            Twist::Divided => (3, [1, 0]),
            Twist::Multiplied => (0, [2, 3]),
        };
        let monomial = |coefficient: F, degree: usize| {
            let mut monomial = vec![F::ZERO; degree + 1];
            monomial[degree] = coefficient;
            monomial
        };
        let shift = monomial(F::ONE, rest);
        let from_x = multiply(&from_x, &shift);
        let from_y = multiply(&from_y, &shift);
        let run = combine(&monomial(x, for_x), -F::ONE, &from_x);
        let line = combine(&from_y, -F::ONE, &multiply(&slope, &run));
        let line = combine(&monomial(y, for_y), F::ONE, &line);
        if pair.is_fixed {
            // The circuit has the coefficients of the reduced product.
            return self.tower.divide(line).1;
        }
        line
    }

    /// The product of all lines, with the squarings of the loop.
    pub fn loop_product(&self, lines: &[Vec<Polynomial<F>>]) -> Polynomial<F> {
        let mut product = one();
        for op in &self.plan.ops {
            match op {
                Op::Square => product = self.tower.mul(&product, &product),
                Op::Line { pair, step } => {
                    product = self.tower.mul(&product, &lines[*pair][*step]);
                }
                Op::Factor(_) | Op::Tail(..) | Op::Scale => {}
            }
        }
        product
    }

    /// The product wherever it is written down, and the identities.
    pub fn identities(
        &self,
        lines: &[Vec<Polynomial<F>>],
        [root, inverse, scale]: [&Polynomial<F>; 3],
    ) -> (Vec<Polynomial<F>>, Vec<Polynomial<F>>) {
        let parameters = self.curve.parameters();
        let of = |power: Power| match power {
            Power::Root => root,
            Power::Inverse => inverse,
        };
        let (mut products, mut identities) = (vec![], vec![]);
        if super::program::uses_root(parameters) {
            identities.push(combine(&one(), -F::ONE, &multiply(root, inverse)));
        }
        let mut product = inverse.clone();
        for (op, is_written) in self.plan.ops.iter().zip(&self.plan.is_written) {
            if *is_written {
                let (_, rest) = self.tower.divide(product.clone());
                identities.push(combine(&rest, -F::ONE, &product));
                product.clone_from(&rest);
                products.push(rest);
            }
            product = match op {
                Op::Square => multiply(&product, &product),
                Op::Line { pair, step } => multiply(&product, &lines[*pair][*step]),
                Op::Factor(power) => multiply(&product, of(*power)),
                Op::Tail(power, i) => multiply(&product, &self.frobenius(of(*power), *i)),
                Op::Scale => multiply(&product, scale),
            };
        }
        identities.push(combine(&one(), -F::ONE, &product));
        (products, identities)
    }

    /// The power by `pⁱ`.
    pub(super) fn frobenius(&self, a: &Polynomial<F>, power: usize) -> Polynomial<F> {
        (0..power).fold(a.clone(), |image, _| self.tower.image(&image))
    }
}
