//! Where the parts of a relation stand, for the count of free cells.

use super::ForeignConfig;

/// The cells of a block, by the index of their column and the row in the block.
#[derive(Debug)]
pub(crate) struct Parts {
    /// The fixed column that is 1 on the first row of each block.
    pub(crate) select: usize,
    /// Rows of a block.
    pub(crate) rows: usize,
    /// Bits of an element.
    pub(crate) bits: usize,
    /// Polynomials that say the equation: one over the native field, one a carry.
    pub(crate) checks: usize,
    /// The limbs of the result, each where other equations read it.
    pub(crate) result: Vec<(usize, usize)>,
    /// The pieces of the quotient and of the carries.
    pub(crate) hidden: Vec<(usize, usize)>,
}

impl ForeignConfig {
    /// The parts of each block.
    pub(crate) fn parts(&self) -> Parts {
        let block = &self.block;
        let sum = |column: usize| self.sums[column].index();
        let limb = |limb: usize| match block.result[limb][..] {
            [piece] => (sum(piece.column), piece.row),
            _ => {
                let (column, row) = block.place(block.operand(super::OperandCell::Whole(limb)));
                (self.operands[column].index(), row)
            }
        };
        let hidden = block.quotient.iter().chain(&block.carries).flatten();
        Parts {
            select: self.select.index(),
            rows: block.rows(),
            bits: block.format().element_bits(),
            checks: 1 + block.widths().carries,
            result: (0..block.result.len()).map(limb).collect(),
            hidden: hidden.map(|piece| (sum(piece.column), piece.row)).collect(),
        }
    }
}
