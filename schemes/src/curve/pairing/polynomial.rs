//! Polynomials in `w` over a prime field, and `Fp¹²` as those below degree 12.

use ff::PrimeField;
use num_bigint::BigUint;
use num_integer::Integer;

use super::{parameters::Parameters, program::DEGREE};
use crate::field::small;
pub use crate::field::{element, number};

/// Bits of an exponent that are processed at once.
const WINDOW: usize = 4;

/// Coefficients, that of 1 first.
pub type Polynomial<F> = Vec<F>;

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
pub struct Tower<F> {
    /// `w¹² = s·w⁶ + t`.
    reduction: [F; 2],
    p: BigUint,
    /// The powers of `w^p`. It is `γ·w` with `γ` of `Fp²`.
    images_of_w: Vec<Polynomial<F>>,
}

impl<F: PrimeField> Tower<F> {
    /// The field over which the pairing of a curve takes its values.
    pub fn new(parameters: &Parameters) -> Self {
        let mut image_of_w = vec![F::ZERO; 8];
        [image_of_w[1], image_of_w[7]] =
            parameters.lifted(&parameters.roots[0]).each_ref().map(element);
        let reduction = parameters.reduction().map(small);
        let mut tower = Self { reduction, p: parameters.p.clone(), images_of_w: vec![one()] };
        for i in 1..DEGREE {
            tower.images_of_w.push(tower.mul(&tower.images_of_w[i - 1], &image_of_w));
        }
        tower
    }

    /// The quotient by `w¹² - s·w⁶ - t`, and the rest.
    pub fn divide(&self, mut polynomial: Polynomial<F>) -> (Polynomial<F>, Polynomial<F>) {
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

    fn square(&self, a: &[F]) -> Polynomial<F> {
        let mut square = vec![F::ZERO; 2 * a.len() - 1];
        for (i, first) in a.iter().enumerate() {
            for (j, second) in a[..i].iter().enumerate() {
                square[i + j] += *first * second;
            }
        }
        square.iter_mut().for_each(|sum| *sum = sum.double());
        for (i, part) in a.iter().enumerate() {
            square[2 * i] += part.square();
        }
        self.divide(square).1
    }

    /// The product of two elements.
    pub fn mul(&self, a: &[F], b: &[F]) -> Polynomial<F> {
        self.divide(multiply(a, b)).1
    }

    /// Powers of one element.
    ///
    /// In base `p` an exponent has twelve digits, and powers by those of `p` are [images](Self::image) of the element,
    /// which cost next to nothing. So the powers by the twelve digits share their squarings, as many as `p` has bits.
    pub(super) fn powers<const N: usize>(
        &self,
        a: &[F],
        exponents: [&BigUint; N],
    ) -> [Polynomial<F>; N] {
        let mut multiples = vec![one(), a.to_vec()];
        for i in 2..1 << WINDOW {
            multiples.push(self.mul(&multiples[i - 1], a));
        }
        let mut tables = vec![multiples];
        for _ in 1..DEGREE {
            let last: &Vec<_> = &tables[tables.len() - 1];
            let next = last.iter().map(|multiple| self.image(multiple)).collect();
            tables.push(next);
        }
        exponents.map(|exponent| self.power(&tables, exponent))
    }

    /// One power of an element.
    pub fn pow(&self, a: &[F], exponent: &BigUint) -> Polynomial<F> {
        let [power] = self.powers(a, [exponent]);
        power
    }

    /// A power by four bits of each digit at a time, from the powers of the element below the 16th and their
    /// images.
    fn power(&self, tables: &[Vec<Polynomial<F>>], exponent: &BigUint) -> Polynomial<F> {
        let (mut digits, mut rest) = (vec![], exponent.clone());
        while digits.len() + 1 < tables.len() {
            let (quotient, digit) = rest.div_rem(&self.p);
            digits.push(digit.to_radix_le(1 << WINDOW));
            rest = quotient;
        }
        // The highest digit has whatever is left, however long it is.
        digits.push(rest.to_radix_le(1 << WINDOW));
        let windows = digits.iter().map(Vec::len).max().unwrap_or_default();
        let mut power = one();
        for window in (0..windows).rev() {
            for _ in 0..WINDOW {
                power = self.square(&power);
            }
            for (digits, table) in digits.iter().zip(tables) {
                match digits.get(window) {
                    None | Some(0) => {}
                    Some(digit) => power = self.mul(&power, &table[usize::from(*digit)]),
                }
            }
        }
        power
    }

    /// The power by `p`: coefficients stay, and `w` becomes `w^p`.
    pub(super) fn image(&self, a: &[F]) -> Polynomial<F> {
        let mut image = vec![F::ZERO; DEGREE];
        for (coefficient, power_of_w) in a.iter().zip(&self.images_of_w) {
            for (sum, part) in image.iter_mut().zip(power_of_w) {
                // A power of `w^p` has two coefficients that are not 0.
                if !bool::from(part.is_zero()) {
                    *sum += *coefficient * part;
                }
            }
        }
        image
    }
}

/// 1 in `Fp¹²`.
pub fn one<F: PrimeField>() -> Polynomial<F> {
    let mut one = vec![F::ZERO; DEGREE];
    one[0] = F::ONE;
    one
}
