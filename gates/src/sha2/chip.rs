//! Records chains of compressions and writes their rows.

use std::{cell::RefCell, collections::BTreeMap, marker::PhantomData};

use halo2_base::{
    halo2_proofs::{
        circuit::{Region, Value},
        halo2curves::{bn256::Fr, ff::Field},
        plonk::{Advice, Column, ConstraintSystem},
    },
    virtual_region::manager::VirtualRegionManager,
};
use rayon::prelude::*;

use super::{
    format::Format,
    rows::{fixed, steps},
    spec::{Sha2, Sha512, MESSAGE, STATE},
    trace::{Chain, Trace},
    word::{Form, Order, Word},
    Sha2Config,
};
use crate::{
    border,
    cells::Cells,
    kind::{Gate, LimbTable, NewCells},
    place::Place,
    range::RangeChip,
    Layout, Sha2Layout, Usage,
};

/// Words of a hash value. A chain names the eight that it begins with, then the 16 words of each block,
/// then the eight after each compression.
const WORDS: usize = 2 * STATE;

/// The hash value after each compression of a chain, in words below `2^32` or `2^64`.
#[derive(Clone, Debug)]
pub struct Compressed<H> {
    /// One for each block.
    pub values: Vec<[Word<H>; WORDS]>,
}

/// Records work for the columns of a [`Sha2Config`].
#[derive(Debug)]
pub struct Sha2Chip<H> {
    lanes: usize,
    format: Format,
    cells: Cells,
    chains: RefCell<Vec<Chain>>,
    function: PhantomData<H>,
}

impl<H: Sha2> Sha2Chip<H> {
    /// The hash values as `first` absorbs the blocks of `messages` one after the other (FIPS 180-4
    /// sections 6.2.2 and 6.4.2).
    ///
    /// # Panics
    /// If there is no block, or a word of `first` is little-endian.
    pub fn compress(
        &self,
        range: &RangeChip,
        first: &[Word<H>; WORDS],
        messages: &[[Word<H>; MESSAGE]],
    ) -> Compressed<H> {
        self.record(range, first, messages, Order::Big)
    }

    fn record(
        &self,
        range: &RangeChip,
        first: &[Word<H>; WORDS],
        messages: &[[Word<H>; MESSAGE]],
        values: Order,
    ) -> Compressed<H> {
        assert!(!messages.is_empty(), "a chain has a block");
        let is_big = |word: &Word<H>| word.order() == Order::Big;
        assert!(first.iter().all(is_big), "a chain begins with words as the standard reads them");
        let orders = messages.iter().map(|words| words.map(|word| word.order())).collect();
        let form = Form { messages: orders, values };
        let chain = if self.cells.counts_only() {
            Chain::zeros(&form)
        } else {
            Chain {
                form,
                first: first.map(|word| word.value()),
                messages: messages.iter().map(|words| words.map(|word| word.value())).collect(),
            }
        };
        let mut chains = self.chains.borrow_mut();
        let id = chains.len();
        for (offset, word) in first.iter().enumerate() {
            self.cells.bind((Place::here(), offset), id, offset, &word.cell());
        }
        for (i, word) in messages.iter().flatten().enumerate() {
            self.cells.bind((Place::here(), i % MESSAGE), id, WORDS + i, &word.cell());
        }
        let trace = (!self.cells.counts_only()).then(|| Trace::new(&self.format, &chain));
        let outputs = WORDS + MESSAGE * messages.len();
        let value = |number: usize| {
            let words = trace.as_ref().map_or([0; WORDS], |trace| trace.value(number));
            std::array::from_fn(|i| {
                let word = Fr::from(values.turn(words[i]));
                let cell = self.cells.name(id, outputs + WORDS * number + i, word);
                range.check(cell, H::SPEC.word);
                Word::returned(cell, values)
            })
        };
        let compressed = Compressed { values: (0..messages.len()).map(value).collect() };
        chains.push(chain);
        compressed
    }

    /// Chains by form, which determines their fixed cells.
    fn by_form(&self) -> BTreeMap<Form, Vec<usize>> {
        let mut forms = BTreeMap::<_, Vec<_>>::new();
        for (id, chain) in self.chains.borrow().iter().enumerate() {
            forms.entry(chain.form.clone()).or_default().push(id);
        }
        forms
    }

    /// Rows of all lanes that are taken so far.
    pub fn rows(&self) -> usize {
        let chains = self.chains.borrow();
        chains.iter().map(|chain| self.format.chain_rows(chain.messages.len())).sum()
    }

    /// Rows of a lane that the recorded work takes.
    pub fn rows_needed(&self) -> usize {
        let rows = |(form, ids): (&Form, &Vec<usize>)| {
            ids.len().div_ceil(self.lanes) * self.format.chain_rows(form.blocks())
        };
        self.by_form().iter().map(rows).sum()
    }

    fn write_fixed(config: &Sha2Config, region: &mut Region<Fr>, start: usize, form: &Form) {
        let format = &config.format;
        for (row, fixed) in steps(format, form).flat_map(|step| fixed(format, step)).enumerate() {
            let one_of = |chosen: Option<usize>, i: usize| Fr::from(u64::from(chosen == Some(i)));
            let rounds = config.terms.rounds.iter().enumerate();
            let schedules = config.terms.schedules.iter().enumerate();
            let quads = config.terms.quads.iter().enumerate();
            let order = config.order.iter().zip(&fixed.order);
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
                ])
                .chain(order.map(|(column, weight)| ((*column, "order"), *weight)));
            for (column, value) in cells {
                border::assign_fixed(Place::all(), region, column, start + row, value);
            }
        }
    }

    fn write_advice(
        &self,
        (lane, names): (&[Column<Advice>], &Names),
        region: &mut Region<Fr>,
        start: usize,
        id: Option<usize>,
        rows: &[Vec<Fr>],
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

impl Sha2Chip<Sha512> {
    /// As [`Self::compress`], but returns the words of all hash values in the byte order `values`.
    ///
    /// # Panics
    /// If there is no block, or a word of `first` is little-endian.
    pub fn compress_in(
        &self,
        range: &RangeChip,
        first: &[Word<Sha512>; WORDS],
        messages: &[[Word<Sha512>; MESSAGE]],
        values: Order,
    ) -> Compressed<Sha512> {
        self.record(range, first, messages, values)
    }
}

/// Offsets of names by row and column.
type Names = BTreeMap<(usize, usize), usize>;

/// The row and the column of each name of a chain of `length` compressions.
fn names(format: &Format, length: usize) -> Names {
    let mut names = BTreeMap::new();
    let sides = &format.spec.sides;
    let at = |step: usize, row: usize| (format.step() * step + row, format.side());
    // The words of a hash value, `a` to `h`, whose steps begin at `step`.
    let value = |step: usize| {
        (0..WORDS).map(move |i| {
            let row = if i < STATE { sides.word_a } else { sides.word_e };
            at(step + STATE - 1 - i % STATE, row)
        })
    };
    names.extend(value(0).zip(0..));
    let outputs = WORDS + MESSAGE * length;
    for number in 0..length {
        let first = STATE + format.compression() * number;
        let messages = (0..MESSAGE).map(|t| at(first + t, sides.word_w));
        names.extend(messages.zip(WORDS + MESSAGE * number..));
        names.extend(value(first + format.compression() - STATE).zip(outputs + WORDS * number..));
    }
    names
}

impl<H: Sha2> Gate for Sha2Chip<H> {
    type Shape = Sha2Layout;
    type Columns = Sha2Config;

    fn shapes(layout: &Layout) -> Vec<Sha2Layout> {
        H::lanes(layout).into_iter().collect()
    }

    fn width(gate: &Sha2Layout) -> usize {
        Format::new(H::SPEC, gate.bits).width() * gate.lanes
    }

    fn configure(
        meta: &mut ConstraintSystem<Fr>,
        gate: &Sha2Layout,
        _: &mut LimbTable,
    ) -> Sha2Config {
        Sha2Config::configure::<H>(meta, *gate)
    }

    fn new(gate: &Sha2Layout, cells: NewCells) -> Self {
        Self {
            lanes: gate.lanes,
            format: Format::new(H::SPEC, gate.bits),
            cells: cells(H::SPEC.type_id),
            chains: RefCell::default(),
            function: PhantomData,
        }
    }

    fn report(&self, usage: &mut Usage) {
        *H::rows(usage) += self.rows();
    }

    fn fits(&self, rows: usize) -> bool {
        self.rows_needed() <= rows
    }
}

impl<H: Sha2> VirtualRegionManager<Fr> for Sha2Chip<H> {
    /// The columns and the number of usable rows.
    type Config = (Sha2Config, usize);
    type Assignment = ();

    fn assign_raw(&self, (config, rows): &Self::Config, region: &mut Region<Fr>) {
        assert!(self.rows_needed() <= *rows, "the rows of the SHA-2 gate fit");
        let recorded = self.chains.borrow();
        let chains: &[Chain] = &recorded;
        let format = &self.format;
        let mut start = 0;
        for (form, ids) in self.by_form() {
            let names = names(format, form.blocks());
            // The lanes share their fixed columns, so a lane without work of its own hashes zeros.
            let idle = Trace::new(format, &Chain::zeros(&form)).rows;
            let trace = |id: &usize| Trace::new(format, &chains[*id]).rows;
            let traces: Vec<_> = ids.par_iter().map(trace).collect();
            for (ids, traces) in ids.chunks(self.lanes).zip(traces.chunks(self.lanes)) {
                if !self.cells.witness_gen_only() {
                    Self::write_fixed(config, region, start, &form);
                }
                for (i, lane) in config.lanes.iter().enumerate() {
                    let rows = traces.get(i).unwrap_or(&idle);
                    let id = ids.get(i).copied();
                    self.write_advice((lane, &names), region, start, id, rows);
                }
                start += format.chain_rows(form.blocks());
            }
        }
    }
}
