//! The rows of a relation.

use num_bigint::BigUint;

use super::{
    equation::{Equation, Place, OPERANDS},
    witness::Witness,
};
use crate::field::foreign::{Format, Widths};

/// The shape of all relations of a gate: limbs, and ranges of quotients and carries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    format: Format,
    widths: Widths,
}

impl Block {
    /// The shape that serves `equations`, whose primes have one length. `native` is the native
    /// prime, `lookup_bits` the width of a lookup.
    ///
    /// # Panics
    /// If there are no equations, or their bounds do not hold, or their operands do not fit.
    pub fn new(native: &BigUint, lookup_bits: usize, equations: &[Equation]) -> Self {
        let longest = equations.iter().map(|equation| &equation.modulus).max();
        let longest = longest.expect("there are equations");
        let format = Format::cheapest(native, longest, lookup_bits);
        let relations = equations
            .iter()
            .map(|equation| (format.with_modulus(&equation.modulus), equation.relation()));
        let bits = [format.element_bits(); OPERANDS + 1];
        let widths = Widths::common(&relations.collect::<Vec<_>>(), &bits);
        let block = Self { format, widths: widths.expect("the bounds of the equations hold") };
        assert!(OPERANDS * block.format.limbs() <= block.rows(), "the operands fit the rows");
        assert!(Place::count(&block) <= block.rows(), "the coefficients fit the rows");
        block
    }

    /// Limbs, for the longest prime.
    pub fn format(&self) -> &Format {
        &self.format
    }

    /// Ranges of quotients and carries.
    pub fn widths(&self) -> Widths {
        self.widths
    }

    /// Rows of a relation: one a lookup.
    pub fn rows(&self) -> usize {
        self.lookups(self.format.element_bits()) + self.widths.lookups(&self.format)
    }

    /// Bits of a group of limbs.
    pub(super) fn group_bits(&self) -> usize {
        self.format.group() * self.format.limb_bits()
    }

    fn lookups(&self, bits: usize) -> usize {
        self.format.rounded(bits) / self.format.lookup_bits()
    }

    /// Rows of the limbs of the result.
    pub(super) fn result_rows(&self) -> Vec<usize> {
        self.limb_rows(0, self.format.element_bits())
    }

    /// Rows of the limbs of the quotient.
    pub(super) fn quotient_rows(&self) -> Vec<usize> {
        let first = self.lookups(self.format.element_bits());
        self.limb_rows(first, self.widths.quotient)
    }

    /// Row of a carry.
    pub(super) fn carry_row(&self, group: usize) -> usize {
        let before = self.format.element_bits() + self.widths.quotient;
        self.lookups(before) + group * self.lookups(self.widths.carry)
    }

    /// Rows of the limbs of an operand, in the other column.
    pub(super) fn operand_rows(&self, operand: usize) -> std::ops::Range<usize> {
        let limbs = self.format.limbs();
        operand * limbs..(operand + 1) * limbs
    }

    fn limb_rows(&self, first: usize, bits: usize) -> Vec<usize> {
        let lookups = self.format.limb_bits() / self.format.lookup_bits();
        (0..self.format.limb_widths(bits).len()).map(|limb| first + limb * lookups).collect()
    }

    /// The cells of the sums' column, and whether the running sum goes on behind each.
    pub(super) fn running_sums(&self, witness: &Witness) -> Vec<(BigUint, bool)> {
        let (format, widths) = (&self.format, self.widths);
        let result = witness.result.iter().zip(format.limb_widths(format.element_bits()));
        let quotient = witness.quotient.iter().zip(format.limb_widths(widths.quotient));
        let carries = witness.carries.iter().map(|carry| (carry, widths.carry));
        let chain = |(number, bits): (&BigUint, usize)| {
            let lookups = self.lookups(bits);
            let shift = format.lookup_bits();
            let number = number.clone();
            (0..lookups).map(move |i| (&number >> (i * shift), i + 1 < lookups))
        };
        result.chain(quotient).chain(carries).flat_map(chain).collect()
    }
}
