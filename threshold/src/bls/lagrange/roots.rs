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
    product::product,
    Secrets,
};
use crate::missing::absent;

/// The roots of unity of a committee.
#[derive(Clone, Debug)]
pub(super) struct Roots<F> {
    pub(super) order: usize,
    pub(super) ntt: Ntt<F>,
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
        let mut below: Vec<F> = signers
            .iter()
            .map(|&index| {
                let power = self.power(index, self.order + 1 - padding % self.order);
                -derivative[self.place(index)] * power
            })
            .collect();
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
