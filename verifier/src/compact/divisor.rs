//! What a verifier divides by, as one number, whose inverse ends the long encoding. Section 13 of the specification.

use ark_ff::Field;

use super::Challenges;
use crate::{decider::Decider, domain::Domain, key::Compact, Scalar};

/// `N`, for a key that takes so many inputs. It is 0 exactly where a challenge is degenerate.
pub(crate) fn divisor(compact: &Compact, inputs: usize, challenges: &Challenges) -> Scalar {
    let (x, u) = (challenges.decider.x, challenges.decider.u);
    let domain = Domain::new(compact.decider_k);
    let place = u.pow([u64::from(Decider::STRIDE)]);
    let (next, back) = (domain.power(1) * x, domain.power(-1));
    let mut divisor = (domain.raise(x) - Scalar::ONE) * (challenges.u - challenges.x);
    divisor *= (place - x) * (place - next) * (u - x) * (x - next);
    // Public inputs of the decider: those of the circuit, challenges, `w_P`, and `R`.
    let mut row = x;
    for _ in 0..inputs + challenges.public.len() + compact.packs.count() + 1 {
        divisor *= row - Scalar::ONE;
        row *= back;
    }
    divisor
}
