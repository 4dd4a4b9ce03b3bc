//! The place of a block whose equation reads the results of blocks above.

use num_bigint::BigUint;

use super::{
    assigned::{AssignedDigits, AssignedLimbs, Digit, Operand},
    chip::ForeignChip,
    equation::Equation,
};
use crate::place::Place;

/// The place right below known blocks.
///
/// An equation reads results above it by rotation. No copy says whose they are, only the order of the blocks does. So
/// such an equation can be recorded only here, where each block that it reaches was named by its result or recorded by
/// the cursor itself. A cursor cannot be cloned, and is useless once anything else records a block.
#[derive(Debug)]
pub struct Cursor<'a> {
    chip: &'a ForeignChip,
    /// The number of the next block.
    next: usize,
    /// Blocks above it that are known.
    known: usize,
}

impl ForeignChip {
    /// The place right below the blocks of these results, which are consecutive, the uppermost first.
    ///
    /// # Panics
    /// If they are not the last blocks that were recorded.
    pub fn below(&self, results: &[&AssignedLimbs]) -> Cursor<'_> {
        let (next, known) = (self.count(), results.len());
        for (place, result) in results.iter().enumerate() {
            let stands = result.home.is_some_and(|home| home + known == next + place);
            assert!(stands, "result {place} of {known} stands where the cursor takes it to be");
        }
        Cursor { chip: self, next, known }
    }
}

impl Cursor<'_> {
    /// As [`ForeignChip::relate`], for an equation that may reach the blocks above.
    ///
    /// # Panics
    /// If the equation reaches a block that is not known, or something else has recorded one; or as
    /// [`ForeignChip::relate`].
    #[track_caller]
    pub fn relate(
        &mut self,
        equation: &Equation,
        operands: &[Operand],
        result: &BigUint,
    ) -> AssignedLimbs {
        self.advance(equation);
        self.chip.record(Place::here(), equation, operands, result)
    }

    /// Records `equation` over the entry of a table, and appends the digit to others. The sum `Y`
    /// of the equation must not vanish modulo its prime.
    ///
    /// # Panics
    /// As [`Self::relate`].
    #[track_caller]
    pub fn relate_digit(
        &mut self,
        equation: &Equation,
        digits: &mut AssignedDigits,
        digit: &Digit,
        result: &BigUint,
    ) -> AssignedLimbs {
        self.advance(equation);
        self.chip.record_digit(Place::here(), equation, digits, (digit, result))
    }

    fn advance(&mut self, equation: &Equation) {
        assert_eq!(self.next, self.chip.count(), "nobody else records below a cursor");
        assert!(equation.reach() <= self.known, "an equation reaches blocks that are known");
        self.next += 1;
        self.known += 1;
    }
}
