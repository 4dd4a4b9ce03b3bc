//! Strings after others.

use halo2_base::{
    halo2_proofs::halo2curves::{bn256::Fr, ff::Field},
    AssignedValue, Context,
    QuantumCell::{Constant, Existing},
};

use super::{
    shift::Shift,
    string::{assert_are_halves, Cells, Text},
};
use crate::hash::padding::{Message, HALF};
use muster_gates::{chain, vertical::load_zero, GateContext};

/// How many strings may be appended to a text before its halves are shown to be below `2^128`: each adds less
/// than `2^252 + 2^132` to a half, and three times that could wrap.
const JOINED: usize = 2;

/// A string that has not been shown to be one: it is, if its halves are below `2^128`. Whoever takes it for a string
/// must show this, as hash functions and [`UncheckedText::text`] do.
#[derive(Clone, Debug)]
pub struct UncheckedText {
    cells: Cells,
    /// How many strings were appended to the first one.
    joined: usize,
}

/// A text with its end, to which another one can be appended.
#[derive(Clone, Debug)]
pub struct Stem {
    text: Text,
    end: Shift,
}

impl Text {
    /// `self ‖ other`.
    pub fn then(&self, ctx: &mut GateContext, other: &Self) -> UncheckedText {
        let end = Shift::new(ctx, self.length(), self.bounds());
        join(ctx, (self.cells(), &end), other, 1)
    }
}

impl Stem {
    /// The text, whose end lies within `bounds` as well as within its own.
    pub(super) fn new(ctx: &mut GateContext, text: Text, bounds: (usize, usize)) -> Self {
        let end = Shift::new(ctx, text.length(), bounds);
        Self { text, end }
    }

    /// `self ‖ other`.
    pub fn then(&self, ctx: &mut GateContext, other: &Text) -> UncheckedText {
        join(ctx, (self.text.cells(), &self.end), other, 1)
    }

    /// All cells, to select one of several stems with the same bounds.
    pub(super) fn cells(&self) -> Vec<AssignedValue<Fr>> {
        let Cells { halves, length, .. } = self.text.cells();
        halves.iter().copied().chain([*length]).chain(self.end.cells()).collect()
    }

    /// The stem with these cells, selected from several whose texts have the same bounds.
    pub(super) fn with_cells(&self, cells: &[AssignedValue<Fr>]) -> Self {
        let Cells { halves, least, most, .. } = self.text.cells();
        let (halves, rest) = cells.split_at(halves.len());
        let (length, end) = rest.split_first().expect("a text has a length");
        let cells = Cells { halves: halves.to_vec(), length: *length, least: *least, most: *most };
        Self { text: Text::shown(cells), end: self.end.with_cells(end) }
    }
}

impl UncheckedText {
    /// `self ‖ other`.
    ///
    /// # Panics
    /// If two texts were appended to a first one already; call [`Self::text`] before.
    pub fn then(&self, ctx: &mut GateContext, other: &Text) -> Self {
        let bounds = (self.cells.least, self.cells.most);
        let end = Shift::new(ctx, self.cells.length, bounds);
        join(ctx, (&self.cells, &end), other, self.joined + 1)
    }

    /// The string, once its halves are shown to be below `2^128`.
    pub fn text(self, ctx: &mut GateContext) -> Text {
        assert_are_halves(ctx, &self.cells.halves);
        Text::shown(self.cells)
    }

    /// The input of a hash function, which shows that the halves are below `2^128`.
    pub fn message(&self) -> Message<'_> {
        self.cells.message()
    }

    /// The least and the most bytes that it may have.
    pub fn bounds(&self) -> (usize, usize) {
        (self.cells.least, self.cells.most)
    }
}

fn join(
    ctx: &mut GateContext,
    (first, end): (&Cells, &Shift),
    second: &Text,
    joined: usize,
) -> UncheckedText {
    assert!(joined <= JOINED, "no half wraps");
    let moved = end.moved(ctx, second);
    let cells = place(ctx, (first, end), (second.cells(), &moved));
    UncheckedText { cells, joined }
}

/// `second`, whose halves were `moved`, after `first`, whose length is `end`. The halves of `first` hold zeros from
/// there on, so sums join the two. Halves beyond the bound, which only too large a shift reaches, are constrained to be
/// 0 by their sums: as sums of integers these are 0 only if all terms are.
pub(super) fn place(
    ctx: &mut Context<Fr>,
    (first, end): (&Cells, &Shift),
    (second, moved): (&Cells, &[AssignedValue<Fr>]),
) -> Cells {
    let (least, most) = (first.least + second.least, first.most + second.most);
    let count = most.div_ceil(HALF);
    let zero = load_zero(ctx);
    let halves = (0..count).map(|half| {
        let start = first.halves.get(half).copied().unwrap_or(zero);
        chain::sum(ctx, Existing(start), &end.terms(moved, half))
    });
    let halves = halves.collect();
    for half in count..end.reach(moved) {
        let terms = end.terms(moved, half);
        chain::assert_sum(ctx, Constant(Fr::ZERO), &terms, Constant(Fr::ZERO));
    }
    let lengths = [(Constant(Fr::ONE), Existing(second.length))];
    let length = chain::sum(ctx, Existing(first.length), &lengths);
    Cells { halves, length, least, most }
}
