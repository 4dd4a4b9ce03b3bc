//! The product of many x − r by a tree over values at roots of unity.
//!
//! A node of degree d is monic, so its values at the roots of order d determine it. To multiply
//! two, both get values at the other half of the roots of order 2d: an inverse transform, a twist
//! and a transform, each of length d, where plain products take three of length 2d (Bernstein,
//! "Fast multiplication and its applications", section 16: FFT doubling).

use ff::PrimeField;

use super::ntt::{inverse_of, reversed, Ntt};

/// Degree up to which factors are multiplied one by one: measured.
const LEAF: usize = 16;

/// A monic polynomial of a degree that is a power of two, as values at the roots of that order in
/// bit-reversed order. It has the factor x^`padding` besides those asked for.
#[derive(Debug)]
pub(super) struct Product<F> {
    pub(super) values: Vec<F>,
    pub(super) padding: usize,
}

/// The product of x − r over `roots`, and of as many x as make the degree a power of two.
pub(super) fn product<F: PrimeField>(ntt: &Ntt<F>, roots: &[F]) -> Product<F> {
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
    pub(super) fn coefficients(&self, ntt: &Ntt<F>) -> Vec<F> {
        let mut values = self.values.clone();
        ntt.inverse_unscaled(&mut values);
        let scale: F = inverse_of(values.len());
        values.iter_mut().for_each(|value| *value *= scale);
        values[0] -= F::ONE;
        values
    }

    /// Values at the roots of order `order`, not below the degree, in bit-reversed order.
    pub(super) fn evaluate(self, ntt: &Ntt<F>, order: usize) -> Vec<F> {
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
