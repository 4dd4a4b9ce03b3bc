//! The path of a sum as a prover computes it, before any of it is recorded.

use num_bigint::BigUint;

use super::{
    point::{Hints, Pair, Step},
    term::{due, offset, windows, Term},
};
use muster_schemes::{curve::weierstrass::Curve, field::foreign::DIGIT_BITS};

/// Where a sum has the first coordinate of its addend, so that no chord goes through the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meeting {
    /// The window; that of the highest digits is 0.
    pub window: usize,
    /// The term whose entry is met.
    pub term: usize,
}

/// All sums from the start on, each with the slope that leads to it: four doublings in every window
/// except the first, then an addend for each term that has a digit there; after the last window the
/// doublings of the cofactor.
#[derive(Clone, Debug)]
pub struct Walk {
    pub(super) start: Pair,
    pub(super) steps: Vec<Step>,
}

impl Walk {
    /// The path of the sum of `terms`.
    ///
    /// # Errors
    /// The first [`Meeting`], beyond which there is no path.
    ///
    /// # Panics
    /// If there are no terms.
    pub fn new(curve: Curve, terms: &[Term]) -> Result<Self, Meeting> {
        Self::go(curve, offset(curve), terms, true)
    }

    /// The same, continued beyond every meeting with a false slope. No circuit accepts it.
    ///
    /// # Panics
    /// If there are no terms.
    pub fn regardless(curve: Curve, terms: &[Term]) -> Self {
        Self::regardless_from(curve, offset(curve), terms)
    }

    /// As long a path of zeros, for a circuit that is only counted.
    ///
    /// # Panics
    /// If there are no terms.
    pub fn of_zeros(curve: Curve, terms: &[Term]) -> Self {
        let windows = windows(terms);
        let added: usize = (0..windows).map(|window| due(terms, window).count()).sum();
        let steps = DIGIT_BITS * (windows - 1) + added + curve.cofactor_bits();
        let start = (BigUint::ZERO, BigUint::ZERO);
        let step = Step { slope: BigUint::ZERO, sum: start.clone() };
        Self { start, steps: vec![step; steps] }
    }

    /// The same from any start.
    pub(super) fn regardless_from(curve: Curve, start: &Pair, terms: &[Term]) -> Self {
        Self::go(curve, start, terms, false).expect("nothing stops it")
    }

    fn go(curve: Curve, start: &Pair, terms: &[Term], stops: bool) -> Result<Self, Meeting> {
        let hints = Hints(curve);
        let mut steps: Vec<Step> = vec![];
        let mut sum = start.clone();
        for window in 0..windows(terms) {
            for _ in 0..if window > 0 { DIGIT_BITS } else { 0 } {
                let step = hints.doubled(&sum);
                sum.clone_from(&step.sum);
                steps.push(step);
            }
            for (term, place) in due(terms, window) {
                let addend = terms[term].addend(curve, place);
                if stops && hints.meet(&sum, &addend) {
                    return Err(Meeting { window, term });
                }
                let step = hints.added(&sum, &addend);
                sum.clone_from(&step.sum);
                steps.push(step);
            }
        }
        for _ in 0..curve.cofactor_bits() {
            let step = hints.doubled(&sum);
            sum.clone_from(&step.sum);
            steps.push(step);
        }
        Ok(Self { start: start.clone(), steps })
    }
}
