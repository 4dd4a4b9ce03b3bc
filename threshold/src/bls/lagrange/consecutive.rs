//! Signers at 1, …, n: coefficients by factorials and by values at consecutive integers.
//!
//! With S the signers, A the absentees and V = (x − 1) ⋯ (x − n), the derivative of V at i is
//! (−1)^(n−i) (i−1)! (n−i)!, and Z_S Z_A = V, so that
//!
//! ```text
//! λ_i = Z_S(0) / (−i Z_S′(i)) = (−1)^(i−1) n! / (i! (n−i)!) · Z_A(i) / Z_A(0):
//! ```
//!
//! a binomial coefficient and a polynomial over the absentees alone. For few of those its values are
//! products, one by one ([`Consecutive::by_missing`]); for many they come from a tree over values at
//! consecutive integers ([`Consecutive::by_values`], see [`super::shift`]).

use ff::PrimeField;

use super::{shift::Shift, Secrets};

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
        // The tree reaches over 0, …, n and pads a degree to a power of two.
        let shift = Shift::new((signers + 1).next_power_of_two());
        let inverse = &shift.inverse_factorials;
        let top = shift.factorials[signers];
        let binomial = |i: usize| top * inverse[i] * inverse[signers - i];
        Self { signers, binomials: (0..=signers).map(binomial).collect(), shift }
    }

    /// Coefficients by products over the absentees, several small factors at once.
    pub(super) fn by_missing(&self, signers: &[u32]) -> Vec<F> {
        let absent = super::absent(signers, self.signers as u32);
        let points = std::iter::once(0).chain(signers.iter().copied());
        let values: Vec<F> = points.map(|point| small_product(point, &absent)).collect();
        self.finish(signers, values[0], |place, _| values[place + 1])
    }

    /// Coefficients by the tree.
    pub(super) fn by_values(&self, signers: &[u32]) -> Vec<F> {
        let absent = super::absent(signers, self.signers as u32);
        let degree = absent.len().max(1).next_power_of_two();
        let padding = (degree - absent.len()) as u32;
        // The padding's roots are −1, −2, …: what they add at i is (i + padding)! / i!.
        let mut roots: Vec<i64> = absent.iter().map(|&root| i64::from(root)).collect();
        roots.extend((1..=i64::from(padding)).map(|root| -root));
        let leaf = LEAF.min(degree);
        let mut values = Vec::with_capacity(degree.max(self.signers + 1));
        for block in roots.chunks_exact(leaf) {
            values.extend((0..leaf as i64).map(|point| signed_product::<F>(point, block)));
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
        self.finish(signers, values[0] * padded(0), |_, index| {
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

    /// The coefficients of Z_A(0) and of Z_A at each signer, given by place and index.
    fn finish(&self, signers: &[u32], at_zero: F, value: impl Fn(usize, u32) -> F) -> Vec<F> {
        // Never zero: 0 is no identity, and n is below the order of the field.
        let scale = at_zero.invert().unwrap_or(F::ZERO);
        let coefficient = |(place, &index): (usize, &u32)| {
            let product = self.binomials[index as usize] * value(place, index) * scale;
            if index % 2 == 0 {
                -product
            } else {
                product
            }
        };
        signers.iter().enumerate().map(coefficient).collect()
    }
}

/// The product of `point` − root over `roots`, without a factor of zero among them.
///
/// Factors are multiplied as integers of 64 bits while they fit: an element of the field made of four
/// or five of them takes two multiplications there.
pub(super) fn small_product<F: PrimeField>(point: u32, roots: &[u32]) -> F {
    let above = roots.iter().filter(|&&root| root > point).count();
    let product = products(roots.iter().map(|&root| u64::from(point.abs_diff(root))));
    if above % 2 == 0 {
        product
    } else {
        -product
    }
}

/// The same for roots of either sign; zero if `point` is one of them.
fn signed_product<F: PrimeField>(point: i64, roots: &[i64]) -> F {
    let above = roots.iter().filter(|&&root| root > point).count();
    let product: F = products(roots.iter().map(|&root| point.abs_diff(root)));
    if above % 2 == 0 {
        product
    } else {
        -product
    }
}

fn products<F: PrimeField>(factors: impl Iterator<Item = u64>) -> F {
    let (mut product, mut small) = (F::ONE, 1u64);
    for factor in factors {
        small = match small.checked_mul(factor) {
            Some(larger) => larger,
            None => {
                product *= F::from(small);
                factor
            }
        };
    }
    product * F::from(small)
}
