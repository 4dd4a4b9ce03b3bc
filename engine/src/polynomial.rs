//! Values of polynomials.

use halo2curves::{bn256::Fr, ff::Field};

use crate::{
    backend::{Backend, Work},
    field::powers,
    lanes::{Lanes, LANES},
};

/// Chains of sums side by side, since a step's latency exceeds the time that it occupies the processor.
const CHAINS: usize = 4;

/// Coefficients that a step takes.
const STEP: usize = LANES * CHAINS;

impl Backend {
    /// The value at `point` of the polynomial with these coefficients, the lowest first. On one thread.
    pub fn value_at(self, coefficients: &[Fr], point: Fr) -> Fr {
        let (steps, rest) = coefficients.as_chunks::<STEP>();
        let powers: Vec<_> = powers(Fr::ONE, point).take(STEP + 1).collect();
        let step = powers[STEP];
        let sums = self.run(Horner { steps, step });
        let low = sums.iter().zip(&powers).fold(Fr::ZERO, |sum, (part, power)| sum + *part * power);
        let high = rest.iter().rev().fold(Fr::ZERO, |sum, coefficient| sum * point + coefficient);
        low + high * step.pow_vartime([steps.len() as u64])
    }
}

/// `Σ stepᵢ·stepⁱ` for each of the places of a step.
struct Horner<'a> {
    steps: &'a [[Fr; STEP]],
    step: Fr,
}

impl Work<Fr> for Horner<'_> {
    type Output = [Fr; STEP];

    fn run<L: Lanes<Fr>>(self, lanes: L) -> [Fr; STEP] {
        let step = lanes.factor(&self.step);
        let mut sums = [Fr::ZERO; STEP];
        lanes.vectorize(
            #[inline(always)]
            || {
                let mut running = [lanes.load(&[Fr::ZERO; LANES]); CHAINS];
                for coefficients in self.steps.iter().rev() {
                    let octets = coefficients.as_chunks::<LANES>().0;
                    for (running, octet) in running.iter_mut().zip(octets) {
                        let raised = lanes.mul(*running, lanes.splat(step));
                        *running = lanes.add(raised, lanes.load(octet));
                    }
                }
                let octets = sums.as_chunks_mut::<LANES>().0;
                for (running, octet) in running.into_iter().zip(octets) {
                    lanes.store(running, octet);
                }
            },
        );
        sums
    }
}
