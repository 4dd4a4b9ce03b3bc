//! Recorded blocks as a malicious prover computes them, from what the cells around them hold now.

use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
};

use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, utils::bigint_to_fe};
use num_bigint::BigInt;
use num_traits::{One, Zero};

use super::{
    assigned::signed,
    block::{Block, OperandCell, Piece, APART_CELLS},
    chip::ForeignChip,
    equation::Equation,
    power,
    record::{Record, Role},
    source::Source,
    sums::COORDINATES,
    witness::Prepared,
};
use crate::place::Place;
use muster_schemes::field::foreign::DIGIT_BITS;

/// Column of a cell, and how far below the first row of its block.
pub(super) type At = (usize, i32);
/// What the cells around a block hold.
pub(super) type Values<'a> = &'a dyn Fn(At) -> Fr;

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
pub(super) struct Known {
    pub(super) prepared: Arc<Prepared>,
    part: Part,
    place: Place,
    /// Operands that are constants.
    constants: Vec<usize>,
}

/// All blocks of a circuit, and where their cells are.
#[derive(Clone, Debug)]
pub struct Blocks {
    pub(super) block: Block,
    pub(super) known: Vec<Known>,
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
        let result = prepared.equation.solve(value, was)?;
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

    pub(super) fn sum(&self, column: usize, row: usize) -> At {
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

    pub(super) fn piece(&self, piece: &Piece) -> Vec<At> {
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
    pub(super) fn sources(&self, id: usize, now: Values) -> Vec<Vec<BigInt>> {
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
