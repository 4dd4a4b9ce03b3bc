//! Where the parts of a relation are, to count free cells.

use super::{
    block::{FixedCell, OperandCell},
    source::Source,
    ForeignConfig,
};

/// The cells of a block, by the index of their column and the row in the block.
#[derive(Debug)]
pub struct Parts {
    /// The fixed column that is 1 on the first row of each block.
    pub select: usize,
    /// Rows of a block.
    pub rows: usize,
    /// Bits of an element.
    pub bits: usize,
    /// Bits of a limb.
    pub limb_bits: usize,
    /// Polynomials that state the equation: one over the native field, and one for each carry.
    pub checks: usize,
    /// The limbs of the result, where other equations read them.
    pub result: Vec<At>,
    /// The pieces of the quotient and of the carries.
    pub hidden: Vec<At>,
    /// The factors of each product, one after the other, and what is added to the products.
    pub sums: Vec<Vec<Summand>>,
    /// The limbs of the prime, fixed.
    pub modulus: Vec<At>,
}

/// Column of a cell, and how far below the first row of the block.
pub type At = (usize, i32);

/// A number that may occur in a sum.
#[derive(Debug)]
pub struct Summand {
    /// The fixed cell of its factor in the sum.
    pub factor: At,
    /// Its limbs.
    pub limbs: Vec<At>,
    /// The sign of a digit, if it is multiplied by that too.
    pub sign: Option<At>,
}

impl ForeignConfig {
    /// The parts of each block.
    pub fn parts(&self) -> Parts {
        let block = &self.block;
        let hidden = block.quotient.iter().chain(&block.carries).flatten();
        let sums = block.sums().all().enumerate();
        let modulus = 0..block.format().limbs();
        Parts {
            select: self.select.index(),
            rows: block.rows(),
            bits: block.format().element_bits(),
            limb_bits: block.format().limb_bits(),
            checks: 1 + block.widths().carries,
            result: self.result_at(0),
            hidden: hidden.map(|piece| self.sum_at(piece.column, piece.row)).collect(),
            sums: sums.map(|(sum, sources)| self.summands(sum, sources)).collect(),
            modulus: modulus.map(|limb| self.fixed_at(FixedCell::Modulus(limb))).collect(),
        }
    }

    fn summands(&self, sum: usize, sources: &[Source]) -> Vec<Summand> {
        let summand = |(place, source): (usize, &Source)| Summand {
            factor: self.fixed_at(FixedCell::Factor(sum, place)),
            limbs: self.limbs_at(*source),
            sign: (*source == Source::Turned).then(|| self.operand_at(OperandCell::Sign)),
        };
        sources.iter().enumerate().map(summand).collect()
    }

    fn limbs_at(&self, source: Source) -> Vec<At> {
        let operand = |operand: usize| {
            let limbs = 0..self.block.format().limbs();
            limbs.map(move |limb| self.operand_at(OperandCell::Limb(operand, limb)))
        };
        match source {
            Source::Result => self.result_at(0),
            Source::Back(blocks) => self.result_at(blocks),
            Source::Operand(number) => operand(number).collect(),
            Source::Turned => operand(1).collect(),
            Source::Above(number) => {
                operand(number).map(|(column, row)| (column, row - self.rows())).collect()
            }
        }
    }

    /// The limbs of the result `above` blocks above.
    fn result_at(&self, above: usize) -> Vec<At> {
        let limb = |limb: usize| {
            let (column, row) = match self.block.result[limb][..] {
                [piece] => self.sum_at(piece.column, piece.row),
                _ => self.operand_at(OperandCell::Whole(limb)),
            };
            (column, row - above as i32 * self.rows())
        };
        (0..self.block.result.len()).map(limb).collect()
    }

    fn rows(&self) -> i32 {
        self.block.rows() as i32
    }

    fn sum_at(&self, column: usize, row: usize) -> At {
        (self.sums[column].index(), row as i32)
    }

    fn operand_at(&self, cell: OperandCell) -> At {
        let (column, row) = self.block.place(self.block.operand(cell));
        (self.operands[column].index(), row as i32)
    }

    fn fixed_at(&self, cell: FixedCell) -> At {
        let (column, row) = self.block.place(self.block.fixed(cell));
        (self.fixed[column].index(), row as i32)
    }
}
