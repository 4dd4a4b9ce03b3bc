//! Records halves, sums and permutations, and writes their rows.

use std::cell::RefCell;

use halo2_base::{
    halo2_proofs::{
        circuit::{Region, Value},
        halo2curves::{bn256::Fr, ff::Field},
        plonk::{Advice, Column, ConstraintSystem},
    },
    virtual_region::manager::VirtualRegionManager,
    AssignedValue, QuantumCell,
};
use rayon::prelude::*;

use super::{
    schedule::{self, FixedRow, BLOCK, HALF, PERMUTATION, ROUND, SIDE},
    sparse::{digits, parity, spread, Lane, CHUNKS},
    trace::{self, permute_but_last_constant, AdviceRow, State},
    KeccakConfig, V, WIDTH,
};
use crate::{
    border,
    cells::Cells,
    kind::{Gate, LimbTable, NewCells},
    place::Place,
    Layout, Usage,
};

/// Words of a state.
pub(super) const LANES: usize = SIDE * SIDE;

/// A half of 16 bytes and its words.
#[derive(Clone, Copy, Debug)]
pub struct SpreadHalf {
    half: AssignedValue<Fr>,
    lanes: [AssignedValue<Fr>; 2],
    last: AssignedValue<Fr>,
}

impl SpreadHalf {
    /// The bytes as a big-endian integer, which is below `2^128`.
    pub fn half(&self) -> AssignedValue<Fr> {
        self.half
    }

    /// The first and the last 8 bytes, each a lane (FIPS 202, section B.1: the first bit of the first
    /// byte is digit 0).
    pub fn lanes(&self) -> [Lane; 2] {
        self.lanes.map(Lane::of_rows)
    }

    /// The cells of the two lanes.
    pub fn words(&self) -> &[AssignedValue<Fr>; 2] {
        &self.lanes
    }

    /// Only the last 4 bytes, as the lowest digits of a word.
    pub fn last(&self) -> AssignedValue<Fr> {
        self.last
    }
}

/// Records work for the columns of a [`KeccakConfig`].
#[derive(Debug)]
pub struct KeccakChip {
    lanes: usize,
    half_cells: Cells,
    sum_cells: Cells,
    permutation_cells: Cells,
    halves: RefCell<Vec<Fr>>,
    sums: RefCell<Vec<Fr>>,
    permutations: RefCell<Vec<Vec<Fr>>>,
}

impl KeccakChip {
    /// Splits 16 bytes: `half` is shown to be below `2^128`.
    #[track_caller]
    pub fn spread_half(&self, half: impl Into<QuantumCell<Fr>>) -> SpreadHalf {
        let half = half.into();
        let mut halves = self.halves.borrow_mut();
        let id = halves.len();
        halves.push(*half.value());
        let [first, second, last] = if self.half_cells.counts_only() {
            [Fr::ZERO; 3]
        } else {
            trace::spread_half(half.value())
        };
        let cells = &self.half_cells;
        SpreadHalf {
            half: cells.bind((Place::here(), 0), id, 0, &half),
            lanes: [cells.name(id, 1, first), cells.name(id, 2, second)],
            last: cells.name(id, 3, last),
        }
    }

    /// The parities of the digits of `sum`, a word with digits of at most 5: the exclusive or of its summands.
    #[track_caller]
    pub fn parities(&self, sum: impl Into<QuantumCell<Fr>>) -> AssignedValue<Fr> {
        let sum = sum.into();
        let mut sums = self.sums.borrow_mut();
        let id = sums.len();
        sums.push(*sum.value());
        self.sum_cells.bind((Place::here(), 0), id, 0, &sum);
        let is_counted = self.sum_cells.counts_only();
        let word = if is_counted { Fr::ZERO } else { trace::parity_word(sum.value()) };
        self.sum_cells.name(id, 1, word)
    }

    /// Applies Keccak-f\[1600\] without the last round constant to the parities of `state[5·y + x]`, words with digits
    /// of at most 5. Returns bits; this constant is yet to be added to the first lane, see [`Self::absorb`].
    ///
    /// # Panics
    /// If there are not 25 words.
    #[track_caller]
    pub fn permute_without_last_constant(
        &self,
        state: &[QuantumCell<Fr>],
    ) -> Vec<AssignedValue<Fr>> {
        assert_eq!(state.len(), LANES, "a state has 25 lanes");
        let mut permutations = self.permutations.borrow_mut();
        let id = permutations.len();
        let values: Vec<Fr> = state.iter().map(|cell| *cell.value()).collect();
        let mut lanes: State = [[0; SIDE]; SIDE];
        if !self.permutation_cells.counts_only() {
            for (i, value) in values.iter().enumerate() {
                lanes[i % SIDE][i / SIDE] = parity(&digits(value));
            }
            permute_but_last_constant(&mut lanes);
        }
        permutations.push(values);
        let (cells, place) = (&self.permutation_cells, Place::here());
        for (i, cell) in state.iter().enumerate() {
            cells.bind((place, i), id, i, cell);
        }
        let after = |i: usize| cells.name(id, LANES + i, spread(lanes[i % SIDE][i / SIDE]));
        (0..LANES).map(after).collect()
    }

    /// Permutations recorded so far.
    pub fn count(&self) -> usize {
        self.permutations.borrow().len()
    }

    /// How many slots there are of each kind, and the rows of one: permutations, blocks of five sums and of five
    /// halves.
    fn slots(&self) -> [(usize, usize); 3] {
        let fives = |words: &RefCell<Vec<Fr>>| words.borrow().len().div_ceil(SIDE);
        [(self.count(), PERMUTATION), (fives(&self.sums), BLOCK), (fives(&self.halves), HALF)]
    }

    /// How full the last block of sums and that of halves are: where these change, rows do not add up.
    pub(crate) fn begun(&self) -> [usize; 2] {
        [&self.sums, &self.halves].map(|words| words.borrow().len() % SIDE)
    }

    /// Rows of all lanes that are taken so far.
    pub fn rows(&self) -> usize {
        self.slots().iter().map(|(count, rows)| count * rows).sum()
    }

    /// Rows of a lane that the recorded work takes.
    pub fn rows_needed(&self) -> usize {
        self.slots().iter().map(|(count, rows)| count.div_ceil(self.lanes) * rows).sum()
    }

    /// Advice cells taken so far.
    pub fn total_cells(&self) -> usize {
        WIDTH * self.rows()
    }
}

/// Where a named cell lies in the rows of its slot.
struct Named {
    id: usize,
    offset: usize,
    row: usize,
    column: usize,
}

fn half_names(slot: usize, count: usize) -> Vec<Named> {
    let rows = [0, 16, 8, 4];
    fives(slot, count)
        .flat_map(|(lane, id)| {
            let name = move |(offset, row)| Named { id, offset, row, column: V + lane };
            rows.into_iter().enumerate().map(name)
        })
        .collect()
}

fn sum_names(slot: usize, count: usize) -> Vec<Named> {
    fives(slot, count)
        .flat_map(|(lane, id)| {
            let name = move |(offset, row)| Named { id, offset, row, column: V + lane };
            [0, CHUNKS].into_iter().enumerate().map(name)
        })
        .collect()
}

fn permutation_names(id: usize) -> Vec<Named> {
    let before = (0..LANES).map(|i| (i, i / SIDE * BLOCK));
    let last = PERMUTATION - ROUND + CHUNKS;
    let after = (0..LANES).map(|i| (LANES + i, last + i / SIDE * BLOCK));
    before
        .chain(after)
        .map(|(offset, row)| Named { id, offset, row, column: V + offset % SIDE })
        .collect()
}

/// Lanes and numbers of the up to five words of `slot`.
fn fives(slot: usize, count: usize) -> impl Iterator<Item = (usize, usize)> {
    (slot * SIDE..count.min((slot + 1) * SIDE)).enumerate()
}

fn blocks(words: &[Fr]) -> Vec<[Fr; SIDE]> {
    let block = |words: &[Fr]| std::array::from_fn(|i| words.get(i).copied().unwrap_or(Fr::ZERO));
    words.chunks(SIDE).map(block).collect()
}

/// Rows of one kind.
struct Kind<'a> {
    fixed: Vec<FixedRow>,
    cells: &'a Cells,
    /// The rows and names of each slot.
    slots: Vec<(Vec<AdviceRow>, Vec<Named>)>,
    /// The rows of a lane without work of its own: the lanes share their fixed columns.
    idle: Vec<AdviceRow>,
}

impl KeccakChip {
    fn kinds(&self) -> [Kind<'_>; 3] {
        let (halves, sums) = (self.halves.borrow(), self.sums.borrow());
        let zeros = [Fr::ZERO; SIDE];
        let permutations: Vec<_> =
            self.permutations.borrow().par_iter().map(|s| trace::permutation(s)).collect();
        let permutations = permutations.into_iter().enumerate();
        let sum_blocks = blocks(&sums).into_iter().enumerate();
        let half_blocks = blocks(&halves).into_iter().enumerate();
        [
            Kind {
                fixed: schedule::permutation(),
                cells: &self.permutation_cells,
                slots: permutations.map(|(i, rows)| (rows, permutation_names(i))).collect(),
                idle: trace::permutation(&[Fr::ZERO; LANES]),
            },
            Kind {
                fixed: schedule::parity_block(),
                cells: &self.sum_cells,
                slots: sum_blocks
                    .map(|(i, words)| (trace::parity_block(&words), sum_names(i, sums.len())))
                    .collect(),
                idle: trace::parity_block(&zeros),
            },
            Kind {
                fixed: schedule::half_block(),
                cells: &self.half_cells,
                slots: half_blocks
                    .map(|(i, words)| (trace::half_block(&words), half_names(i, halves.len())))
                    .collect(),
                idle: trace::half_block(&zeros),
            },
        ]
    }

    fn write_fixed(
        config: &KeccakConfig,
        region: &mut Region<Fr>,
        start: usize,
        rows: &[FixedRow],
    ) {
        for (row, fixed) in rows.iter().enumerate() {
            let singles = [
                ((config.chi, "chi"), fixed.chi),
                ((config.collect, "collect"), fixed.collect),
                ((config.growth, "growth"), fixed.growth),
                ((config.head, "head"), fixed.head),
                ((config.byte, "byte"), fixed.byte),
                ((config.round, "round"), fixed.round),
                ((config.constant, "constant"), fixed.constant),
            ];
            let factors = config.factors.map(|column| (column, "factor"));
            for (column, value) in factors.into_iter().zip(fixed.factors).chain(singles) {
                border::assign_fixed(Place::all(), region, column, start + row, value);
            }
        }
    }
}

fn write_advice(
    lane: &[Column<Advice>; WIDTH],
    region: &mut Region<Fr>,
    start: usize,
    rows: &[AdviceRow],
    names: &[Named],
    cells: &Cells,
) {
    for (row, values) in rows.iter().enumerate() {
        for (column, value) in values.iter().enumerate() {
            let cell = region.assign_advice(lane[column], start + row, Value::known(*value)).cell();
            if (V..V + SIDE).contains(&column) {
                let here = names.iter().filter(|name| (name.row, name.column) == (row, column));
                here.for_each(|name| cells.place(name.id, name.offset, cell));
            }
        }
    }
}

impl Gate for KeccakChip {
    type Shape = usize;
    type Columns = KeccakConfig;

    fn shapes(layout: &Layout) -> Vec<usize> {
        Some(layout.keccak_lanes).filter(|lanes| *lanes > 0).into_iter().collect()
    }

    fn width(shape: &usize) -> usize {
        WIDTH * shape
    }

    fn configure(
        meta: &mut ConstraintSystem<Fr>,
        shape: &usize,
        _: &mut LimbTable,
    ) -> KeccakConfig {
        KeccakConfig::configure(meta, *shape)
    }

    fn new(lanes: &usize, cells: NewCells) -> Self {
        Self {
            lanes: *lanes,
            half_cells: cells("muster-gadgets:gate:keccak:half"),
            sum_cells: cells("muster-gadgets:gate:keccak:sum"),
            permutation_cells: cells("muster-gadgets:gate:keccak:permutation"),
            halves: RefCell::default(),
            sums: RefCell::default(),
            permutations: RefCell::default(),
        }
    }

    fn report(&self, usage: &mut Usage) {
        usage.keccak_rows += self.rows();
    }

    fn fits(&self, rows: usize) -> bool {
        self.rows_needed() <= rows
    }
}

impl VirtualRegionManager<Fr> for KeccakChip {
    /// The columns and the number of usable rows.
    type Config = (KeccakConfig, usize);
    type Assignment = ();

    fn assign_raw(&self, (config, rows): &Self::Config, region: &mut Region<Fr>) {
        assert!(self.rows_needed() <= *rows, "the rows of the Keccak gate fit");
        let mut start = 0;
        for kind in self.kinds() {
            for group in kind.slots.chunks(self.lanes) {
                if !kind.cells.witness_gen_only() {
                    Self::write_fixed(config, region, start, &kind.fixed);
                }
                for (i, lane) in config.lanes.iter().enumerate() {
                    let idle = (kind.idle.clone(), vec![]);
                    let (rows, names) = group.get(i).unwrap_or(&idle);
                    write_advice(lane, region, start, rows, names, kind.cells);
                }
                start += kind.fixed.len();
            }
        }
        if !self.half_cells.witness_gen_only() {
            config.write_tables(region, *rows);
        }
    }
}
