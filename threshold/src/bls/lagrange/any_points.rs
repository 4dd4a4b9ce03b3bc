//! Coefficients at any points: in a number of steps quadratic in theirs, and by a subproduct tree
//! with multipoint evaluation.
//!
//! λ_i = Z(0) / (−x_i Z′(x_i)) for the vanishing polynomial Z of the points. The tree holds Π (1 −
//! x_i X), the polynomials in reverse; Z′ is evaluated at all points by the transposed algorithm:
//! one inverse power series at the root, then one middle product per node, and no division
//! (Bernstein, "Scaled remainder trees"; Bostan, Lecerf, Schost, "Tellegen's principle into
//! practice").

use ff::{BatchInvert, PrimeField};

use super::ntt::{inverse_of, Ntt};

/// Length up to which products are made term by term: measured.
const SHORT: usize = 32;

/// λ_i = Π_{j≠i} x_j / (x_j − x_i), each computed by itself, with its own inversion: the baseline.
pub(super) fn naive<F: PrimeField>(points: &[F]) -> Vec<F> {
    let coefficient = |(i, own): (usize, &F)| {
        let (mut above, mut below) = (F::ONE, F::ONE);
        for (j, other) in points.iter().enumerate() {
            if i != j {
                above *= other;
                below *= *other - own;
            }
        }
        // Points are distinct, so no factor is zero.
        above * below.invert().unwrap_or(F::ZERO)
    };
    points.iter().enumerate().map(coefficient).collect()
}

/// The same, with the product of all points computed once and a single inversion.
pub(super) fn quadratic<F: PrimeField>(points: &[F]) -> Vec<F> {
    let all: F = points.iter().fold(F::ONE, |product, point| product * point);
    let mut below: Vec<F> = Vec::with_capacity(points.len());
    for (i, own) in points.iter().enumerate() {
        // Two chains, so that a multiplication need not wait for the one before.
        let (before, after) = (&points[..i], &points[i + 1..]);
        let product = |points: &[F]| {
            let (mut even, mut odd) = (F::ONE, F::ONE);
            for pair in points.chunks(2) {
                even *= pair[0] - own;
                if let Some(other) = pair.get(1) {
                    odd *= *other - own;
                }
            }
            even * odd
        };
        below.push(*own * product(before) * product(after));
    }
    below.iter_mut().batch_invert();
    below.iter_mut().for_each(|value| *value *= all);
    below
}

/// The coefficients by a subproduct tree; points are neither zero nor equal.
pub(super) fn subproduct<F: PrimeField>(points: &[F]) -> Vec<F> {
    let count = points.len();
    let length = count.next_power_of_two();
    let ntt = Ntt::new(2 * length);
    let tree = Tree::new(&ntt, points, length);
    // Z reversed is the root of the tree: its coefficient of X^k is Z's of x^(count−k).
    let root = tree.levels.last().map_or(&[][..], |level| &level[..]);
    let coefficient = |power: usize| match count - power {
        0 => F::ONE,
        place => root[place - 1],
    };
    let mut factor = F::ZERO;
    let mut derivative: Vec<F> = Vec::with_capacity(length);
    for power in 1..=count {
        factor += F::ONE;
        derivative.push(factor * coefficient(power));
    }
    derivative.resize(length, F::ZERO);
    let values = tree.evaluate(&ntt, &derivative);
    let at_zero = coefficient(0);
    let mut below: Vec<F> = points.iter().zip(&values).map(|(x, value)| -*x * value).collect();
    below.iter_mut().batch_invert();
    below.iter_mut().for_each(|value| *value *= at_zero);
    below
}

/// Products of 1 − x X, from single points up to all of them; points that are missing are zeros.
struct Tree<F> {
    /// A level with d points per node: the coefficients of X, …, X^d, node after node. The constant
    /// ones are 1.
    levels: Vec<Vec<F>>,
}

impl<F: PrimeField> Tree<F> {
    fn new(ntt: &Ntt<F>, points: &[F], length: usize) -> Self {
        let mut level: Vec<F> = points.iter().map(|point| -*point).collect();
        level.resize(length, F::ZERO);
        let mut levels = vec![level];
        let mut degree = 1;
        while degree < length {
            let below = &levels[levels.len() - 1];
            let mut level = vec![F::ZERO; length];
            for (pair, node) in below.chunks(2 * degree).zip(level.chunks_mut(2 * degree)) {
                // (1 + X a)(1 + X b) = 1 + X (a + b + X a b)
                let (a, b) = pair.split_at(degree);
                let product = multiply(ntt, a, b);
                node[1..].copy_from_slice(&product[..2 * degree - 1]);
                for i in 0..degree {
                    node[i] += a[i] + b[i];
                }
            }
            levels.push(level);
            degree *= 2;
        }
        Self { levels }
    }

    /// Values of a polynomial with as many coefficients as the tree has leaves.
    fn evaluate(&self, ntt: &Ntt<F>, polynomial: &[F]) -> Vec<F> {
        let length = polynomial.len();
        let root = &self.levels[self.levels.len() - 1];
        let series = inverse_series(ntt, root, length);
        // Σ_i f_(i+j) s_i for each j: the product with the series in reverse, from the middle on.
        let reversed: Vec<F> = series.iter().rev().copied().collect();
        let product = multiply(ntt, &reversed, polynomial);
        let mut values: Vec<F> = product[length - 1..2 * length - 1].to_vec();
        let mut degree = length / 2;
        for level in self.levels.iter().rev().skip(1) {
            for (node, pair) in values.chunks_mut(2 * degree).zip(level.chunks(2 * degree)) {
                let (a, b) = pair.split_at(degree);
                let left = middle(ntt, b, node);
                let right = middle(ntt, a, node);
                node[..degree].copy_from_slice(&left);
                node[degree..].copy_from_slice(&right);
            }
            degree /= 2;
        }
        values
    }
}

/// t_j + Σ_{i=1..d} q_i t_(i+j) for j < d: the transposed product with 1 + X q.
fn middle<F: PrimeField>(ntt: &Ntt<F>, factor: &[F], values: &[F]) -> Vec<F> {
    let degree = factor.len();
    if degree <= SHORT {
        let term = |j: usize| {
            let products = factor.iter().zip(&values[j + 1..]).map(|(q, t)| *q * t);
            products.fold(values[j], |sum, product| sum + product)
        };
        return (0..degree).map(term).collect();
    }
    let size = 2 * degree;
    // Reversed, the factor's terms meet those of the values at d + j. What wraps stays below d.
    let mut reversed = vec![F::ZERO; size];
    reversed[1..degree].copy_from_slice(&factor[..degree - 1]);
    reversed[1..degree].reverse();
    reversed[0] = factor[degree - 1];
    let mut values_at = values.to_vec();
    ntt.forward(&mut reversed);
    ntt.forward(&mut values_at);
    values_at.iter_mut().zip(&reversed).for_each(|(value, factor)| *value *= factor);
    ntt.inverse_unscaled(&mut values_at);
    let scale: F = inverse_of(size);
    // The sum for j stands at d + j: reversed[d − i] q_i … times t_(i+j).
    (0..degree).map(|j| values[j] + scale * values_at[(degree + j) % size]).collect()
}

/// 1 / (1 + X q) up to X^(length − 1), by Newton's iteration.
fn inverse_series<F: PrimeField>(ntt: &Ntt<F>, tail: &[F], length: usize) -> Vec<F> {
    let mut series = vec![F::ONE];
    while series.len() < length {
        let known = series.len();
        let wanted = (2 * known).min(length);
        let mut polynomial = vec![F::ONE];
        polynomial.extend_from_slice(&tail[..(wanted - 1).min(tail.len())]);
        polynomial.resize(wanted, F::ZERO);
        // s ← s − s (s q − 1), of which only the upper half is new.
        let product = multiply(ntt, &polynomial, &series);
        let error = &product[known..wanted];
        let correction = multiply(ntt, error, &series);
        series.extend(correction[..wanted - known].iter().map(|term| -*term));
    }
    series
}

/// The product, with as many coefficients as both factors have together.
fn multiply<F: PrimeField>(ntt: &Ntt<F>, a: &[F], b: &[F]) -> Vec<F> {
    let count = a.len() + b.len();
    if a.len().min(b.len()) <= SHORT {
        let mut product = vec![F::ZERO; count];
        for (i, left) in a.iter().enumerate() {
            product[i..].iter_mut().zip(b).for_each(|(sum, right)| *sum += *left * right);
        }
        return product;
    }
    let size = count.next_power_of_two();
    let [mut left, mut right] = [a, b].map(|factor| {
        let mut padded = factor.to_vec();
        padded.resize(size, F::ZERO);
        ntt.forward(&mut padded);
        padded
    });
    let scale: F = inverse_of(size);
    left.iter_mut().zip(&mut right).for_each(|(a, b)| *a *= scale * *b);
    ntt.inverse_unscaled(&mut left);
    left.truncate(count);
    left
}
