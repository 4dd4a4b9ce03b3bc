//! The sum of many multiples, with doublings that all terms share.

use num_bigint::{BigInt, BigUint};
use num_traits::One;

use super::{
    point::{double, Pair, Step},
    walk::{due, offset, windows, Term},
    CurveEquations, Walk,
};
use muster_gates::foreign::{
    AssignedDigits, AssignedLimbs, Cursor, Digit, ForeignChip, Operand::Element,
};
use muster_schemes::field::foreign::DIGIT_BITS;

/// Constrains `h·Σ scalar·point = 0` for the cofactor `h` of the curve, and returns the digits of the scalars. It also
/// constrains that no sum has the first coordinate of its addend. `walk`, which belongs to the terms, is what the
/// prover claims about all sums.
///
/// # Panics
/// If there are no terms, or the walk belongs to other terms.
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
    let cursor = chip.below(&[&coordinates[0], &coordinates[1]]);
    let steps = walk.steps.iter();
    let mut sum = Accumulator { cursor, equations, coordinates, steps };
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
    let curve = equations.curve();
    (0..curve.cofactor_bits()).for_each(|_| sum.double());
    assert!(sum.steps.next().is_none(), "the walk is that of the terms");
    let factor = BigUint::one() << (DIGIT_BITS * (windows - 1) + curve.cofactor_bits());
    let end = curve.parameters().mul(&Some(start.clone()), &factor);
    let end = end.expect("the order of the start has a large prime factor");
    sum.assert_equal(&end);
    chip.enter_all();
    scalars
}

/// A sum whose coordinates are the two blocks above the cursor.
struct Accumulator<'a> {
    cursor: Cursor<'a>,
    equations: &'a CurveEquations,
    coordinates: [AssignedLimbs; 2],
    /// What the prover claims about the sums to come.
    steps: std::slice::Iter<'a, Step>,
}

impl<'a> Accumulator<'a> {
    fn step(&mut self) -> &'a Step {
        self.steps.next().expect("the walk is that of the terms")
    }

    fn double(&mut self) {
        let step = self.step();
        self.coordinates = double(&mut self.cursor, self.equations, step);
    }

    /// Adds the entries of terms, two at a time: the second coordinate of the sum in between is not
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
                    let y = self.cursor.relate(&self.equations.height, &[], y);
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
        self.cursor.relate_digit(&self.equations.digit_chord, scalar, digit, slope);
        (self.cursor.relate(&self.equations.added, &[], x), y)
    }

    /// The same for the second of two entries, and the sum with both.
    fn add_second(&mut self, digit: &Digit, scalar: &mut AssignedDigits) {
        let Step { slope, sum: (x, y) } = self.step();
        self.cursor.relate_digit(&self.equations.second_chord, scalar, digit, slope);
        let x = self.cursor.relate(&self.equations.second_added, &[], x);
        let [old_x, old_y] = &self.coordinates;
        let operands = [Element(old_x), Element(old_y)];
        let y = self.cursor.relate(&self.equations.second_height, &operands, y);
        self.coordinates = [x, y];
    }

    fn assert_equal(&mut self, (x, y): &Pair) {
        for value in [x, y] {
            self.cursor.relate(&self.equations.equals(value), &[], &BigUint::ZERO);
        }
    }
}

/// The residue of a signed scalar.
pub fn residue(scalar: &BigInt, order: &BigUint) -> BigUint {
    let order = BigInt::from(order.clone());
    (((scalar % &order) + &order) % &order).magnitude().clone()
}
