//! The sum of many multiples, with doublings that all terms share.

use std::sync::OnceLock;

use num_bigint::{BigInt, BigUint};
use num_traits::One;
use sha2::{Digest as _, Sha256};

use super::{
    point::{double, AssignedTable, Hints, Pair, Step},
    CurveEquations, Walk,
};
use crate::{
    curve::weierstrass::Curve,
    field::foreign::DIGIT_BITS,
    gate::foreign::{AssignedDigits, AssignedLimbs, Digit, ForeignChip, Operand::Element},
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
    /// What the digits above these make, if they stand in another term: the two make a scalar once they are joined.
    pub above: Option<BigInt>,
}

impl Term {
    /// A table by all digits of a scalar.
    pub fn new(table: AssignedTable, digits: Vec<i8>) -> Self {
        Self { table, digits, above: None }
    }

    /// What the digit at `place` adds.
    pub(super) fn addend(&self, curve: Curve, place: usize) -> Pair {
        let Digit { digit, entry: (x, y), .. } = self.digit(place);
        let y = if digit < 0 { Hints(curve).negated(&y) } else { y };
        (x, y)
    }

    fn digit(&self, place: usize) -> Digit {
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

/// Where sums start: the first point at or behind a hash. Who signs for a digest that was known when
/// the key was chosen can have a key whose logarithm is known to the base of this point and the
/// generator, though not to that of either; so sums that meet their addends can be made on purpose.
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

/// Constrains `Σ scalar·point = 0` and gives the digits of the scalars. That no sum meets the first coordinate of
/// the addend is constrained; `walk`, that of the terms, is what the prover says of all sums.
///
/// # Panics
/// If there are no terms, or the walk is that of others.
pub fn sum_of_multiples(
    chip: &ForeignChip,
    equations: &CurveEquations,
    terms: &[Term],
    walk: &Walk,
) -> Vec<AssignedDigits> {
    let windows = windows(terms);
    let start = offset(equations.curve());
    let (x, y) = &walk.start;
    let coordinates = [(&start.0, x), (&start.1, y)]
        .map(|(value, hint)| chip.relate(&equations.constant(value), &[], hint));
    let steps = walk.steps.iter();
    let mut sum = Accumulator { chip, equations, coordinates, steps };
    let scalar = |term: &Term| term.above.as_ref().map(AssignedDigits::below).unwrap_or_default();
    let mut scalars: Vec<_> = terms.iter().map(scalar).collect();
    for window in 0..windows {
        if window > 0 {
            (0..DIGIT_BITS).for_each(|_| sum.double());
        }
        let digits: Vec<_> =
            due(terms, window).map(|(term, place)| (term, terms[term].digit(place))).collect();
        sum.add_all(&digits, &mut scalars);
    }
    assert!(sum.steps.next().is_none(), "the walk is that of the terms");
    let factor = BigUint::one() << (DIGIT_BITS * (windows - 1));
    let curve = equations.curve().parameters();
    let end = curve.mul(&Some(start.clone()), &factor).expect("a prime order above the factor");
    sum.assert_equal(&end);
    chip.enter_all();
    scalars
}

/// A sum whose coordinates are the two blocks above.
struct Accumulator<'a> {
    chip: &'a ForeignChip,
    equations: &'a CurveEquations,
    coordinates: [AssignedLimbs; 2],
    /// What the prover says of the sums to come.
    steps: std::slice::Iter<'a, Step>,
}

impl<'a> Accumulator<'a> {
    fn step(&mut self) -> &'a Step {
        self.steps.next().expect("the walk is that of the terms")
    }

    fn double(&mut self) {
        let step = self.step();
        self.coordinates = double(self.chip, self.equations, step);
    }

    /// Adds the entries of terms, two at a time: the second coordinate of the sum between is not
    /// computed.
    fn add_all(&mut self, due: &[(usize, Digit)], scalars: &mut [AssignedDigits]) {
        for pair in due.chunks(2) {
            match pair {
                [(i, first), (j, second)] => {
                    self.chord(first, &mut scalars[*i]);
                    self.add_second(second, &mut scalars[*j]);
                }
                [(i, single)] => {
                    let (x, y) = self.chord(single, &mut scalars[*i]);
                    let y = self.chip.relate(&self.equations.height, &[], y);
                    self.coordinates = [x, y];
                }
                _ => unreachable!("chunks of two"),
            }
        }
    }

    /// The slope of the chord to an entry, and the first coordinate of the sum; the second one is
    /// still a hint.
    fn chord(
        &mut self,
        digit: &Digit,
        scalar: &mut AssignedDigits,
    ) -> (AssignedLimbs, &'a BigUint) {
        let Step { slope, sum: (x, y) } = self.step();
        self.chip.relate_digit(&self.equations.digit_chord, scalar, digit, slope);
        (self.chip.relate(&self.equations.added, &[], x), y)
    }

    /// The same for the second of two entries, and the sum with both.
    fn add_second(&mut self, digit: &Digit, scalar: &mut AssignedDigits) {
        let Step { slope, sum: (x, y) } = self.step();
        self.chip.relate_digit(&self.equations.second_chord, scalar, digit, slope);
        let x = self.chip.relate(&self.equations.second_added, &[], x);
        let [old_x, old_y] = &self.coordinates;
        let operands = [Element(old_x), Element(old_y)];
        let y = self.chip.relate(&self.equations.second_height, &operands, y);
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
