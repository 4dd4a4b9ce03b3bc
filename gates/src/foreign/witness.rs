//! What the prover computes and writes: what is recorded, quotients and carries, results that meet an equation, and the
//! cells of all of it.

use std::sync::Arc;

use halo2_base::{
    halo2_proofs::{
        circuit::{Region, Value},
        halo2curves::{bn256::Fr, ff::Field},
        plonk::{Advice, Column, Fixed},
    },
    utils::{bigint_to_fe, biguint_to_fe},
    virtual_region::manager::VirtualRegionManager,
    QuantumCell,
};
use num_bigint::{BigInt, BigUint, Sign};
use num_traits::{Euclid, One, Zero};
use rayon::prelude::*;

use super::{
    block::{Block, FixedCell, OperandCell, Piece, APART_CELLS},
    chip::ForeignChip,
    equation::{Equation, Source, Terms, COORDINATES},
    power, ForeignConfig,
};
use crate::{border, place::Place, range};
use muster_schemes::field::foreign::{
    relation::{Checks, Operands},
    Format, Relation,
};

/// A recorded relation.
#[derive(Clone, Debug)]
pub(super) struct Record {
    pub(super) prepared: Arc<Prepared>,
    pub(super) operands: Vec<Vec<BigInt>>,
    /// Operands that are bound for the equation: none in a block that holds a table entry.
    pub(super) given: usize,
    pub(super) result: Vec<BigInt>,
    pub(super) role: Role,
    /// The place that asks for it.
    pub(super) place: Place,
}

#[derive(Clone, Debug)]
pub(super) enum Role {
    Plain,
    Entry { place: Place, table: usize, digit: u8 },
    Asks(Asked),
}

/// The entry of a table that a relation asks for, and the running sums around its digit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked {
    pub(super) table: usize,
    pub(super) digit: i8,
    pub(super) before: Fr,
    pub(super) after: Fr,
}

/// An entry that no block holds yet.
#[derive(Clone, Debug)]
pub(super) struct Waiting {
    /// The place that asks for it.
    pub(super) place: Place,
    pub(super) table: usize,
    pub(super) digit: u8,
    /// The limbs of both coordinates: where they come from, and what they are.
    pub(super) coordinates: [Vec<(QuantumCell<Fr>, BigInt)>; COORDINATES],
}

/// Where nothing is written: a result, or an operand that the equation does not use.
pub(super) fn zeros(block: &Block) -> Vec<BigInt> {
    vec![BigInt::zero(); block.format().limbs()]
}

/// An equation, its bounds and its fixed cells.
#[derive(Debug)]
pub(super) struct Prepared {
    pub(super) equation: Equation,
    /// Its sources, in the order of its relation.
    pub(super) sources: Vec<Source>,
    relation: Relation,
    format: Format,
    checks: Checks,
    /// By cell number, reduced modulo the native prime.
    pub(super) fixed: Vec<BigUint>,
}

/// The witnessed numbers of a block besides its result, shifted so that none is negative.
#[derive(Clone, Debug)]
pub(super) struct Witness {
    /// Limbs of the quotient.
    pub(super) quotient: Vec<BigUint>,
    pub(super) carries: Vec<BigUint>,
}

impl Prepared {
    /// # Panics
    /// If the block was not made for the equation.
    pub(super) fn new(block: &Block, equation: &Equation) -> Self {
        assert!(block.sums().hold(equation), "the sums of the gate were made for this equation");
        let format = block.format().with_modulus(equation.modulus());
        let (relation, widths) = (equation.relation(), block.widths());
        let checks = relation.checks_of(&format, &equation.ranges(), widths);
        let checks = checks.expect("the bounds of the equation hold");
        let fits = checks.quotient.bits == widths.quotient
            && checks.carries.len() == widths.carries
            && checks.carries.iter().all(|carry| carry.bits == widths.carry);
        assert!(fits, "the block was made for this equation");
        let (equation, sources) = (equation.clone(), equation.sources());
        let mut prepared = Self { equation, sources, relation, format, checks, fixed: vec![] };
        prepared.fixed = prepared.fixed_cells(block);
        prepared
    }

    /// The place of a source among those of the equation.
    ///
    /// # Panics
    /// If the equation does not use it.
    pub(super) fn place(&self, source: Source) -> usize {
        self.sources.binary_search(&source).expect("the equation speaks of it")
    }

    fn fixed_cells(&self, block: &Block) -> Vec<BigUint> {
        let count = block.fixed(FixedCell::GroupConstant(self.checks.carries.len()));
        let mut cells = vec![BigUint::zero(); count];
        let native = BigInt::from(self.format.native().clone());
        let mut set = |cell: FixedCell, value: BigInt| {
            cells[block.fixed(cell)] = value.rem_euclid(&native).magnitude().clone();
        };
        for (sum, factors) in block.sums().factors(&self.equation).into_iter().enumerate() {
            for (place, factor) in factors.into_iter().enumerate() {
                set(FixedCell::Factor(sum, place), factor.into());
            }
        }
        let modulus = self.format.split(self.format.modulus(), self.format.limbs());
        for (limb, value) in modulus.into_iter().enumerate() {
            set(FixedCell::Modulus(limb), value.into());
        }
        let constant = self.relation.exact_constant(&self.format, &self.checks.quotient);
        set(FixedCell::Constant, constant);
        let mut before = BigInt::zero();
        for (group, carry) in self.checks.carries.iter().enumerate() {
            // The carries' offsets are part of the constants.
            let mut sum = before - &carry.offset * (BigInt::one() << block.group_bits());
            for place in 0..self.format.group() {
                let position = group * self.format.group() + place;
                let limb = self.constant_limb(position);
                sum += limb << (place * self.format.limb_bits());
            }
            set(FixedCell::GroupConstant(group), sum);
            before = carry.offset.clone();
        }
        cells
    }

    fn constant_limb(&self, position: usize) -> BigInt {
        self.relation.constant_limb(&self.format, &self.checks.quotient, position).into()
    }

    /// The honest prover's values, from the limbs of all sources. If the result does not satisfy the
    /// equation, they still fit their cells, but the constraints do not hold.
    pub(super) fn witness(&self, sources: &[Vec<BigInt>]) -> Witness {
        let quotient = self.quotient(sources);
        let modulus = self.format.split(self.format.modulus(), self.format.limbs());
        let group_bits = self.format.group() * self.format.limb_bits();
        let (mut carries, mut carry) = (vec![], BigInt::zero());
        for (group, shifted) in self.checks.carries.iter().enumerate() {
            let mut sum = carry;
            for place in 0..self.format.group() {
                let position = group * self.format.group() + place;
                let part = self.part(sources, (&quotient, &modulus), position);
                sum += part << (place * self.format.limb_bits());
            }
            // An arithmetic shift rounds down.
            let found = fitted((sum >> group_bits) - &shifted.offset, shifted.bits);
            carry = BigInt::from(found.clone()) + &shifted.offset;
            carries.push(found);
        }
        Witness { quotient, carries }
    }

    fn quotient(&self, sources: &[Vec<BigInt>]) -> Vec<BigUint> {
        let checks = &self.checks.quotient;
        let count = self.format.limb_widths(checks.bits).len();
        if self.format.modulus().is_zero() {
            return vec![BigUint::zero(); count];
        }
        let values: Vec<_> = sources.iter().map(|limbs| self.value(limbs)).collect();
        let mut sum = self.relation.constant.clone();
        for (factor, term) in &self.relation.terms {
            sum += match term {
                Operands::Product(a, b) => &values[*a] * &values[*b] * factor,
                Operands::Linear(x) => &values[*x] * factor,
            };
        }
        let modulus = BigInt::from(self.format.modulus().clone());
        let quotient = fitted(sum.div_euclid(&modulus) - &checks.offset, checks.bits);
        self.format.split(&quotient, count)
    }

    fn value(&self, limbs: &[BigInt]) -> BigInt {
        let add = |sum: BigInt, limb: &BigInt| (sum << self.format.limb_bits()) + limb;
        limbs.iter().rev().fold(BigInt::zero(), add)
    }

    /// `Y₀`, and the inverse that shows that it does not vanish; 0 if it does.
    pub(super) fn apart(&self, sources: &[Vec<BigInt>]) -> [Fr; 2] {
        let terms = self.equation.difference().into_iter().flatten();
        let terms =
            terms.map(|(source, factor)| self.value(&sources[self.place(*source)]) * factor);
        let native = BigInt::from(self.format.native().clone());
        let residue = |number: BigInt| bigint_to_fe::<Fr>(&number.rem_euclid(&native));
        let difference = residue(terms.sum());
        let modulus = residue(self.equation.modulus().clone().into());
        let product = difference * (difference - modulus) * (difference + modulus);
        [difference, Option::from(product.invert()).unwrap_or(Fr::ZERO)]
    }

    /// The coefficient of `2^(b·position)` in the difference.
    fn part(
        &self,
        sources: &[Vec<BigInt>],
        (quotient, modulus): (&[BigUint], &[BigUint]),
        position: usize,
    ) -> BigInt {
        let mut part = self.constant_limb(position);
        for (factor, term) in &self.relation.terms {
            match term {
                Operands::Product(a, b) => {
                    let (a, b) = (&sources[*a], &sources[*b]);
                    for (i, u) in a.iter().enumerate().take(position + 1) {
                        part += b.get(position - i).map_or(BigInt::zero(), |v| u * v * factor);
                    }
                }
                Operands::Linear(x) => {
                    part += sources[*x].get(position).map_or(BigInt::zero(), |u| u * factor);
                }
            }
        }
        for (i, u) in quotient.iter().enumerate().take(position + 1) {
            if let Some(v) = modulus.get(position - i) {
                part -= BigInt::from_biguint(Sign::Plus, u * v);
            }
        }
        part
    }
}

/// `number` modulo `2^bits`: the number itself, if it fits.
fn fitted(number: BigInt, bits: usize) -> BigUint {
    number.rem_euclid(&(BigInt::one() << bits)).magnitude().clone()
}

impl Equation {
    /// A result that meets it, for the values of all other sources: `was`, if it does. `None` if there is none, or the
    /// equation does not determine it.
    pub fn solve(&self, value: impl Fn(Source) -> BigInt, was: BigInt) -> Option<BigInt> {
        // Each sum as `a + b·R`.
        let parts = |terms: &Terms| {
            let mut parts = [BigInt::zero(), BigInt::zero()];
            for (source, factor) in terms {
                match source {
                    Source::Result => parts[1] += *factor,
                    other => parts[0] += value(*other) * factor,
                }
            }
            parts
        };
        let [start, mut slope] = parts(self.linear());
        let mut start = start + self.relation().constant;
        let mut square = BigInt::zero();
        for [x, y] in self.products() {
            let ([x, x1], [y, y1]) = (parts(x), parts(y));
            square += &x1 * &y1;
            slope += &x * &y1 + &x1 * &y;
            start += x * y;
        }
        if square.is_zero() && slope.is_zero() {
            return None;
        }
        if self.modulus().is_zero() {
            let (quotient, rest) = ((-&start).div_euclid(&slope), (-&start).rem_euclid(&slope));
            return (square.is_zero() && rest.is_zero()).then_some(quotient);
        }
        let p = BigInt::from(self.modulus().clone());
        let residue = |number: BigInt| number.rem_euclid(&p);
        if residue(&square * &was * &was + &slope * &was + &start).is_zero() {
            return Some(was);
        }
        if square.is_zero() {
            let inverse = residue(slope).modinv(&p)?;
            return Some(residue(-start * inverse));
        }
        // `(R - m)² = a`: a root is a power where the prime is 3 modulo 4, and that or the same times a root of -1
        // where it is 5 modulo 8.
        let inverse = residue(square).modinv(&p)?;
        let middle = residue(-slope * &inverse * ((&p + 1) >> 1));
        let a = residue(&middle * &middle - start * inverse);
        let is_three = (&p % 4) == BigInt::from(3);
        let exponent = if is_three { (&p + 1) >> 2 } else { (&p + 3) >> 3 };
        let root = a.modpow(&exponent, &p);
        let other = residue(&root * BigInt::from(2).modpow(&((&p - 1) >> 2), &p));
        let is_root = |root: &BigInt| residue(root * root) == a;
        let root = [root, other].into_iter().find(is_root)?;
        Some(residue(middle + root))
    }
}

/// The advice cells of a block, column by column.
struct Written {
    sums: Vec<Fr>,
    operands: Vec<Fr>,
}

impl Written {
    fn new(block: &Block, records: &[Record], id: usize) -> Self {
        let record = &records[id];
        let sources = sources(records, id);
        let witness = record.prepared.witness(&sources);
        let mut written = Self {
            sums: vec![Fr::zero(); block.columns() * block.rows()],
            operands: vec![Fr::zero(); block.operand_cells()],
        };
        let result: Vec<_> = record.result.iter().map(|limb| limb.magnitude().clone()).collect();
        for (numbers, pieces) in [
            (&result, &block.result),
            (&witness.quotient, &block.quotient),
            (&witness.carries, &block.carries),
        ] {
            for (number, pieces) in numbers.iter().zip(pieces) {
                pieces.iter().for_each(|piece| written.put(block, number, piece));
            }
        }
        if let Some(spare) = &block.spare {
            let (column, row) = block.top_digit();
            let shift = power(block.format().spare_bits());
            let top = written.sums[column * block.rows() + row];
            written.sums[spare.column * block.rows() + spare.row] = top * shift;
        }
        for limb in block.split_limbs() {
            let cell = block.operand(OperandCell::Whole(limb));
            written.operands[cell] = small(&result[limb]);
        }
        for (operand, limbs) in record.operands.iter().enumerate() {
            for (limb, value) in limbs.iter().enumerate() {
                let cell = block.operand(OperandCell::Limb(operand, limb));
                written.operands[cell] = bigint_to_fe(value);
            }
        }
        let asks = match record.role {
            Role::Asks(asked) => {
                written.put_digit(block, asked);
                true
            }
            Role::Plain | Role::Entry { .. } => false,
        };
        if asks || record.prepared.equation.is_apart() {
            written.put_difference(block, &record.prepared, &sources);
        }
        written
    }

    /// A piece of a number: its digits from `below` on.
    fn put(&mut self, block: &Block, number: &BigUint, piece: &Piece) {
        let bits = block.format().lookup_bits();
        let mask = (BigUint::one() << (bits * piece.lookups)) - 1u8;
        let part = (number >> (bits * piece.below)) & mask;
        for i in 0..piece.lookups {
            let cell = piece.column * block.rows() + piece.row + i;
            self.sums[cell] = small(&(&part >> (bits * i)));
        }
    }

    fn put_digit(&mut self, block: &Block, Asked { digit, before, after, .. }: Asked) {
        for (cell, value) in [
            (OperandCell::Sign, bigint_to_fe(&digit.signum().into())),
            (OperandCell::Magnitude, Fr::from(u64::from(digit.unsigned_abs()))),
            (OperandCell::Before, before),
            (OperandCell::After, after),
        ] {
            self.operands[block.operand(cell)] = value;
        }
    }

    fn put_difference(&mut self, block: &Block, prepared: &Prepared, sources: &[Vec<BigInt>]) {
        for (cell, value) in APART_CELLS.into_iter().zip(prepared.apart(sources)) {
            self.operands[block.operand(cell)] = value;
        }
    }
}

/// The limbs of a relation's sources.
fn sources(records: &[Record], id: usize) -> Vec<Vec<BigInt>> {
    let record = &records[id];
    let limbs = |source: &Source| match (*source, &record.role) {
        (Source::Result, _) => record.result.clone(),
        (Source::Back(blocks), _) => records[id - blocks].result.clone(),
        (Source::Operand(operand), _) => record.operands[operand].clone(),
        (Source::Turned, Role::Asks(Asked { digit, .. })) => {
            record.operands[1].iter().map(|limb| limb * digit.signum()).collect()
        }
        (Source::Turned, _) => unreachable!("only a digit asks for entries"),
        (Source::Above(operand), _) => records[id - 1].operands[operand].clone(),
    };
    record.prepared.sources.iter().map(limbs).collect()
}

/// A number, with a fast path if it fits a word.
fn small(number: &BigUint) -> Fr {
    match u64::try_from(number) {
        Ok(word) => Fr::from(word),
        Err(_) => biguint_to_fe(number),
    }
}

impl VirtualRegionManager<Fr> for ForeignChip {
    /// The columns and the number of usable rows.
    type Config = (ForeignConfig, usize);
    type Assignment = ();

    fn assign_raw(&self, (config, usable): &Self::Config, region: &mut Region<Fr>) {
        assert_eq!(config.block, self.block, "the chip and its columns agree on the shape");
        assert!(self.rows() <= *usable, "the relations fit the rows");
        assert!(self.waiting.borrow().is_empty(), "every entry has a block");
        let records: &[Record] = &self.records.borrow();
        let block = &self.block;
        let written: Vec<_> =
            (0..records.len()).into_par_iter().map(|id| Written::new(block, records, id)).collect();
        for (id, (record, written)) in records.iter().zip(&written).enumerate() {
            self.assign_advice(config, region, id, written);
            if !self.cells.witness_gen_only() {
                self.assign_fixed(config, region, id, record);
            }
        }
    }
}

impl ForeignChip {
    fn assign_advice(
        &self,
        config: &ForeignConfig,
        region: &mut Region<Fr>,
        id: usize,
        written: &Written,
    ) {
        let limbs = &self.block.result;
        let start = id * self.block.rows();
        let mut assign = |column: Column<Advice>, row: usize, value: Fr| {
            region.assign_advice(column, start + row, Value::known(value)).cell()
        };
        for (number, value) in written.sums.iter().enumerate() {
            let (column, row) = self.block.place(number);
            let cell = assign(config.sums[column], row, *value);
            let is_here = |pieces: &Vec<Piece>| match pieces[..] {
                [piece] => (piece.column, piece.row) == (column, row),
                _ => false,
            };
            if let Some(limb) = limbs.iter().position(is_here) {
                self.cells.place(id, limb, cell);
            }
        }
        let split: Vec<_> = self.block.split_limbs().collect();
        let first = self.block.first_whole();
        for (number, value) in written.operands.iter().enumerate() {
            let (column, row) = self.block.place(number);
            let cell = assign(config.operands[column], row, *value);
            match number.checked_sub(first) {
                Some(whole) => self.cells.place(id, split[whole], cell),
                None => self.cells.place(id, limbs.len() + number, cell),
            }
        }
    }

    fn assign_fixed(
        &self,
        config: &ForeignConfig,
        region: &mut Region<Fr>,
        id: usize,
        record: &Record,
    ) {
        let start = id * self.block.rows();
        let place = record.place;
        let mut assign = |column: Column<Fixed>, row: usize, value: Fr| {
            if !bool::from(value.is_zero()) {
                region.assign_fixed(column, start + row, value);
            }
        };
        let factor = power(self.block.format().lookup_bits());
        let mut patterns: Vec<_> = config.factors.iter().zip(self.block.patterns()).collect();
        patterns.sort_by_key(|(column, _)| column.index());
        patterns.dedup_by_key(|(column, _)| column.index());
        for (column, pattern) in patterns {
            for (row, goes_on) in pattern.iter().enumerate() {
                assign(*column, row, range::factor(place, *goes_on, factor));
                #[cfg(debug_assertions)]
                range::credit(place, *column, start + row);
            }
        }
        for (number, value) in record.prepared.fixed.iter().enumerate() {
            let (column, row) = self.block.place(number);
            assign(config.fixed[column], row, biguint_to_fe(value));
        }
        let (one, none) = (Fr::one(), Fr::zero());
        let (place, tag, digit, ask) = match record.role {
            Role::Plain => (place, none, none, none),
            Role::Entry { place, table, digit } => {
                (place, tag(table), Fr::from(u64::from(digit)), none)
            }
            Role::Asks(Asked { table, .. }) => (place, -tag(table), none, one),
        };
        let mut cells = vec![((config.select, "relation"), record.place, one)];
        if let Some(columns) = config.digits {
            cells.push(((columns.tag, "tag"), place, tag));
            cells.push(((columns.digit, "digit"), place, digit));
            cells.push(((columns.ask, "ask"), place, ask));
        }
        if let Some(column) = config.apart {
            let apart = record.prepared.equation.is_apart();
            cells.push(((column, "apart"), record.place, Fr::from(u64::from(apart))));
        }
        for (column, place, value) in cells {
            if !bool::from(value.is_zero()) {
                border::assign_fixed(place, region, column, start, value);
            }
        }
    }
}

/// The table's number as a tag: not 0, and far below half of the native prime.
fn tag(table: usize) -> Fr {
    Fr::from(table as u64 + 1)
}
