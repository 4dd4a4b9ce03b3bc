//! The sum of many multiples, with doublings that all terms share.

use std::sync::OnceLock;

use num_bigint::{BigInt, BigUint};
use num_traits::One;
use sha2::{Digest as _, Sha256};

use super::{
    point::{double, AssignedTable, Hints, Pair},
    CurveEquations,
};
use crate::{
    curve::weierstrass::Curve,
    field::foreign::DIGIT_BITS,
    gate::foreign::{AssignedLimbs, AssignedScalar, Digit, ForeignChip, Operand::Element},
};

/// Label of the point that sums start from.
const OFFSET_LABEL: &str = "muster.weierstrass.offset.v1";

/// A table and the digits by which it is multiplied, the highest first.
#[derive(Clone, Debug)]
pub struct Term {
    /// The table.
    pub table: AssignedTable,
    /// Odd digits.
    pub digits: Vec<i8>,
    /// What the digits above these make, if they stand in another term. The caller joins the two.
    pub above: Option<BigInt>,
}

impl Term {
    /// A table by all digits of a scalar.
    pub fn new(table: AssignedTable, digits: Vec<i8>) -> Self {
        Self { table, digits, above: None }
    }
}

/// Where sums start: the first point at or behind a hash whose discrete logarithm nobody knows, so
/// that honest sums do not meet their addends.
///
/// # Panics
/// Never: half of all first coordinates have a point.
pub fn offset(curve: Curve) -> &'static Pair {
    static SECP256K1: OnceLock<Pair> = OnceLock::new();
    static P256: OnceLock<Pair> = OnceLock::new();
    let find = || {
        let digest = Sha256::new().chain_update(OFFSET_LABEL).chain_update(curve.to_string());
        let first = BigUint::from_bytes_be(&digest.finalize()) % curve.p();
        let candidates = (0u8..=u8::MAX).map(|i| (&first + i) % curve.p());
        let point = |x: BigUint| curve.parameters().y_of(&x).map(|y| (x, y));
        candidates.filter_map(point).next().expect("one in two has a point")
    };
    match curve {
        Curve::Secp256k1 => SECP256K1.get_or_init(find),
        Curve::P256 => P256.get_or_init(find),
    }
}

/// Constrains `Σ scalar·point = 0` and gives the scalars. No sum meets the first coordinate of the
/// addend: that is constrained, and an honest prover finds it so but for a negligible chance.
///
/// # Panics
/// If there are no terms.
pub fn sum_of_multiples(
    chip: &ForeignChip,
    equations: &CurveEquations,
    terms: &[Term],
) -> Vec<AssignedScalar> {
    let windows = terms.iter().map(|term| term.digits.len()).max().expect("there are terms");
    let start = offset(equations.curve());
    let coordinates =
        [&start.0, &start.1].map(|value| chip.relate(&equations.constant(value), &[], value));
    let mut sum = Accumulator { chip, equations, coordinates };
    let scalar = |term: &Term| term.above.as_ref().map(AssignedScalar::below).unwrap_or_default();
    let mut scalars: Vec<_> = terms.iter().map(scalar).collect();
    for window in 0..windows {
        if window > 0 {
            (0..DIGIT_BITS).for_each(|_| sum.double());
        }
        let mut due: Vec<_> = terms
            .iter()
            .zip(&mut scalars)
            .filter_map(|(term, scalar)| {
                let place = (window + term.digits.len()).checked_sub(windows)?;
                Some((digit(term, place), scalar))
            })
            .collect();
        sum.add_all(&mut due);
    }
    let factor = BigUint::one() << (DIGIT_BITS * (windows - 1));
    let curve = equations.curve().parameters();
    let end = curve.mul(&Some(start.clone()), &factor).expect("a prime order above the factor");
    sum.assert_equal(&end);
    chip.enter_all();
    scalars
}

fn digit(term: &Term, place: usize) -> Digit {
    let digit = term.digits[place];
    let entry = term.table.entries[usize::from(digit.unsigned_abs() / 2)].clone();
    Digit { table: term.table.number, digit, entry }
}

/// A sum whose coordinates are the two blocks above.
struct Accumulator<'a> {
    chip: &'a ForeignChip,
    equations: &'a CurveEquations,
    coordinates: [AssignedLimbs; 2],
}

impl Accumulator<'_> {
    fn pair(&self) -> Pair {
        let [x, y] = &self.coordinates;
        (x.value().clone(), y.value().clone())
    }

    fn double(&mut self) {
        self.coordinates = double(self.chip, self.equations, &self.pair());
    }

    /// Adds entries, two at a time: the second coordinate of the sum between is not computed.
    fn add_all(&mut self, due: &mut [(Digit, &mut AssignedScalar)]) {
        for pair in due.chunks_mut(2) {
            match pair {
                [first, second] => self.add_two(first, second),
                [single] => self.add(single),
                _ => unreachable!("chunks of two"),
            }
        }
    }

    fn addend(&self, digit: &Digit) -> Pair {
        let (x, y) = digit.entry.clone();
        let y = if digit.digit < 0 { Hints(self.equations.curve()).negated(&y) } else { y };
        (x, y)
    }

    /// The first coordinate of the sum with an entry, and the slope.
    fn chord(&self, (digit, scalar): &mut (Digit, &mut AssignedScalar)) -> (Pair, BigUint) {
        let (sum, addend) = (self.pair(), self.addend(digit));
        let hints = Hints(self.equations.curve());
        let slope = hints.chord(&sum, &addend);
        self.chip.relate_digit(&self.equations.digit_chord, scalar, digit, &slope);
        (hints.third(&slope, &sum, &addend.0), slope)
    }

    fn add(&mut self, single: &mut (Digit, &mut AssignedScalar)) {
        let (sum, _) = self.chord(single);
        let x = self.chip.relate(&self.equations.added, &[], &sum.0);
        let y = self.chip.relate(&self.equations.height, &[], &sum.1);
        self.coordinates = [x, y];
    }

    fn add_two(
        &mut self,
        first: &mut (Digit, &mut AssignedScalar),
        (digit, scalar): &mut (Digit, &mut AssignedScalar),
    ) {
        let (between, _) = self.chord(first);
        self.chip.relate(&self.equations.added, &[], &between.0);
        let hints = Hints(self.equations.curve());
        let addend = self.addend(digit);
        let slope = hints.chord(&between, &addend);
        self.chip.relate_digit(&self.equations.second_chord, scalar, digit, &slope);
        let sum = hints.third(&slope, &between, &addend.0);
        let x = self.chip.relate(&self.equations.second_added, &[], &sum.0);
        let [old_x, old_y] = &self.coordinates;
        let operands = [Element(old_x), Element(old_y)];
        let y = self.chip.relate(&self.equations.second_height, &operands, &sum.1);
        self.coordinates = [x, y];
    }

    fn assert_equal(&self, (x, y): &Pair) {
        for value in [x, y] {
            self.chip.relate(&self.equations.equals(value), &[], &BigUint::ZERO);
        }
    }
}

/// The residue of a signed scalar.
pub fn residue(scalar: &BigInt, order: &BigUint) -> BigUint {
    let order = BigInt::from(order.clone());
    (((scalar % &order) + &order) % &order).magnitude().clone()
}
