//! Where the parts of blocks are, and blocks as a malicious prover computes them, from what the cells around them hold
//! now. Tests alone ask for it, so it exists only in builds with debug assertions.

use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
};

use halo2_base::{
    halo2_proofs::halo2curves::{bn256::Fr, ff::Field},
    utils::{bigint_to_fe, biguint_to_fe},
};
use num_bigint::BigInt;
use num_traits::{One, Zero};

use super::{
    assigned::signed,
    block::{Block, FixedCell, OperandCell, Piece, APART_CELLS},
    chip::ForeignChip,
    equation::{Equation, Source, Terms, COORDINATES},
    power,
    witness::{Prepared, Record, Role},
    ForeignConfig,
};
use crate::place::Place;
use muster_schemes::field::foreign::DIGIT_BITS;

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

/// What the cells around a block hold.
type Values<'a> = &'a dyn Fn(At) -> Fr;

/// What the operands of a block hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The operands of its equation, or nothing.
    Plain,
    /// An entry, and the place that asked for it.
    Entry(Place),
    /// What a digit looks up.
    Asks,
}

/// A block as it was recorded.
#[derive(Clone, Debug)]
struct Known {
    prepared: Arc<Prepared>,
    part: Part,
    place: Place,
    /// Operands that are constants.
    constants: Vec<usize>,
}

/// All blocks of a circuit, and where their cells are.
#[derive(Clone, Debug)]
pub struct Blocks {
    block: Block,
    known: Vec<Known>,
    /// Columns of sums, then those of operands.
    columns: Vec<usize>,
}

impl Blocks {
    /// What `chip` recorded, in these columns.
    pub fn new(chip: &ForeignChip, columns: Vec<usize>) -> Self {
        let known = |(record, constants): (&Record, Vec<usize>)| Known {
            prepared: record.prepared.clone(),
            part: match record.role {
                Role::Plain => Part::Plain,
                Role::Entry { place, .. } => Part::Entry(place),
                Role::Asks(_) => Part::Asks,
            },
            place: record.place,
            constants,
        };
        let known = chip.records.borrow().iter().zip(chip.constants()).map(known).collect();
        Self { block: chip.block.clone(), known, columns }
    }

    /// Rows of a block.
    pub fn rows(&self) -> usize {
        self.block.rows()
    }

    /// Blocks.
    pub fn count(&self) -> usize {
        self.known.len()
    }

    /// What the operands of a block hold, and the place that asked for its equation.
    pub fn part(&self, id: usize) -> (Part, Place) {
        (self.known[id].part, self.known[id].place)
    }

    /// Bits of a limb.
    pub fn limb_bits(&self) -> usize {
        self.block.format().limb_bits()
    }

    fn equation(&self, id: usize) -> &Equation {
        &self.known[id].prepared.equation
    }

    /// Whether the equation constrains the result. One that does not ends a chain: it constrains only its other
    /// sources, or nothing.
    pub fn has_result(&self, id: usize) -> bool {
        self.equation(id).uses(Source::Result)
    }

    /// Whether the equation constrains nothing at all.
    pub fn is_free(&self, id: usize) -> bool {
        self.equation(id).sources().is_empty()
    }

    /// Whether the equation holds over the integers.
    pub fn is_of_integers(&self, id: usize) -> bool {
        self.equation(id).modulus().is_zero()
    }

    /// The top limb of a result, what makes it too long if added, and the cell that shows it; `None` if whole lookups
    /// end where the result does.
    pub fn too_long(&self) -> Option<(At, Fr, At)> {
        let spare = self.block.spare?;
        let format = self.block.format();
        let bits = format.element_bits() - format.limb_bits() * (format.limbs() - 1);
        let top = self.result(0)[format.limbs() - 1];
        Some((top, power(bits), self.sum(spare.column, spare.row)))
    }

    /// The limbs of a result that have several pieces, with the cells of these.
    pub fn split(&self) -> impl Iterator<Item = (usize, Vec<At>)> + '_ {
        self.block.split_limbs().map(|limb| {
            let pieces = self.block.result[limb].iter();
            (limb, pieces.flat_map(|piece| self.piece(piece)).collect())
        })
    }

    /// Whether an operand is used, by the equation of its block or of the one below.
    pub fn uses_operand(&self, id: usize, operand: usize) -> bool {
        let below = self.known.get(id + 1).map(|below| &below.prepared.equation);
        self.equation(id).uses(Source::Operand(operand))
            || below.is_some_and(|below| below.uses(Source::Above(operand)))
    }

    /// Whether an operand is a constant.
    pub fn is_constant(&self, id: usize, operand: usize) -> bool {
        self.known[id].constants.contains(&operand)
    }

    /// Operands of a block.
    pub fn operands(&self) -> usize {
        self.block.sums().operands()
    }

    /// Whether digits ask for entries.
    pub fn asks(&self) -> bool {
        self.block.sums().asks()
    }

    /// The limbs of an operand.
    pub fn operand(&self, operand: usize) -> Vec<At> {
        let limbs = 0..self.block.format().limbs();
        limbs.map(|limb| self.operand_cell(OperandCell::Limb(operand, limb))).collect()
    }

    /// The limbs of the result `above` blocks above, where equations read them.
    pub fn result(&self, above: usize) -> Vec<At> {
        let limb = |limb: usize| match self.block.result[limb][..] {
            [piece] => self.sum(piece.column, piece.row),
            _ => self.operand_cell(OperandCell::Whole(limb)),
        };
        self.up(above, (0..self.block.result.len()).map(limb))
    }

    /// What a result is computed from.
    pub fn result_reads(&self) -> Vec<At> {
        let sources: BTreeSet<_> = self.block.sums().all().flatten().copied().collect();
        let read = |source: &Source| match *source {
            Source::Result => vec![],
            Source::Back(blocks) => self.result(blocks),
            Source::Operand(operand) => self.operand(operand),
            Source::Turned => vec![self.operand_cell(OperandCell::Sign)],
            Source::Above(operand) => self.up(1, self.operand(operand).into_iter()),
        };
        let turned = (0..COORDINATES).filter(|_| self.asks()).flat_map(|i| self.operand(i));
        sources.iter().flat_map(read).chain(turned).collect()
    }

    /// The limbs of a result that meets the equation: `was`, if it does. `None` if there is none, or the equation does
    /// not determine it.
    pub fn solved(&self, id: usize, now: Values, was: Values) -> Option<Vec<Fr>> {
        let prepared = &self.known.get(id)?.prepared;
        let values: Vec<_> = self.sources(id, now).iter().map(|limbs| self.value(limbs)).collect();
        let was = self.value(&integers(self.result(0), was));
        let value = |source| values[prepared.place(source)].clone();
        let result = prepared.equation.solve(&value, was)?;
        let (bits, top) = (self.limb_bits(), self.block.format().limbs() - 1);
        let limb = |i: usize| {
            let high = &result >> (bits * i);
            // Whatever is too much for the limbs goes to the top one.
            bigint_to_fe(&if i == top { high } else { low_bits(&high, bits) })
        };
        Some((0..=top).map(limb).collect())
    }

    /// The running sum of a scalar before a digit, and the other cells that the one after it is computed from.
    pub fn before(&self) -> [At; 3] {
        [OperandCell::Before, OperandCell::Sign, OperandCell::Magnitude]
            .map(|cell| self.operand_cell(cell))
    }

    /// The running sum of a scalar after a digit.
    pub fn after(&self) -> At {
        self.operand_cell(OperandCell::After)
    }

    /// The value of [`Self::after`], if the block asks for an entry.
    pub fn summed(&self, id: usize, now: Values) -> Option<Fr> {
        self.known.get(id).filter(|known| known.part == Part::Asks)?;
        let [before, sign, magnitude] = self.before().map(now);
        Some(before * power(DIGIT_BITS) + sign * magnitude)
    }

    /// The other cells that a prover computes: the quotient, the carries, pieces of all numbers, and the cells that
    /// show that first coordinates differ.
    pub fn rest(&self) -> Vec<At> {
        let tops = self.result(0);
        let pieces = self.block.pieces().flat_map(|piece| self.piece(piece));
        let are_there = self.asks() || self.block.sums().apart();
        let differ = APART_CELLS.into_iter().filter(|_| are_there);
        let differ = differ.map(|cell| self.operand_cell(cell));
        pieces.filter(|at| !tops.contains(at)).chain(differ).collect()
    }

    /// The values of [`Self::rest`] for the result and the operands as they are.
    pub fn remade(&self, id: usize, now: Values) -> Option<Vec<Fr>> {
        let Known { prepared, part, .. } = self.known.get(id)?;
        let sources = self.sources(id, now);
        let witness = prepared.witness(&sources);
        let [quotient, carries] = [witness.quotient, witness.carries]
            .map(|numbers| numbers.into_iter().map(BigInt::from).collect::<Vec<_>>());
        let result = integers(self.result(0), now);
        let mut cells = HashMap::new();
        for (numbers, pieces) in [
            (&result, &self.block.result),
            (&quotient, &self.block.quotient),
            (&carries, &self.block.carries),
        ] {
            for (number, pieces) in numbers.iter().zip(pieces) {
                cells.extend(self.digits(number, pieces));
            }
        }
        if let Some(spare) = &self.block.spare {
            let (column, row) = self.block.top_digit();
            let digit = cells[&self.sum(column, row)];
            let shift = power(self.block.format().spare_bits());
            cells.insert(self.sum(spare.column, spare.row), digit * shift);
        }
        if *part == Part::Asks || prepared.equation.is_apart() {
            let values = APART_CELLS.into_iter().zip(prepared.apart(&sources));
            cells.extend(values.map(|(cell, value)| (self.operand_cell(cell), value)));
        }
        let cell = |at: At| cells.get(&at).copied().unwrap_or_else(|| now(at));
        Some(self.rest().into_iter().map(cell).collect())
    }

    fn sum(&self, column: usize, row: usize) -> At {
        (self.columns[column], row as i32)
    }

    fn operand_cell(&self, cell: OperandCell) -> At {
        let (column, row) = self.block.place(self.block.operand(cell));
        (self.columns[self.block.columns() + column], row as i32)
    }

    fn up(&self, blocks: usize, cells: impl Iterator<Item = At>) -> Vec<At> {
        let rows = (blocks * self.block.rows()) as i32;
        cells.map(|(column, row)| (column, row - rows)).collect()
    }

    fn piece(&self, piece: &Piece) -> Vec<At> {
        (0..piece.lookups).map(|i| self.sum(piece.column, piece.row + i)).collect()
    }

    /// The cells of a number in pieces. Whatever the last piece has no room for ends up in its last cell.
    fn digits(&self, number: &BigInt, pieces: &[Piece]) -> Vec<(At, Fr)> {
        let bits = self.block.format().lookup_bits();
        let last = pieces.len() - 1;
        let of_piece = |(i, piece): (usize, &Piece)| {
            let high = number >> (bits * piece.below);
            let part = if i == last { high } else { low_bits(&high, bits * piece.lookups) };
            let cells = self.piece(piece).into_iter().enumerate();
            cells.map(|(i, at)| (at, bigint_to_fe(&(&part >> (bits * i))))).collect::<Vec<_>>()
        };
        pieces.iter().enumerate().flat_map(of_piece).collect()
    }

    /// The limbs of the sources of a block's equation, in order.
    fn sources(&self, id: usize, now: Values) -> Vec<Vec<BigInt>> {
        let limbs = |source: &Source| match *source {
            Source::Result => integers(self.result(0), now),
            Source::Back(blocks) => integers(self.result(blocks), now),
            Source::Operand(operand) => integers(self.operand(operand), now),
            Source::Turned => {
                let sign = signed(&now(self.operand_cell(OperandCell::Sign)));
                integers(self.operand(1), now).into_iter().map(|limb| limb * &sign).collect()
            }
            Source::Above(operand) => integers(self.up(1, self.operand(operand).into_iter()), now),
        };
        self.known[id].prepared.sources.iter().map(limbs).collect()
    }

    /// The number that limbs make.
    fn value(&self, limbs: &[BigInt]) -> BigInt {
        let bits = self.limb_bits();
        limbs.iter().rev().fold(BigInt::zero(), |sum, limb| (sum << bits) + limb)
    }
}

fn low_bits(number: &BigInt, bits: usize) -> BigInt {
    number & ((BigInt::one() << bits) - 1)
}

fn integers(cells: Vec<At>, now: Values) -> Vec<BigInt> {
    cells.into_iter().map(|at| signed(&now(at))).collect()
}

impl Blocks {
    /// The quotient and the carries as elements of the native field for which the equation holds, whatever its sources
    /// are: only their ranges forbid them. `None` for equations over the integers.
    pub fn unbounded(&self, id: usize, now: Values) -> Option<Vec<(At, Fr)>> {
        let prepared = &self.known[id].prepared;
        let (format, bits) = (self.block.format(), self.limb_bits());
        let sources = self.sources(id, now);
        let limbs_of = |terms: &Terms| -> Vec<Fr> {
            let limb = |i: usize| -> BigInt {
                let terms = terms.iter();
                terms.map(|(source, f)| &sources[prepared.place(*source)][i] * f).sum()
            };
            (0..format.limbs()).map(|i| bigint_to_fe(&limb(i))).collect()
        };
        let products = prepared.equation.products().iter();
        let products: Vec<_> = products.map(|[x, y]| (limbs_of(x), limbs_of(y))).collect();
        let linear = limbs_of(prepared.equation.linear());
        let whole = |limbs: &[Fr]| {
            let parts = limbs.iter().enumerate().map(|(i, limb)| *limb * power(bits * i));
            parts.fold(Fr::zero(), |sum, part| sum + part)
        };
        let fixed = |cell| biguint_to_fe::<Fr>(&prepared.fixed[self.block.fixed(cell)]);
        let modulus: Vec<_> =
            (0..format.limbs()).map(|limb| fixed(FixedCell::Modulus(limb))).collect();
        let inverse = Option::<Fr>::from(whole(&modulus).invert())?;
        let sum = products.iter().map(|(x, y)| whole(x) * whole(y)).sum::<Fr>();
        // The whole quotient is in the lowest limb.
        let quotient = (sum + whole(&linear) + fixed(FixedCell::Constant)) * inverse;
        let at = |position: usize| {
            let convolution = |a: &[Fr], b: &[Fr]| {
                let pairs = (0..=position).filter_map(|i| Some(*a.get(i)? * b.get(position - i)?));
                pairs.fold(Fr::zero(), |sum, product| sum + product)
            };
            let limb = |limbs: &[Fr]| limbs.get(position).copied().unwrap_or(Fr::ZERO);
            let sum = products.iter().map(|(x, y)| convolution(x, y)).sum::<Fr>();
            sum + limb(&linear) - quotient * limb(&modulus)
        };
        let base = Option::<Fr>::from(power(self.block.group_bits()).invert())?;
        let mut carry = Fr::zero();
        let carries = (0..self.block.widths().carries).map(|group| {
            let first = group * format.group();
            let parts: Vec<_> = (first..first + format.group()).map(at).collect();
            carry = (whole(&parts) + fixed(FixedCell::GroupConstant(group)) + carry) * base;
            carry
        });
        let carries: Vec<_> = carries.collect();
        let (low, high) = self.block.quotient.split_first()?;
        let zeros = high.iter().map(|pieces| (pieces, Fr::zero()));
        let numbers = [(low, quotient)].into_iter().chain(zeros);
        let numbers = numbers.chain(self.block.carries.iter().zip(carries));
        Some(numbers.flat_map(|(pieces, value)| self.in_first_cell(pieces, value)).collect())
    }

    /// Such a value, in the first cell of its pieces.
    fn in_first_cell(&self, pieces: &[Piece], value: Fr) -> Vec<(At, Fr)> {
        let cells = pieces.iter().flat_map(|piece| self.piece(piece));
        let values = [value].into_iter().chain(std::iter::repeat(Fr::zero()));
        cells.zip(values).collect()
    }
}
