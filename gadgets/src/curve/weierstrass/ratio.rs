//! Short multiples: a relation between points, multiplied by a factor that makes its scalars short.

use std::ops::{Mul, Sub};

use num_bigint::{BigInt, BigUint};
use num_traits::{Euclid, One};

use super::{
    digits,
    glv::{has_digits, small_pairs},
    ratio_digits, residue, Endomorphism,
};
use muster_schemes::curve::weierstrass::Curve;

/// `first + second·ω` with `ω² = -1 - ω` (Eisenstein): modulo a prime above the order, `ω` is the
/// factor of the endomorphism. Integers have no `second`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Eisenstein {
    first: BigInt,
    second: BigInt,
}

impl Eisenstein {
    fn new(first: impl Into<BigInt>, second: impl Into<BigInt>) -> Self {
        Self { first: first.into(), second: second.into() }
    }

    fn conjugate(&self) -> Self {
        Self { first: &self.first - &self.second, second: -&self.second }
    }

    fn norm(&self) -> BigInt {
        &self.first * &self.first - &self.first * &self.second + &self.second * &self.second
    }
}

impl Mul for &Eisenstein {
    type Output = Eisenstein;

    fn mul(self, other: Self) -> Eisenstein {
        let high = &self.second * &other.second;
        let mixed = &self.first * &other.second + &self.second * &other.first;
        Eisenstein { first: &self.first * &other.first - &high, second: mixed - high }
    }
}

impl Sub for &Eisenstein {
    type Output = Eisenstein;

    fn sub(self, other: Self) -> Eisenstein {
        Eisenstein { first: &self.first - &other.first, second: &self.second - &other.second }
    }
}

/// `(v, w)` with `w = ratio·v` modulo the order.
type Pair = [Eisenstein; 2];

fn norm(pair: &Pair) -> BigInt {
    pair[0].norm() + pair[1].norm()
}

/// `q` that makes `b - q·a` short: the quotient of their inner product and the norm of `a`, rounded.
fn quotient(b: &Pair, a: &Pair) -> Eisenstein {
    let [v, w] = [0, 1].map(|i| &b[i] * &a[i].conjugate());
    let norm = norm(a);
    let round = |number: BigInt| rounded(number, &norm);
    Eisenstein { first: round(v.first + w.first), second: round(v.second + w.second) }
}

/// The integer next to `number/divisor`, for a positive divisor.
fn rounded(number: BigInt, divisor: &BigInt) -> BigInt {
    let doubled: BigInt = number * 2 + divisor;
    doubled.div_euclid(&(divisor * 2))
}

/// The first vector of a reduced basis (Lagrange and Gauss, over integers or Eisenstein's): its norm
/// is at most twice the square root of the order for Eisenstein's integers.
fn reduce(mut a: Pair, mut b: Pair) -> Pair {
    loop {
        if norm(&b) < norm(&a) {
            std::mem::swap(&mut a, &mut b);
        }
        let q = quotient(&b, &a);
        let next = [0, 1].map(|i| &b[i] - &(&q * &a[i]));
        if norm(&next) >= norm(&b) {
            return a;
        }
        b = next;
    }
}

/// A factor that is not 0 and its product with a scalar, both in odd parts: two if the curve has an
/// endomorphism, otherwise one. Parts `p` stand for `Σ λⁱ·(pᵢ + 1)`.
#[derive(Clone, Debug)]
pub struct ShortRatio {
    curve: Curve,
    /// Parts of the factor.
    pub factor: Vec<BigInt>,
    /// Parts of the product.
    pub product: Vec<BigInt>,
}

impl ShortRatio {
    /// Parts of at most 67 bits if the curve has an endomorphism, otherwise of 131.
    ///
    /// The shortest `(v, w)` with `w = ratio·v` is doubled: there is an odd part `2v - 1` for each
    /// `v`.
    pub fn new(curve: Curve, ratio: &BigUint) -> Self {
        let endomorphism = Endomorphism::of(curve);
        let order = match endomorphism {
            Some(endomorphism) => endomorphism.prime(),
            None => (BigInt::from(curve.n().clone()), BigInt::ZERO),
        };
        let modulus = [Eisenstein::new(0, 0), Eisenstein::new(order.0, order.1)];
        let ratio = [Eisenstein::new(1, 0), Eisenstein::new(ratio.clone(), 0)];
        let parts = |number: Eisenstein| {
            let Eisenstein { first, second } = number;
            let parts = [Some(first), endomorphism.map(|_| second)];
            parts.into_iter().flatten().map(|part| part * 2 - BigInt::one()).collect()
        };
        let [factor, product] = reduce(modulus, ratio).map(parts);
        Self { curve, factor, product }
    }

    /// Others with the same ratio: both numbers are multiplied by a small one other than 0, as long
    /// as the parts have no more digits than a circuit takes.
    pub fn multiples(&self) -> impl Iterator<Item = Self> + use<> {
        let number = |parts: &[BigInt]| {
            let part = |i: usize| parts.get(i).map_or(BigInt::ZERO, |part| (part + 1) >> 1);
            Eisenstein::new(part(0), part(1))
        };
        let (count, has_two) = (self.factor.len(), self.factor.len() > 1);
        let parts = move |number: &Eisenstein| -> Vec<BigInt> {
            let parts = [&number.first, &number.second].into_iter().take(count);
            parts.map(|part| part * 2 - BigInt::one()).collect()
        };
        let numbers = [&self.factor, &self.product].map(|parts| number(parts));
        let by = small_pairs().filter(move |(a, b)| (*a, *b) != (1, 0) && (has_two || *b == 0));
        let curve = self.curve;
        let multiple = move |(a, b): (i64, i64)| {
            let [factor, product] =
                numbers.each_ref().map(|number| parts(&(number * &Eisenstein::new(a, b))));
            Self { curve, factor, product }
        };
        let count = ratio_digits(curve);
        let fits = move |ratio: &Self| {
            ratio.factor.iter().chain(&ratio.product).all(|part| has_digits(part, count))
        };
        by.map(multiple).filter(fits)
    }

    /// The digits of each part of the factor.
    pub fn factor_digits(&self) -> Vec<Vec<i8>> {
        self.digits(&self.factor)
    }

    /// The digits of each part of the product.
    pub fn product_digits(&self) -> Vec<Vec<i8>> {
        self.digits(&self.product)
    }

    fn digits(&self, parts: &[BigInt]) -> Vec<Vec<i8>> {
        parts.iter().map(|part| digits(part, ratio_digits(self.curve))).collect()
    }

    /// The factor.
    pub fn value(&self) -> BigUint {
        let lambda = Endomorphism::of(self.curve).map(|found| BigInt::from(found.lambda.clone()));
        let lambda = lambda.unwrap_or_default();
        let add = |sum: BigInt, part: &BigInt| sum * &lambda + part + 1;
        residue(&self.factor.iter().rev().fold(BigInt::ZERO, add), self.curve.n())
    }
}
