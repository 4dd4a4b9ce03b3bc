//! What a prover chooses so that no sum meets its addend.
//!
//! Keys can be made so that one does: a signer of ECDSA who knew the digest when choosing the key can
//! have the key `S + b·G` for the start `S` of all sums, and a second one that makes up for `b`. With
//! other digits for the same scalars, the sum takes another path.

use num_bigint::BigUint;

use super::{
    sum::{Sum, Summand},
    Coefficient, ExceptionalCase, ScalarEquations,
};
use crate::curve::weierstrass::{Meeting, Walk};
use muster_schemes::curve::weierstrass::Curve;

/// Digits of each part of a scalar.
type Digits = Vec<Vec<i8>>;

/// The choices left for a scalar, which are found only when they are needed.
type UntriedDigits<'a> = Option<Box<dyn Iterator<Item = Digits> + 'a>>;

impl Sum {
    /// Takes other digits where the sum meets an addend until it meets none. Every choice is tried
    /// once, and a scalar has a few dozen of them.
    pub(super) fn settle(
        &mut self,
        (curve, scalars): (Curve, &ScalarEquations),
        summands: &[Summand],
        generator: &BigUint,
    ) -> Result<Walk, ExceptionalCase> {
        let of_key = |summand: &Summand| -> UntriedDigits<'_> {
            match summand.coefficient {
                Coefficient::Squeezed(_) => {
                    Some(Box::new(scalars.other_digits(summand.scalar.clone())))
                }
                Coefficient::Chosen(_) => None,
            }
        };
        let mut rests: Vec<_> = summands.iter().map(of_key).collect();
        rests.push(Some(Box::new(scalars.other_digits(generator.clone()))));
        loop {
            let meeting = match Walk::new(curve, &self.terms) {
                Ok(walk) => return Ok(walk),
                Err(meeting) => meeting,
            };
            let other = self.summed(meeting).into_iter().rev().find_map(|owner| {
                let rest = rests[owner].as_mut()?;
                Some((owner, rest.next()?))
            });
            match other {
                Some((owner, digits)) => self.put(owner, &digits),
                None => return Err(self.met(meeting, summands.len())),
            }
        }
    }

    /// The owners that are summed up where the meeting is: signatures by number, then the generator;
    /// the one that is met comes last.
    fn summed(&self, Meeting { window, term }: Meeting) -> Vec<usize> {
        let met = self.owner(term);
        // In the first window, the terms that follow are not added yet.
        let after = if window > 0 { met + 1..self.owners() } else { 0..0 };
        after.chain(0..=met).collect()
    }

    fn met(&self, meeting: Meeting, count: usize) -> ExceptionalCase {
        let mut signatures = self.summed(meeting);
        signatures.retain(|owner| *owner < count);
        signatures.sort_unstable();
        ExceptionalCase { signatures }
    }
}
