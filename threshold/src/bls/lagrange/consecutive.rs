//! Signers at 1, …, n: coefficients by factorials and by values at consecutive integers.
//!
//! Coefficients are binomial coefficients times values of the polynomial over the absentees (see
//! [`crate::missing`]). If those are few, its values are computed as products
//! ([`Consecutive::by_missing`]); if they are many, by a tree over values at consecutive integers
//! ([`Consecutive::by_values`], see [`Shift`]).

use ff::PrimeField;

use super::{
    ntt::{inverse_of, Ntt},
    Secrets,
};
use crate::missing::{absent, Field};

/// Degree up to which the tree's factors are multiplied one by one: measured.
const LEAF: usize = 64;

/// Factorials and shifts of a committee of n at 1, …, n.
#[derive(Clone, Debug)]
pub(super) struct Consecutive<F> {
    signers: usize,
    /// i! (n−i)!, inverted, times n!: the binomial coefficients.
    binomials: Vec<F>,
    shift: Shift<F>,
}

impl<F: PrimeField> Consecutive<F> {
    pub(super) fn new(signers: usize) -> Self {
        // The tree covers 0, …, n and pads a degree to a power of two.
        let shift = Shift::new((signers + 1).next_power_of_two());
        let inverse = &shift.inverse_factorials;
        let top = shift.factorials[signers];
        let binomial = |i: usize| top * inverse[i] * inverse[signers - i];
        Self { signers, binomials: (0..=signers).map(binomial).collect(), shift }
    }

    /// Coefficients by products over the absentees, several small factors at once.
    pub(super) fn by_missing(&self, signers: &[u32]) -> Vec<F> {
        let absent = absent(signers, self.signers as u32);
        let roots = || absent.iter().map(|&root| i64::from(root));
        self.finish(signers, |index| field().value(index.into(), roots()))
    }

    /// Coefficients by the tree.
    pub(super) fn by_values(&self, signers: &[u32]) -> Vec<F> {
        let absent = absent(signers, self.signers as u32);
        let degree = absent.len().max(1).next_power_of_two();
        let padding = (degree - absent.len()) as u32;
        // The padding's roots are −1, −2, …: their factor at i is (i + padding)! / i!.
        let mut roots: Vec<i64> = absent.iter().map(|&root| i64::from(root)).collect();
        roots.extend((1..=i64::from(padding)).map(|root| -root));
        let leaf = LEAF.min(degree);
        let mut values = Vec::with_capacity(degree.max(self.signers + 1));
        for block in roots.chunks_exact(leaf) {
            let at = |point| field::<F>().value(point, block.iter().copied());
            values.extend((0..leaf as i64).map(at));
        }
        let mut length = leaf;
        while length < degree {
            self.double(&mut values, length);
            length *= 2;
        }
        if values.len() <= self.signers {
            values.resize(self.signers + 1, F::ZERO);
            self.shift.extend(&mut values, degree);
        }
        let (factorials, inverses) = (&self.shift.factorials, &self.shift.inverse_factorials);
        let padding = padding as usize;
        let padded = |point: usize| match padding {
            0 => F::ONE,
            _ => factorials[point] * inverses[point + padding],
        };
        self.finish(signers, |index| {
            let index = index as usize;
            values[index] * padded(index)
        })
    }

    /// Values of a random polynomial: those at 0, …, t − 1 are drawn, which is as good as drawing its
    /// coefficients, and the others follow from them.
    pub(super) fn deal(&self, threshold: usize, random: impl FnMut() -> F) -> Secrets<F> {
        let mut values = Secrets::zeros(self.signers + 1);
        values[..threshold].fill_with(random);
        self.shift.extend_lower(&mut values, threshold);
        values
    }

    /// Multiplies neighbours: d values of each at 0, …, d − 1 become 2d values of the product.
    fn double(&self, values: &mut [F], degree: usize) {
        let mut further = vec![F::ZERO; 2 * degree];
        for pair in values.chunks_exact_mut(2 * degree) {
            let (left, right) = pair.split_at_mut(degree);
            let (left_on, right_on) = further.split_at_mut(degree);
            self.shift.next(left, left_on);
            self.shift.next(right, right_on);
            for (i, (a, b)) in left.iter_mut().zip(right).enumerate() {
                *a *= *b;
                *b = left_on[i] * right_on[i];
            }
        }
    }

    /// The coefficients, from the values of Z_A at each signer and at zero.
    fn finish(&self, signers: &[u32], value: impl Fn(u32) -> F) -> Vec<F> {
        field().coefficients(signers, value, |at_zero| {
            // Never zero: 0 is no identity, and n is below the order of the field.
            let scale = at_zero.invert().unwrap_or(F::ZERO);
            signers.iter().map(|&index| self.binomials[index as usize] * scale).collect()
        })
    }
}

fn field<F: PrimeField>() -> Field<F> {
    let integer = |[first, last]: [u64; 2]| match first {
        1 => F::from(last),
        _ => F::from(first) * F::from(last),
    };
    Field { zero: F::ZERO, integer }
}

/// From values of a polynomial at consecutive integers to its values at the next ones.
///
/// Let f be monic of degree d and known at 0, …, d − 1. Minus x (x − 1) ⋯ (x − d + 1), it has
/// degree below d and the same values there, so that by Lagrange's formula
///
/// ```text
/// f(s) = s! / (s−d)! · (1 + Σ_k u_k / (s − k)),   u_k = (−1)^(d−1−k) f(k) / (k! (d−1−k)!):
/// ```
///
/// a convolution with the inverses of integers (Bostan, Gaudry, Schost, "Linear recurrences with
/// polynomial coefficients", section 3). What depends on d alone is precomputed.
#[derive(Clone, Debug)]
struct Shift<F> {
    /// 0!, 1!, … up to twice the length.
    factorials: Vec<F>,
    /// Their inverses.
    inverse_factorials: Vec<F>,
    ntt: Ntt<F>,
    /// Indexed by log₂ d: what a step from d values to the next d takes.
    steps: Vec<Step<F>>,
}

/// A step from values at 0, …, d − 1 to values at d, …, 2d − 1.
#[derive(Clone, Debug)]
struct Step<F> {
    /// (−1)^(d−1−k) / (k! (d−1−k)!)
    weights: Vec<F>,
    /// Values of Σ xˢ / s for 0 < s < 2d, divided by 2d.
    kernel: Vec<F>,
    /// (d+j)! / j!
    leading: Vec<F>,
}

impl<F: PrimeField> Shift<F> {
    /// Shifts within 0, …, `length` − 1, a power of two.
    fn new(length: usize) -> Self {
        let count = 2 * length;
        let mut factorials = Vec::with_capacity(count);
        let (mut factorial, mut factor) = (F::ONE, F::ZERO);
        for _ in 0..count {
            factorials.push(factorial);
            factor += F::ONE;
            factorial *= factor;
        }
        // No factor is zero: the field's order is above any length.
        let mut inverse = factorials[count - 1].invert().unwrap_or(F::ZERO);
        let mut inverse_factorials = vec![F::ONE; count];
        for i in (0..count).rev() {
            inverse_factorials[i] = inverse;
            inverse *= F::from(i as u64);
        }
        let ntt = Ntt::new(length.max(2));
        let mut shift = Self { factorials, inverse_factorials, ntt, steps: vec![] };
        shift.steps = (0..length.ilog2()).map(|log| shift.step(1 << log)).collect();
        shift
    }

    fn step(&self, degree: usize) -> Step<F> {
        let leading = |j: usize| self.factorials[degree + j] * self.inverse_factorials[j];
        Step {
            weights: self.weights(degree),
            kernel: self.kernel(&self.ntt, degree, 0),
            leading: (0..degree).map(leading).collect(),
        }
    }

    /// The weights u_k / f(k) for `known` points.
    fn weights(&self, known: usize) -> Vec<F> {
        let weight = |k: usize| {
            let weight = self.inverse_factorials[k] * self.inverse_factorials[known - 1 - k];
            match (known - 1 - k) % 2 {
                0 => weight,
                _ => -weight,
            }
        };
        (0..known).map(weight).collect()
    }

    /// The transform of 1/(x + first), or 0 where that is not positive, for x < 2d; divided by 2d.
    fn kernel(&self, ntt: &Ntt<F>, degree: usize, first: isize) -> Vec<F> {
        let scale: F = inverse_of(2 * degree);
        let inverse = |x: usize| match x.checked_add_signed(first) {
            None | Some(0) => F::ZERO,
            Some(s) => self.factorials[s - 1] * self.inverse_factorials[s] * scale,
        };
        let mut kernel: Vec<F> = (0..2 * degree).map(inverse).collect();
        ntt.forward(&mut kernel);
        kernel
    }

    /// Values at d, …, 2d − 1 into `out`, from d values of a monic polynomial of degree d.
    fn next(&self, values: &[F], out: &mut [F]) {
        let degree = values.len();
        let Step { weights, kernel, leading } = &self.steps[degree.ilog2() as usize];
        let mut product = vec![F::ZERO; 2 * degree];
        transform(&self.ntt, values, weights, &mut product);
        let sums = convolve(&self.ntt, &mut product, kernel);
        for ((value, sum), leading) in out.iter_mut().zip(sums).zip(leading) {
            *value = (*sum + F::ONE) * leading;
        }
    }

    /// Fills in the values of a monic polynomial after the first `known`, which equals its degree,
    /// a power of two.
    fn extend(&self, values: &mut [F], known: usize) {
        let weights = &self.steps[known.ilog2() as usize].weights;
        self.append(&self.ntt, values, weights, F::ONE);
    }

    /// The same for a polynomial of degree below `known`, which may be any number.
    fn extend_lower(&self, values: &mut [F], known: usize) {
        // Its transforms may be longer than those of the tree.
        let ntt = Ntt::new(2 * known.next_power_of_two());
        self.append(&ntt, values, &self.weights(known), F::ZERO);
    }

    /// Block after block of s = t + b d + j with j < d: there s − k is x + first for x = d + j − k.
    /// As many values are known as there are weights.
    fn append(&self, ntt: &Ntt<F>, values: &mut [F], weights: &[F], monic: F) {
        let known = weights.len();
        let degree = known.next_power_of_two();
        let (values, further) = values.split_at_mut(known);
        // A dealer's values are secret.
        let mut transformed = Secrets::zeros(2 * degree);
        transform(ntt, values, weights, &mut transformed);
        let mut product = Secrets::zeros(2 * degree);
        for (block, out) in further.chunks_mut(degree).enumerate() {
            let start = known + block * degree;
            let first = start as isize - degree as isize;
            let made;
            let kernel = match self.steps.get(degree.ilog2() as usize) {
                Some(step) if first == 0 => &step.kernel,
                _ => {
                    made = self.kernel(ntt, degree, first);
                    &made
                }
            };
            product.copy_from_slice(&transformed);
            let sums = convolve(ntt, &mut product, kernel);
            for ((s, value), sum) in (start..).zip(out).zip(sums) {
                let leading = self.factorials[s] * self.inverse_factorials[s - known];
                *value = (*sum + monic) * leading;
            }
        }
    }
}

/// The transform of the weighted values into `product`, of length 2d.
fn transform<F: PrimeField>(ntt: &Ntt<F>, values: &[F], weights: &[F], product: &mut [F]) {
    let degree = product.len() / 2;
    for (product, (value, weight)) in product.iter_mut().zip(values.iter().zip(weights)) {
        *product = *value * weight;
    }
    ntt.spread(product, degree);
    product.chunks_exact_mut(degree).for_each(|half| ntt.forward(half));
}

/// The upper half of a cyclic convolution of length 2d, made in place: nothing wraps around to there.
fn convolve<'a, F: PrimeField>(ntt: &Ntt<F>, values: &'a mut [F], kernel: &[F]) -> &'a [F] {
    values.iter_mut().zip(kernel).for_each(|(value, factor)| *value *= factor);
    ntt.inverse_unscaled(values);
    &values[values.len() / 2..]
}
