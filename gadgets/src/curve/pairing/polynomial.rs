//! Polynomials in `w` over a prime field, and `Fp¹²` as those below degree 12.

use ff::PrimeField;
use num_bigint::BigUint;

use super::{parameters::Parameters, program::DEGREE};

/// Coefficients, that of 1 first.
pub(super) type Polynomial<F> = Vec<F>;

/// An element of the field by its number.
///
/// # Panics
/// If the number is not reduced.
pub(super) fn element<F: PrimeField>(number: &BigUint) -> F {
    let mut repr = F::Repr::default();
    let bytes = number.to_bytes_le();
    repr.as_mut()[..bytes.len()].copy_from_slice(&bytes);
    Option::from(F::from_repr(repr)).expect("the number is reduced")
}

/// The number of an element.
pub(super) fn number<F: PrimeField>(element: &F) -> BigUint {
    BigUint::from_bytes_le(element.to_repr().as_ref())
}

/// A small integer, or its negative.
pub(super) fn small<F: PrimeField>(integer: i64) -> F {
    let magnitude = F::from(integer.unsigned_abs());
    if integer < 0 {
        -magnitude
    } else {
        magnitude
    }
}

/// The product, not reduced.
pub(super) fn multiply<F: PrimeField>(a: &[F], b: &[F]) -> Polynomial<F> {
    let mut product = vec![F::ZERO; a.len() + b.len() - 1];
    for (i, a) in a.iter().enumerate() {
        for (j, b) in b.iter().enumerate() {
            product[i + j] += *a * b;
        }
    }
    product
}

/// `a·factor + b`.
pub(super) fn combine<F: PrimeField>(a: &[F], factor: F, b: &[F]) -> Polynomial<F> {
    let mut sum = vec![F::ZERO; a.len().max(b.len())];
    sum.iter_mut().zip(a).for_each(|(sum, a)| *sum += *a * factor);
    sum.iter_mut().zip(b).for_each(|(sum, b)| *sum += *b);
    sum
}

/// `Fp¹²`.
#[derive(Clone, Debug)]
pub(super) struct Tower<F> {
    /// `w¹² = s·w⁶ + t`.
    reduction: [F; 2],
}

impl<F: PrimeField> Tower<F> {
    pub(super) fn new(parameters: &Parameters) -> Self {
        Self { reduction: parameters.reduction().map(small) }
    }

    /// The quotient by `w¹² - s·w⁶ - t`, and the rest.
    pub(super) fn divide(&self, mut polynomial: Polynomial<F>) -> (Polynomial<F>, Polynomial<F>) {
        polynomial.resize(polynomial.len().max(DEGREE), F::ZERO);
        let [s, t] = self.reduction;
        for i in (DEGREE..polynomial.len()).rev() {
            let top = polynomial[i];
            polynomial[i - DEGREE / 2] += s * top;
            polynomial[i - DEGREE] += t * top;
        }
        let quotient = polynomial.split_off(DEGREE);
        (quotient, polynomial)
    }

    /// The product of two elements.
    pub(super) fn mul(&self, a: &[F], b: &[F]) -> Polynomial<F> {
        self.divide(multiply(a, b)).1
    }

    /// A power, by four bits of the exponent at a time.
    pub(super) fn pow(&self, a: &[F], exponent: &BigUint) -> Polynomial<F> {
        let mut multiples = vec![one(), a.to_vec()];
        for i in 2..16 {
            multiples.push(self.mul(&multiples[i - 1], a));
        }
        let mut power = one();
        for digit in exponent.to_radix_be(16) {
            for _ in 0..4 {
                power = self.mul(&power, &power);
            }
            power = self.mul(&power, &multiples[usize::from(digit)]);
        }
        power
    }
}

/// 1 in `Fp¹²`.
pub(super) fn one<F: PrimeField>() -> Polynomial<F> {
    let mut one = vec![F::ZERO; DEGREE];
    one[0] = F::ONE;
    one
}
