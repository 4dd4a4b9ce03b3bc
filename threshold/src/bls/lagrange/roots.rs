//! Signers at roots of unity: coefficients by transforms.
//!
//! With N the order, S the signers, A all others of the N roots, and Z their vanishing polynomials,
//! Z_S Z_A = x^N − 1. At a root ω the derivative of x^N − 1 is N/ω, so Z_S′(ω) = N / (ω Z_A(ω)), and
//!
//! ```text
//! λ = Z_S(0) / (−ω Z_S′(ω)) = Z_A(ω) / (N Z_A(0)):
//! ```
//!
//! one polynomial over the absentees, evaluated at all roots at once, and a single inversion. When
//! fewer sign than do not, Z_S′ is evaluated instead.

use ff::{BatchInvert, PrimeField};

use super::{
    ntt::{inverse_of, reversed, Ntt},
    Secrets,
};
use crate::missing::absent;

/// Degree up to which factors are multiplied one by one: measured.
const LEAF: usize = 16;

/// The roots of unity of a committee.
#[derive(Clone, Debug)]
pub(super) struct Roots<F> {
    order: usize,
    ntt: Ntt<F>,
}

impl<F: PrimeField> Roots<F> {
    pub(super) fn new(signers: usize) -> Self {
        let order = signers.next_power_of_two();
        Self { order, ntt: Ntt::new(order) }
    }

    /// The root of signer `index`, counted from 1.
    pub(super) fn point(&self, index: u32) -> F {
        self.ntt.root(self.order, index as usize - 1)
    }

    /// Coefficients by the polynomial over the absentees.
    pub(super) fn by_absent(&self, signers: &[u32]) -> Vec<F> {
        // Those above the committee's size never sign.
        let absent = absent(signers, self.order as u32);
        let roots: Vec<F> = absent.iter().map(|&index| self.point(index)).collect();
        let made = product(&self.ntt, &roots);
        let padding = made.padding;
        let values = made.evaluate(&self.ntt, self.order);
        let scale = self.at_zero(&absent, |exponent| self.order - exponent);
        let scale = scale * inverse_of::<F>(self.order);
        let coefficient = |&index: &u32| {
            let value = values[self.place(index)] * scale;
            match padding {
                0 => value,
                // The padding has multiplied every value by a power of its root.
                _ => value * self.power(index, self.order - padding),
            }
        };
        signers.iter().map(coefficient).collect()
    }

    /// Coefficients by the derivative of the polynomial over the signers.
    pub(super) fn by_present(&self, signers: &[u32]) -> Vec<F> {
        let roots: Vec<F> = signers.iter().map(|&index| self.point(index)).collect();
        let made = product(&self.ntt, &roots);
        let (degree, padding) = (made.values.len(), made.padding);
        let mut derivative = made.coefficients(&self.ntt);
        let mut factor = F::ZERO;
        for i in 1..=degree {
            factor += F::ONE;
            let coefficient = if i < degree { derivative[i] } else { F::ONE };
            derivative[i - 1] = factor * coefficient;
        }
        derivative.resize(self.order, F::ZERO);
        self.ntt.spread(&mut derivative, degree);
        derivative.chunks_exact_mut(degree).for_each(|coset| self.ntt.forward(coset));
        // −ω Z_S′(ω), where the padding multiplied the derivative by a power of ω.
        let exponent = self.order + 1 - padding % self.order;
        let value = |&index: &u32| -derivative[self.place(index)] * self.power(index, exponent);
        let mut below: Vec<F> = signers.iter().map(value).collect();
        below.iter_mut().batch_invert();
        let at_zero = self.at_zero(signers, |exponent| exponent);
        below.iter_mut().for_each(|value| *value *= at_zero);
        below
    }

    /// Values of a random polynomial: its coefficients are drawn, then transformed.
    pub(super) fn deal(
        &self,
        signers: usize,
        threshold: usize,
        random: impl FnMut() -> F,
    ) -> Secrets<F> {
        let mut values = Secrets::zeros(self.order);
        values[..threshold].fill_with(random);
        let mut dealt = Secrets::zeros(signers + 1);
        dealt[0] = values[0];
        self.ntt.forward(&mut values);
        for (index, share) in (1..).zip(&mut dealt[1..]) {
            *share = values[self.place(index)];
        }
        dealt
    }

    /// Z(0), the product of all −ω^a, is a sign and a root: that, or with the opposite exponent its inverse.
    fn at_zero(&self, indices: &[u32], turn: impl Fn(usize) -> usize) -> F {
        let exponents = indices.iter().map(|&index| index as usize - 1);
        let exponent = exponents.fold(0, |sum, exponent| (sum + exponent) % self.order);
        let root = self.ntt.root(self.order, turn(exponent));
        if indices.len().is_multiple_of(2) {
            root
        } else {
            -root
        }
    }

    /// Where the values of a signer's root stand in bit-reversed order.
    fn place(&self, index: u32) -> usize {
        reversed(index as usize - 1, self.order.ilog2())
    }

    /// A signer's root to some power.
    fn power(&self, index: u32, exponent: usize) -> F {
        // Both below 2^32: no overflow on 64 bits.
        self.ntt.root(self.order, (index as usize - 1) * exponent)
    }
}

/// A monic polynomial of a degree that is a power of two, as values at the roots of that order in
/// bit-reversed order. It has the factor x^`padding` besides those asked for.
#[derive(Debug)]
struct Product<F> {
    values: Vec<F>,
    padding: usize,
}

/// The product of x − r over `roots`, and of as many x as make the degree a power of two, by a tree over
/// values at roots of unity.
///
/// A node of degree d is monic, so its values at the roots of order d determine it. To multiply
/// two, both get values at the other half of the roots of order 2d: an inverse transform, a twist
/// and a transform, each of length d, where plain products take three of length 2d (Bernstein,
/// "Fast multiplication and its applications", section 16: FFT doubling).
fn product<F: PrimeField>(ntt: &Ntt<F>, roots: &[F]) -> Product<F> {
    let degree = roots.len().max(1).next_power_of_two();
    let mut values = roots.to_vec();
    values.resize(degree, F::ZERO);
    let leaf = LEAF.min(degree);
    values.chunks_exact_mut(leaf).for_each(|block| expand(ntt, block));
    let mut length = leaf;
    let mut scratch = Vec::with_capacity(degree);
    while length < degree {
        double(ntt, &mut values, length, &mut scratch);
        length *= 2;
    }
    Product { values, padding: degree - roots.len() }
}

/// Replaces roots by the values of their polynomial.
fn expand<F: PrimeField>(ntt: &Ntt<F>, block: &mut [F]) {
    let mut coefficients = [F::ZERO; LEAF];
    for (degree, root) in block.iter().enumerate() {
        // Times x − root. The leading coefficient is 1 and not kept.
        if degree > 0 {
            coefficients[degree] = coefficients[degree - 1] - root;
            for i in (1..degree).rev() {
                coefficients[i] = coefficients[i - 1] - *root * coefficients[i];
            }
            coefficients[0] *= -*root;
        } else {
            coefficients[0] = -*root;
        }
    }
    block.copy_from_slice(&coefficients[..block.len()]);
    // At roots of order d, x^d is 1.
    block[0] += F::ONE;
    ntt.forward(block);
}

/// Multiplies neighbours: nodes of degree `degree` become nodes of twice that.
fn double<F: PrimeField>(ntt: &Ntt<F>, values: &mut [F], degree: usize, scratch: &mut Vec<F>) {
    let scale: F = inverse_of(degree);
    let twist: Vec<F> = ntt.powers(degree).iter().map(|power| scale * power).collect();
    for pair in values.chunks_exact_mut(2 * degree) {
        scratch.clear();
        scratch.extend_from_slice(pair);
        let (left, right) = scratch.split_at_mut(degree);
        for node in [&mut *left, &mut *right] {
            ntt.inverse_unscaled(node);
            node.iter_mut().zip(&twist).for_each(|(coefficient, power)| *coefficient *= power);
            ntt.forward(node);
        }
        // At the other roots of order 2d, x^d is −1 and not 1 as the inverse transform took it.
        let two = F::ONE.double();
        let (even, odd) = pair.split_at_mut(degree);
        for ((a, b), (p, q)) in even.iter_mut().zip(odd).zip(left.iter().zip(right.iter())) {
            *a *= *b;
            *b = (*p - two) * (*q - two);
        }
    }
}

impl<F: PrimeField> Product<F> {
    /// Coefficients below the leading one.
    fn coefficients(&self, ntt: &Ntt<F>) -> Vec<F> {
        let mut values = self.values.clone();
        ntt.inverse_unscaled(&mut values);
        let scale: F = inverse_of(values.len());
        values.iter_mut().for_each(|value| *value *= scale);
        values[0] -= F::ONE;
        values
    }

    /// Values at the roots of order `order`, not below the degree, in bit-reversed order.
    fn evaluate(self, ntt: &Ntt<F>, order: usize) -> Vec<F> {
        let degree = self.values.len();
        if order == degree {
            return self.values;
        }
        let coefficients = self.coefficients(ntt);
        let mut values = vec![F::ZERO; order];
        values[..degree].copy_from_slice(&coefficients);
        ntt.spread(&mut values, degree);
        let cosets = order / degree;
        for (i, coset) in values.chunks_exact_mut(degree).enumerate().skip(1) {
            ntt.forward(coset);
            // x^d is the same all over a coset.
            let leading = ntt.root(cosets, reversed(i, cosets.ilog2()));
            coset.iter_mut().for_each(|value| *value += leading);
        }
        values[..degree].copy_from_slice(&self.values);
        values
    }
}
