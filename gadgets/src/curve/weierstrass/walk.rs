//! What is added up, where sums start, and the path of a sum as a prover computes it, before any of it is recorded.

use std::sync::OnceLock;

use num_bigint::{BigInt, BigUint};
use sha2::{Digest as _, Sha256};

use super::point::{AssignedTable, Hints, Pair, Step};
use muster_gates::foreign::Digit;
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

/// Label of the point that sums start from.
const OFFSET_LABEL: &str = "muster.weierstrass.offset.v1";

/// A table and the digits by which it is multiplied, the highest first.
#[derive(Clone, Debug)]
pub struct Term {
    /// The table.
    pub table: AssignedTable,
    /// Odd digits.
    pub digits: Vec<i8>,
    /// The number that the digits above these make, if they are in another term: joined, the two
    /// make a scalar.
    pub above: Option<BigInt>,
}

impl Term {
    /// A table multiplied by all digits of a scalar.
    pub fn new(table: AssignedTable, digits: Vec<i8>) -> Self {
        Self { table, digits, above: None }
    }

    /// The point that the digit at `place` adds.
    pub(super) fn addend(&self, curve: Curve, place: usize) -> Pair {
        let Digit { digit, entry: (x, y), .. } = self.digit(place);
        let y = if digit < 0 { Hints(curve).negated(&y) } else { y };
        (x, y)
    }

    pub(super) fn digit(&self, place: usize) -> Digit {
        let digit = self.digits[place];
        let entry = self.table.entries[usize::from(digit.unsigned_abs() / 2)].clone();
        Digit { table: self.table.number, digit, entry }
    }
}

/// Windows of a sum.
///
/// # Panics
/// If there are no terms.
pub(super) fn windows(terms: &[Term]) -> usize {
    terms.iter().map(|term| term.digits.len()).max().expect("there are terms")
}

/// The terms that have a digit in a window, and its place among their digits.
pub(super) fn due(terms: &[Term], window: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
    let windows = windows(terms);
    let place = move |term: &Term| (window + term.digits.len()).checked_sub(windows);
    terms.iter().enumerate().filter_map(move |(i, term)| Some((i, place(term)?)))
}

/// Where sums start: the first point at or after a hash, times the cofactor. A signer who knows the digest when
/// choosing the key can choose one that is a known combination of this point and the generator, without knowing its
/// logarithm to the base of either. So sums that meet their addends can be made on purpose.
///
/// # Panics
/// Never: half of all first coordinates have a point, and tests find one for each curve.
pub fn offset(curve: Curve) -> &'static Pair {
    static SECP256K1: OnceLock<Pair> = OnceLock::new();
    static P256: OnceLock<Pair> = OnceLock::new();
    static EDWARDS25519: OnceLock<Pair> = OnceLock::new();
    let find = || {
        let digest = Sha256::new().chain_update(OFFSET_LABEL).chain_update(curve.to_string());
        let first = BigUint::from_bytes_be(&digest.finalize()) % curve.p();
        let candidates = (0u8..=u8::MAX).map(|i| (&first + i) % curve.p());
        let point = |x: BigUint| curve.parameters().y_of(&x).map(|y| (x, y));
        let found = candidates.filter_map(point).next().expect("one in two has a point");
        let cofactor = BigUint::from(1u8) << curve.cofactor_bits();
        curve.parameters().mul(&Some(found), &cofactor).expect("it is not of small order")
    };
    match curve {
        Curve::Secp256k1 => SECP256K1.get_or_init(find),
        Curve::P256 => P256.get_or_init(find),
        Curve::Edwards25519 => EDWARDS25519.get_or_init(find),
    }
}
