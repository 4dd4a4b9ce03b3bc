//! Recording: relations, those that read the blocks above, and the entries of tables.

use std::{
    cell::{Cell, RefCell},
    collections::{HashMap, VecDeque},
    sync::Arc,
};

use halo2_base::{
    halo2_proofs::{
        halo2curves::{bn256::Fr, ff::Field},
        plonk::ConstraintSystem,
    },
    utils::bigint_to_fe,
    AssignedValue, QuantumCell,
};
use num_bigint::{BigInt, BigUint};
use num_traits::Zero;

use super::{
    assigned::{AssignedDigits, AssignedLimbs, Digit, Operand},
    block::{Block, OperandCell},
    equation::{Equation, Source, Terms, COORDINATES},
    power,
    witness::{zeros, Asked, Prepared, Record, Role, Waiting},
    ForeignConfig,
};
use crate::{
    base::BaseContext,
    cells::Cells,
    kind::{Gate, LimbTable, NewCells},
    place::Place,
    repeat::{self, Counts},
    small::Bit,
    Layout, Usage,
};
use muster_schemes::field::foreign::{LimbShape, Range, DIGIT_BITS};

/// Names for the cells of each gate of a layout.
const TYPE_IDS: [&str; 4] = [
    "muster-gadgets:gate:foreign",
    "muster-gadgets:gate:foreign:1",
    "muster-gadgets:gate:foreign:2",
    "muster-gadgets:gate:foreign:3",
];

/// Records relations and writes them to the columns of a [`ForeignConfig`].
#[derive(Debug)]
pub struct ForeignChip {
    pub(super) block: Block,
    pub(super) cells: Cells,
    pub(super) records: RefCell<Vec<Record>>,
    /// Relations of which nothing is kept but their number.
    counted: Cell<usize>,
    /// Relations of turns that were added up, see [`Self::each`].
    added: Cell<usize>,
    prepared: RefCell<HashMap<Equation, Arc<Prepared>>>,
    /// Tables so far.
    pub(super) tables: Cell<usize>,
    /// Entries that no block holds yet.
    pub(super) waiting: RefCell<VecDeque<Waiting>>,
}

impl ForeignChip {
    /// The rows of a relation.
    pub fn block(&self) -> &Block {
        &self.block
    }

    /// Relations recorded so far.
    pub fn count(&self) -> usize {
        self.records.borrow().len() + self.counted.get()
    }

    /// As [`GateContext::each`](crate::GateContext::each), for a `body` that records nothing but relations.
    pub fn each<T, R: Clone>(
        &self,
        items: impl IntoIterator<Item = T, IntoIter: ExactSizeIterator>,
        mut body: impl FnMut(T) -> R,
    ) -> Vec<R> {
        let items = items.into_iter();
        let Some(copies) = self.cells.totals() else { return items.map(body).collect() };
        let counts = |(): &()| Counts { taken: vec![self.count()], fixed: self.pending().into() };
        let skip = |taken: &[usize], turns: usize| {
            self.added.set(self.added.get() + taken[0] * turns);
        };
        repeat::each(&mut (), items, |(), item| body(item), counts, copies, skip)
    }

    /// Tables, and entries without a block. Blocks that would hold an entry are none that add up.
    pub(crate) fn pending(&self) -> [usize; 2] {
        [self.tables.get(), self.waiting.borrow().len()]
    }

    /// Whether the hints of the prover do not matter, see [`Gates::counting`](crate::Gates::counting).
    pub fn counts_only(&self) -> bool {
        self.cells.counts_only()
    }

    /// Rows that a circuit with these relations takes. Some are left empty, for lookups that ask for nothing.
    pub fn rows(&self) -> usize {
        match self.count() + self.added.get() {
            0 => 0,
            count => (count + 2) * self.block.rows(),
        }
    }

    /// Rows that are written.
    pub(crate) fn written_rows(&self) -> usize {
        self.count() * self.block.rows()
    }

    /// Records `equation` over `operands` for the result `R`. `result` is a hint: only the equation constrains it.
    ///
    /// # Panics
    /// If the equation reads blocks above, which takes a [`Cursor`](super::Cursor), or is none that the layout was made
    /// for; if an operand of it is missing, of another kind or with other limbs; or if the result does not fit.
    #[track_caller]
    pub fn relate(
        &self,
        equation: &Equation,
        operands: &[Operand],
        result: &BigUint,
    ) -> AssignedLimbs {
        assert_eq!(equation.reach(), 0, "an equation that reads blocks above has a cursor");
        self.record(Place::here(), equation, operands, result)
    }

    /// Records an equation over the entry of a table, asked for by `place`.
    pub(super) fn record_digit(
        &self,
        place: Place,
        equation: &Equation,
        digits: &mut AssignedDigits,
        (digit, result): (&Digit, &BigUint),
    ) -> AssignedLimbs {
        if !self.counts_only() {
            self.assert_entry(equation);
        }
        let id = self.count();
        let before = match (digits.sums.last(), &digits.start) {
            (Some(sum), _) => QuantumCell::Existing(*sum),
            (None, Some(start)) => QuantumCell::Witness(*start.value()),
            (None, None) => QuantumCell::Constant(Fr::zero()),
        };
        let value = bigint_to_fe::<Fr>(&digit.digit.into());
        let after = *before.value() * power(DIGIT_BITS) + value;
        let cell = self.bind(place, id, OperandCell::Before, &before);
        if let QuantumCell::Witness(_) = before {
            digits.start = Some(cell);
        }
        let after_digit = QuantumCell::Witness(after);
        digits.sums.push(self.bind(place, id, OperandCell::After, &after_digit));
        if self.counts_only() {
            return self.push_counted();
        }
        digits.value = (&digits.value << DIGIT_BITS) + digit.digit;
        let entry = [&digit.entry.0, &digit.entry.1].map(|coordinate| self.split(coordinate));
        let operands = self.padded(entry);
        let (table, digit) = (digit.table, digit.digit);
        let role = Role::Asks(Asked { table, digit, before: *before.value(), after });
        self.push(place, equation, (operands, COORDINATES), result, role)
    }

    /// `a` where `bit` is 1, `b` where it is 0; it is constrained to be one of these. The limbs are those of one of the
    /// two, so they are as short.
    ///
    /// # Panics
    /// If one of the two has other limbs than the elements of this gate.
    #[track_caller]
    pub fn select(
        &self,
        ctx: &mut BaseContext,
        bit: AssignedValue<Fr>,
        a: &AssignedLimbs,
        b: &AssignedLimbs,
    ) -> AssignedLimbs {
        let bit = Bit::checked(ctx, bit).cell();
        [a, b].iter().for_each(|element| self.assert_limbs(element.shape));
        let mut limbs = vec![];
        for (a, b) in a.limbs.iter().zip(&b.limbs) {
            limbs.push(ctx.gate.select(ctx, *a, *b, bit));
        }
        let chosen = if bool::from(bit.value().is_zero()) { b } else { a };
        AssignedLimbs { limbs, home: None, ..chosen.clone() }
    }

    /// Records an equation, asked for by `place`.
    pub(super) fn record(
        &self,
        place: Place,
        equation: &Equation,
        operands: &[Operand],
        result: &BigUint,
    ) -> AssignedLimbs {
        let id = self.count();
        if !self.counts_only() {
            assert!(!equation.uses(Source::Turned), "only a digit asks for entries");
            for i in operands.len()..self.block.operands() {
                assert!(!equation.uses(Source::Operand(i)), "operand {i} is given");
            }
        }
        if operands.is_empty()
            && let Some(entry) = self.next_entry()
        {
            let (values, role) = self.hold(id, entry);
            return self.push(place, equation, (values, 0), result, role);
        }
        if self.counts_only() {
            self.bind_constants(place, id, operands);
            return self.push_counted();
        }
        let mut values = self.padded([]);
        for (i, operand) in operands.iter().enumerate() {
            self.assert_range(equation, i, operand);
            let (cells, limbs) = self.limbs_of(operand);
            for (limb, source) in cells.iter().enumerate() {
                self.bind(place, id, OperandCell::Limb(i, limb), source);
            }
            values[i] = limbs;
        }
        self.push(place, equation, (values, operands.len()), result, Role::Plain)
    }

    /// Binds those limbs of operands that are constants. Of a circuit that is only counted, the others leave no trace.
    fn bind_constants(&self, place: Place, id: usize, operands: &[Operand]) {
        for (i, operand) in operands.iter().enumerate() {
            let copied = match operand {
                Operand::Element(element) => element.limbs.len(),
                Operand::Signed(scalar) => scalar.limbs.len(),
                Operand::Constant(_) => 0,
            };
            if copied < self.block.format().limbs() {
                let (cells, _) = self.limbs_of(operand);
                for (limb, source) in cells.iter().enumerate().skip(copied) {
                    self.bind(place, id, OperandCell::Limb(i, limb), source);
                }
            }
        }
    }

    /// Asserts that the operand is what the bounds of the equation were derived for.
    fn assert_range(&self, equation: &Equation, i: usize, operand: &Operand) {
        match operand {
            Operand::Element(element) if equation.is_near(Source::Operand(i)) => {
                let format = self.block.format();
                let shapes = [format.limb_shape(), format.near_shape()];
                assert!(shapes.contains(&element.shape), "an element has the limbs of the gate");
            }
            Operand::Element(element) => self.assert_limbs(element.shape),
            Operand::Signed(scalar) => {
                assert!(equation.is_signed(i), "operand {i} may have no signs");
                self.assert_limbs(scalar.shape);
            }
            Operand::Constant(number) => {
                let fits = number.bits() as usize <= self.block.format().element_bits();
                assert!(fits, "a constant fits an element");
            }
        }
    }

    /// The cells that an operand's limbs are copies of, and the limbs' values.
    fn limbs_of(&self, operand: &Operand) -> (Vec<QuantumCell<Fr>>, Vec<BigInt>) {
        let (cells, mut values) = match operand {
            Operand::Element(element) => (&element.limbs[..], self.split(&element.value)),
            Operand::Signed(scalar) => (&scalar.limbs[..], scalar.values.clone()),
            Operand::Constant(number) => (&[][..], self.split(number)),
        };
        values.resize(self.block.format().limbs(), BigInt::ZERO);
        let constant = |value: &BigInt| QuantumCell::Constant(bigint_to_fe(value));
        let missing = match operand {
            Operand::Constant(_) => values.iter().map(constant).collect(),
            _ => vec![QuantumCell::Constant(Fr::zero()); values.len() - cells.len()],
        };
        let copies = cells.iter().copied().map(QuantumCell::Existing);
        (copies.chain(missing).collect(), values)
    }

    /// Records an equation over operands, of which the first `given` are bound.
    fn push(
        &self,
        place: Place,
        equation: &Equation,
        (operands, given): (Vec<Vec<BigInt>>, usize),
        result: &BigUint,
        role: Role,
    ) -> AssignedLimbs {
        if self.counts_only() {
            return self.push_counted();
        }
        if equation.is_apart() {
            self.assert_difference(equation);
            let is_idle = self.block.sums().idle().is_none_or(|idle| given <= idle);
            assert!(is_idle, "the operand is idle whose cells show that a difference is not 0");
        }
        let mut records = self.records.borrow_mut();
        let id = records.len();
        for operand in 0..self.block.operands() {
            if equation.uses(Source::Above(operand)) {
                let above = &records[id - 1];
                assert!(operand < above.given, "there is an operand above");
                let ranges = match equation.range(Source::Above(operand)) {
                    Range::Near => vec![Range::Near, Range::Element],
                    range => vec![range],
                };
                let range = above.prepared.equation.range(Source::Operand(operand));
                assert!(ranges.contains(&range), "the operand above is an element of the gate");
            }
        }
        assert!(result.bits() as usize <= self.block.format().element_bits(), "a result fits");
        let limbs = self.split(result);
        let cell = |(i, limb): (usize, &BigInt)| self.cells.name(id, i, bigint_to_fe(limb));
        let assigned = limbs.iter().enumerate().map(cell).collect();
        let prepared = self.prepare(equation);
        records.push(Record { prepared, operands, given, result: limbs, role, place });
        let shape = self.block.format().limb_shape();
        AssignedLimbs { limbs: assigned, value: result.clone(), shape, home: Some(id) }
    }

    /// A block of which nothing is kept, and its result, which stands for 0.
    fn push_counted(&self) -> AssignedLimbs {
        let id = self.count();
        self.counted.set(self.counted.get() + 1);
        let format = self.block.format();
        let limbs = (0..format.limbs()).map(|i| self.cells.name(id, i, Fr::ZERO)).collect();
        let (value, shape) = (BigUint::ZERO, format.limb_shape());
        AssignedLimbs { limbs, value, shape, home: Some(id) }
    }

    fn next_entry(&self) -> Option<Waiting> {
        self.waiting.borrow_mut().pop_front()
    }

    /// Binds the operands of block `id` to an entry.
    fn hold(&self, id: usize, entry: Waiting) -> (Vec<Vec<BigInt>>, Role) {
        let Waiting { place, table, digit, coordinates } = entry;
        for (operand, limbs) in coordinates.iter().enumerate() {
            for (limb, (source, _)) in limbs.iter().enumerate() {
                self.bind(place, id, OperandCell::Limb(operand, limb), source);
            }
        }
        let values = coordinates.map(|limbs| limbs.into_iter().map(|(_, limb)| limb).collect());
        (self.padded(values), Role::Entry { place, table, digit })
    }

    fn prepare(&self, equation: &Equation) -> Arc<Prepared> {
        let mut prepared = self.prepared.borrow_mut();
        if let Some(known) = prepared.get(equation) {
            return known.clone();
        }
        let new = Arc::new(Prepared::new(&self.block, equation));
        prepared.insert(equation.clone(), new.clone());
        new
    }

    /// `operands`, padded with zeros.
    fn padded<const N: usize>(&self, operands: [Vec<BigInt>; N]) -> Vec<Vec<BigInt>> {
        let mut operands = operands.to_vec();
        operands.resize(self.block.operands(), zeros(&self.block));
        operands
    }

    /// Asserts that the equation takes the entry of a table as its operands, and a difference that is not 0.
    fn assert_entry(&self, equation: &Equation) {
        for operand in 0..self.block.operands() {
            assert!(!equation.is_signed(operand), "entries have no signs");
            let is_there = operand < COORDINATES || !equation.uses(Source::Operand(operand));
            assert!(is_there, "an entry has two coordinates");
        }
        self.assert_difference(equation);
    }

    /// The gate rules out `-p`, 0 and `p` as values of `Y₀`, the difference of two elements. If both are below `2p`, it
    /// can be no other multiple of the prime.
    fn assert_difference(&self, equation: &Equation) {
        assert!(equation.is_difference(), "the sum Y is the difference of two elements");
        let twice = BigInt::from(equation.modulus().clone()) << 1;
        for source in equation.difference().into_iter().flat_map(Terms::keys) {
            let greatest = self.block.format().greatest(equation.range(*source));
            assert!(greatest < twice, "an element is below twice the prime");
        }
    }

    /// The bounds of equations are derived for limbs of this gate.
    pub(super) fn assert_limbs(&self, shape: LimbShape) {
        assert_eq!(shape, self.block.format().limb_shape(), "an element has the limbs of the gate");
    }

    pub(super) fn split(&self, number: &BigUint) -> Vec<BigInt> {
        if number.is_zero() {
            return zeros(&self.block);
        }
        let limbs = self.block.format().split(number, self.block.format().limbs());
        limbs.into_iter().map(BigInt::from).collect()
    }

    /// Binds an operand's cell. The names of operands' cells follow those of the result's limbs.
    pub(super) fn bind(
        &self,
        place: Place,
        id: usize,
        cell: OperandCell,
        source: &QuantumCell<Fr>,
    ) -> AssignedValue<Fr> {
        self.cells.bind((place, self.block.part(cell)), id, self.name(cell), source)
    }

    fn name(&self, cell: OperandCell) -> usize {
        self.block.format().limbs() + self.block.operand(cell)
    }

    /// The operands of each block that are constants.
    #[cfg(debug_assertions)]
    pub(super) fn constants(&self) -> Vec<Vec<usize>> {
        let bound = self.cells.constants();
        let is_constant = |id: usize, operand: usize| {
            bound.contains(&(id, self.name(OperandCell::Limb(operand, 0))))
        };
        let operands = 0..self.block.operands();
        let of = |id| operands.clone().filter(|operand| is_constant(id, *operand)).collect();
        (0..self.count()).map(of).collect()
    }
}

impl Gate for ForeignChip {
    /// Its number among the gates of the layout, and its rows.
    type Shape = (usize, Block);
    type Columns = ForeignConfig;

    fn shapes(layout: &Layout) -> Vec<(usize, Block)> {
        layout.blocks().into_iter().enumerate().collect()
    }

    fn width((_, block): &(usize, Block)) -> usize {
        block.columns() + block.operand_columns()
    }

    fn configure(
        meta: &mut ConstraintSystem<Fr>,
        (_, block): &(usize, Block),
        limbs: &mut LimbTable,
    ) -> ForeignConfig {
        ForeignConfig::configure(meta, block, limbs.expect("the range gate comes before"))
    }

    fn new((number, block): &(usize, Block), cells: NewCells) -> Self {
        Self {
            block: block.clone(),
            cells: cells(TYPE_IDS[*number]),
            records: RefCell::default(),
            counted: Cell::default(),
            added: Cell::default(),
            prepared: RefCell::default(),
            tables: Cell::default(),
            waiting: RefCell::default(),
        }
    }

    fn report(&self, usage: &mut Usage) {
        usage.foreign_rows.push(self.rows());
    }

    fn fits(&self, rows: usize) -> bool {
        self.rows() <= rows
    }
}

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

/// A coordinate of an entry.
#[derive(Clone, Copy, Debug)]
pub enum Coordinate<'a> {
    /// An element, which is copied.
    Element(&'a AssignedLimbs),
    /// A constant.
    Constant(&'a BigUint),
}

impl ForeignChip {
    /// The number of a new table.
    pub fn table(&self) -> usize {
        let number = self.tables.get();
        self.tables.set(number + 1);
        number
    }

    /// Adds an entry to a table: the multiple by `digit`. The next block without operands holds it.
    ///
    /// # Panics
    /// If the layout was made for no equation that asks, there is no such table, or the digit is not odd and below 16;
    /// or a coordinate has other limbs than the gate.
    #[track_caller]
    pub fn enter(&self, (table, digit): (usize, u8), coordinates: [Coordinate; 2]) {
        assert!(self.block.asks(), "the gate was made for tables");
        assert!(table < self.tables.get(), "the table is there");
        assert!(digit % 2 == 1 && digit < 1 << DIGIT_BITS, "a digit is odd and short");
        let limbs = |coordinate: Coordinate| match coordinate {
            Coordinate::Element(element) => {
                self.assert_limbs(element.shape());
                let cells = element.limbs().iter().copied().map(QuantumCell::Existing);
                cells.zip(self.split(element.value())).collect()
            }
            Coordinate::Constant(value) => {
                let limbs = self.split(value).into_iter();
                limbs.map(|limb| (QuantumCell::Constant(bigint_to_fe(&limb)), limb)).collect()
            }
        };
        let entry =
            Waiting { place: Place::here(), table, digit, coordinates: coordinates.map(limbs) };
        self.waiting.borrow_mut().push_back(entry);
    }

    /// Gives blocks of their own to the entries that no other block has held.
    #[track_caller]
    pub fn enter_all(&self) {
        while !self.waiting.borrow().is_empty() {
            self.relate(&Equation::free(), &[], &BigUint::ZERO);
        }
    }
}
