//! The decider's proof: its equation and its openings. Section 13 of the specification.

use ark_ff::{batch_inversion, AdditiveGroup, Field, Zero};

use super::proof::{Challenges, DeciderChallenges, EVALUATIONS};
use crate::{
    decider::Decider,
    domain::{powers, Domain, DELTA},
    key::Compact,
    Scalar,
};

/// Wires of the decider.
const WIRES: usize = 4;
/// What the decider's proof opens: `K₂`, `E`, `V`, `Z₂` and `Q₂`.
pub(crate) const OPENED: usize = 5;

/// The values of the decider's polynomials, in the order of item 9 of section 10.
pub(crate) struct Evaluations(pub(crate) [Scalar; EVALUATIONS]);

/// The sums of section 13, but for the points.
pub(crate) struct Opening {
    /// `w′_P` of `K₂`, `E`, `V`, `Z₂` and `Q₂`.
    pub(crate) weights: [Scalar; OPENED],
    /// `Σ_P w′_P·r_P`.
    pub(crate) remainder: Scalar,
}

impl Evaluations {
    /// `q_m, q_a, q_b, q_c, q_e, q_0`, and σ of the wires.
    fn key(&self) -> &[Scalar] {
        &self.0[..10]
    }

    fn sigma(&self) -> &[Scalar] {
        &self.0[6..10]
    }

    fn value(&self) -> Scalar {
        self.0[10]
    }

    fn wires(&self) -> &[Scalar] {
        &self.0[11..15]
    }

    /// `z₂` at `x₂` and at `ω₂·x₂`.
    fn product(&self) -> [Scalar; 2] {
        [self.0[15], self.0[16]]
    }

    /// The row's equation, without the public inputs.
    fn row(&self) -> Scalar {
        let [m, qa, qb, qc, qe, q0, ..] = self.0;
        let [.., a, b, c, d, _, _] = self.0;
        m * a * b + qa * a + qb * b + qc * c + qe * self.value() + q0 - d
    }

    /// `T₂`, the value of the decider's quotient, unless `x₂` is degenerate.
    pub(crate) fn quotient(
        &self,
        domain: &Domain,
        public_inputs: &[Scalar],
        challenges: &DeciderChallenges,
    ) -> Option<Scalar> {
        let &DeciderChallenges { beta, gamma, y, x, .. } = challenges;
        let inverse = (domain.raise(x) - Scalar::ONE).inverse()?;
        if x.is_zero() {
            return None;
        }
        let lagrange = domain.lagrange(x, 0, public_inputs.len().max(1));
        let shown: Scalar =
            public_inputs.iter().zip(&lagrange).map(|(input, row)| *input * row).sum();
        let [before, after] = self.product();
        let (mut before_row, mut after_row) = (before, after);
        let mut name = beta * x;
        for (wire, sigma) in self.wires().iter().zip(self.sigma()).take(WIRES) {
            after_row *= beta * sigma + wire + gamma;
            before_row *= *wire + name + gamma;
            name *= DELTA;
        }
        let row = self.row() + shown;
        let begins = lagrange.first().copied().unwrap_or_default() * (before - Scalar::ONE);
        Some((row + y * (begins + y * (after_row - before_row))) * inverse)
    }

    /// The openings, unless `u₂` is degenerate. `x₂` is not 0.
    pub(crate) fn open(
        &self,
        domain: &Domain,
        quotient: Scalar,
        challenges: &DeciderChallenges,
    ) -> Option<Opening> {
        let &DeciderChallenges { x, alpha, u, .. } = challenges;
        let next = domain.power(1) * x;
        let place = u.pow([u64::from(Decider::STRIDE)]);
        // `1 / (U − x₂)`, `1 / (U − ω₂·x₂)`, `1 / (u₂ − x₂)`, and that of the points' distance.
        let mut inverses = [place - x, place - next, u - x, next - x];
        if inverses.iter().any(Scalar::is_zero) {
            return None;
        }
        batch_inversion(&mut inverses);
        let [by_x, by_next, by_quotient, by_distance] = inverses;

        let joined = |values: &[Scalar]| -> Scalar {
            values.iter().rev().fold(Scalar::ZERO, |joined, value| joined * u + value)
        };
        let [before, after] = self.product();
        let line = before + (after - before) * (place - x) * by_distance;
        let values = [joined(self.key()), self.value(), joined(self.wires()), line, quotient];
        let mut weights = [by_x, by_x, by_x, by_x * by_next, by_quotient];
        let (mut power, mut remainder) = (Scalar::ONE, Scalar::ZERO);
        for (weight, value) in weights.iter_mut().zip(values) {
            *weight *= power;
            remainder += *weight * value;
            power *= alpha;
        }
        Some(Opening { weights, remainder })
    }
}

/// `N`, what a verifier divides by as one number, for a key that takes so many inputs: its inverse ends the long encoding. It is 0 exactly where a challenge is degenerate.
pub(crate) fn divisor(compact: &Compact, inputs: usize, challenges: &Challenges) -> Scalar {
    let (x, u) = (challenges.decider.x, challenges.decider.u);
    let domain = Domain::new(compact.decider_k);
    let place = u.pow([u64::from(Decider::STRIDE)]);
    let (next, back) = (domain.power(1) * x, domain.power(-1));
    let mut divisor = (domain.raise(x) - Scalar::ONE) * (challenges.u - challenges.x);
    divisor *= (place - x) * (place - next) * (u - x) * (x - next);
    // Public inputs of the decider: those of the circuit, challenges, `w_P`, and `R`.
    let public_inputs = inputs + challenges.public.len() + compact.packs.count() + 1;
    divisor * powers(x, back).take(public_inputs).map(|row| row - Scalar::ONE).product::<Scalar>()
}
