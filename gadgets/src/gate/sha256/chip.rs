//! Records chains of compressions and writes their rows.

use std::{cell::RefCell, collections::BTreeMap};

use halo2_base::{
    halo2_proofs::{
        circuit::{Region, Value},
        halo2curves::{bn256::Fr, ff::Field},
        plonk::{Advice, Column, ConstraintSystem},
    },
    virtual_region::{
        copy_constraints::SharedCopyConstraintManager, manager::VirtualRegionManager,
    },
    AssignedValue, QuantumCell,
};
use rayon::prelude::*;

use super::{
    columns::{SIDE, WIDTH},
    rows::{
        chain_rows, fixed, low_u32, steps, AdviceRow, Step, Trace, COMPRESSION, MESSAGE, STATE,
        STEP, WORD_A, WORD_E, WORD_W,
    },
    Sha256Config,
};
use crate::gate::{
    border,
    cells::Cells,
    kind::Gate,
    place::Place,
    range::{RangeChip, RangeConfig},
    Layout, Usage,
};

const TYPE_ID: &str = "muster-gadgets:gate:sha256";
/// Names of a chain: eight words that it begins with, then 16 and eight for each compression.
const WORDS: usize = 2 * STATE;
/// A word that a chain reads or returns: a constant, or a cell that is known to be small.
///
/// The sums of a step share a cell, 60 bits each, so no cell that enters them may be larger. Range checks are
/// of whole lookups: they show a cell to be below `2^45` at most, and the sums that it is below `2^32`.
#[derive(Clone, Copy, Debug)]
pub struct Word(QuantumCell<Fr>);

impl Word {
    /// A constant.
    pub fn constant(word: u32) -> Self {
        Self(QuantumCell::Constant(Fr::from(u64::from(word))))
    }

    /// A word that the prover chooses. Once it is read, it is below `2^32`.
    #[track_caller]
    pub fn witness(range: &RangeChip, word: u32) -> Self {
        let word = QuantumCell::Witness(Fr::from(u64::from(word)));
        Self(QuantumCell::Existing(range.check(word, 32)))
    }

    /// The word in `cell`, which fails if it is not below `2^32`.
    #[track_caller]
    pub fn existing(range: &RangeChip, cell: AssignedValue<Fr>) -> Self {
        Self(QuantumCell::Existing(range.check(cell, 32)))
    }

    /// The cell or the constant.
    pub fn cell(&self) -> QuantumCell<Fr> {
        self.0
    }

    fn value(&self) -> u32 {
        low_u32(self.0.value())
    }
}

/// The hash value after each compression of a chain, words below `2^32`.
#[derive(Clone, Debug)]
pub struct Compressed {
    /// One for each block.
    pub values: Vec<[Word; WORDS]>,
}

/// A recorded chain.
#[derive(Clone, Debug)]
struct Chain {
    first: [u32; WORDS],
    messages: Vec<[u32; MESSAGE]>,
}

impl Chain {
    fn zeros(count: usize) -> Self {
        Self { first: [0; WORDS], messages: vec![[0; MESSAGE]; count] }
    }

    fn trace(&self) -> Trace {
        Trace::new(&self.first, &self.messages)
    }
}

/// Records work for the columns of a [`Sha256Config`].
#[derive(Debug)]
pub struct Sha256Chip {
    lanes: usize,
    cells: Cells,
    chains: RefCell<Vec<Chain>>,
}

impl Sha256Chip {
    /// The hash values after `first` has absorbed one block of `messages` after the other (FIPS
    /// 180-4 section 6.2.2).
    ///
    /// # Panics
    /// If there is no block.
    pub fn compress(
        &self,
        range: &RangeChip,
        first: &[Word; WORDS],
        messages: &[[Word; MESSAGE]],
    ) -> Compressed {
        assert!(!messages.is_empty(), "a chain has a block");
        let chain = Chain {
            first: first.map(|word| word.value()),
            messages: messages.iter().map(|words| words.map(|word| word.value())).collect(),
        };
        let mut chains = self.chains.borrow_mut();
        let id = chains.len();
        for (offset, word) in first.iter().enumerate() {
            self.cells.bind((Place::here(), offset), id, offset, &word.0);
        }
        for (i, word) in messages.iter().flatten().enumerate() {
            self.cells.bind((Place::here(), i % MESSAGE), id, WORDS + i, &word.0);
        }
        let trace = chain.trace();
        let outputs = WORDS + MESSAGE * messages.len();
        let value = |number: usize| {
            let words = trace.value(number);
            std::array::from_fn(|i| {
                let word = Fr::from(u64::from(words[i]));
                let cell = self.cells.name(id, outputs + WORDS * number + i, word);
                range.check(cell, 32);
                Word(QuantumCell::Existing(cell))
            })
        };
        let compressed = Compressed { values: (0..messages.len()).map(value).collect() };
        chains.push(chain);
        compressed
    }

    /// Chains by their length.
    fn by_length(&self) -> BTreeMap<usize, Vec<usize>> {
        let mut lengths = BTreeMap::<_, Vec<_>>::new();
        for (id, chain) in self.chains.borrow().iter().enumerate() {
            lengths.entry(chain.messages.len()).or_default().push(id);
        }
        lengths
    }

    /// Rows of all lanes that are taken so far.
    pub fn rows(&self) -> usize {
        self.by_length().iter().map(|(length, ids)| ids.len() * chain_rows(*length)).sum()
    }

    /// Rows of a lane that the recorded work takes.
    pub fn rows_needed(&self) -> usize {
        let rows = |(length, ids): (&usize, &Vec<usize>)| {
            ids.len().div_ceil(self.lanes) * chain_rows(*length)
        };
        self.by_length().iter().map(rows).sum()
    }

    fn write_fixed(config: &Sha256Config, region: &mut Region<Fr>, start: usize, length: usize) {
        for (row, fixed) in steps(length).flat_map(fixed).enumerate() {
            let one_of = |chosen: Option<usize>, i: usize| Fr::from(u64::from(chosen == Some(i)));
            let rounds = config.terms.rounds.iter().enumerate();
            let schedules = config.terms.schedules.iter().enumerate();
            let quads = config.terms.quads.iter().enumerate();
            let cells = rounds
                .map(|(i, column)| ((*column, "round"), one_of(fixed.round, i)))
                .chain(schedules.map(|(i, c)| ((*c, "schedule"), one_of(fixed.schedule, i))))
                .chain(quads.map(|(i, c)| ((*c, "quad"), one_of(Some(fixed.quad), i))))
                .chain([
                    ((config.terms.bits, "bits"), Fr::ONE),
                    ((config.terms.sum, "sum"), Fr::from(fixed.sum)),
                    ((config.carry, "carry"), Fr::from(fixed.carry)),
                    ((config.growth, "growth"), Fr::from(fixed.growth)),
                    ((config.last, "last"), Fr::from(fixed.last)),
                    ((config.constant, "constant"), fixed.constant),
                ]);
            for (column, value) in cells {
                border::assign_fixed(Place::all(), region, column, start + row, value);
            }
        }
    }

    fn write_advice(
        &self,
        lane: &[Column<Advice>; WIDTH],
        region: &mut Region<Fr>,
        start: usize,
        id: Option<usize>,
        rows: &[AdviceRow],
        names: &Names,
    ) {
        for (row, values) in rows.iter().enumerate() {
            for (column, value) in values.iter().enumerate() {
                let cell =
                    region.assign_advice(lane[column], start + row, Value::known(*value)).cell();
                if let (Some(id), Some(offset)) = (id, names.get(&(row, column))) {
                    self.cells.place(id, *offset, cell);
                }
            }
        }
    }
}

/// Offsets of names by row and column.
type Names = BTreeMap<(usize, usize), usize>;

/// The row and the column of each name of a chain of `length` compressions.
fn names(length: usize) -> Names {
    let mut names = BTreeMap::new();
    let at = |step: usize, row: usize| (STEP * step + row, SIDE);
    // The words of a hash value, `a` to `h`, whose steps begin at `step`.
    let value = |step: usize| {
        (0..WORDS)
            .map(move |i| at(step + STATE - 1 - i % STATE, if i < STATE { WORD_A } else { WORD_E }))
    };
    names.extend(value(0).zip(0..));
    let outputs = WORDS + MESSAGE * length;
    for number in 0..length {
        let first = STATE + COMPRESSION * number;
        let messages = (0..MESSAGE).map(|t| at(first + t, WORD_W));
        names.extend(messages.zip(WORDS + MESSAGE * number..));
        names.extend(value(first + COMPRESSION - STATE).zip(outputs + WORDS * number..));
    }
    names
}

impl Gate for Sha256Chip {
    type Shape = usize;
    type Columns = Sha256Config;

    fn shapes(layout: &Layout) -> Vec<usize> {
        Some(layout.sha256_lanes).filter(|lanes| *lanes > 0).into_iter().collect()
    }

    fn width(shape: &usize) -> usize {
        WIDTH * shape
    }

    fn configure(
        meta: &mut ConstraintSystem<Fr>,
        shape: &usize,
        _: Option<&RangeConfig>,
    ) -> Sha256Config {
        Sha256Config::configure(meta, *shape)
    }

    #[cfg(any(test, feature = "forgery"))]
    fn advice(columns: &Sha256Config) -> Vec<Column<Advice>> {
        columns.advice().collect()
    }

    fn new(lanes: &usize, copies: SharedCopyConstraintManager<Fr>, witness_gen_only: bool) -> Self {
        let cells = Cells::new(TYPE_ID, copies, witness_gen_only);
        Self { lanes: *lanes, cells, chains: RefCell::default() }
    }

    fn report(&self, usage: &mut Usage) {
        usage.sha256_rows += self.rows();
    }

    fn fits(&self, rows: usize) -> bool {
        self.rows_needed() <= rows
    }
}

impl VirtualRegionManager<Fr> for Sha256Chip {
    /// The columns and the number of usable rows.
    type Config = (Sha256Config, usize);
    type Assignment = ();

    fn assign_raw(&self, (config, rows): &Self::Config, region: &mut Region<Fr>) {
        assert!(self.rows_needed() <= *rows, "the rows of the SHA-256 gate fit");
        let recorded = self.chains.borrow();
        let chains: &[Chain] = &recorded;
        let mut start = 0;
        for (length, ids) in self.by_length() {
            debug_assert_eq!(steps(length).filter(|step| *step == Step::First).count(), STATE);
            let names = names(length);
            // The lanes share their fixed columns, so a lane without work of its own hashes zeros.
            let idle = Chain::zeros(length).trace();
            let traces: Vec<_> = ids.par_iter().map(|id| chains[*id].trace()).collect();
            for (ids, traces) in ids.chunks(self.lanes).zip(traces.chunks(self.lanes)) {
                if !self.cells.witness_gen_only() {
                    Self::write_fixed(config, region, start, length);
                }
                for (i, lane) in config.lanes.iter().enumerate() {
                    let rows = &traces.get(i).unwrap_or(&idle).rows;
                    self.write_advice(lane, region, start, ids.get(i).copied(), rows, &names);
                }
                start += chain_rows(length);
            }
        }
    }
}
