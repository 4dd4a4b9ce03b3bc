//! What gadgets record with.

use std::ops::{Deref, DerefMut};

use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, Context};

use super::{
    base::BaseContext,
    chips::Chips,
    repeat::{self, Turns},
};

/// What gadgets record with: a [`BaseContext`], and so halo2-base's [`Context`], beside the chips of all gates.
#[derive(Debug)]
pub struct GateContext<'a> {
    base: BaseContext<'a>,
    /// The chips of all gates.
    pub chips: &'a Chips,
}

impl<'a> GateContext<'a> {
    /// The context and the chips of one circuit.
    pub fn new(vertical: &'a mut Context<Fr>, chips: &'a Chips) -> Self {
        Self { base: BaseContext::new(vertical, &chips.gate, &chips.range), chips }
    }

    /// Runs `body` for each item, which must record the same whatever the item is; returns the results in order. Where only a
    /// [total](super::Gates::total) is kept, turns that are like others are added up instead, and have the result of the last
    /// one that ran: nothing else may hang on how often `body` runs.
    pub fn each<T, R: Clone>(
        &mut self,
        items: impl IntoIterator<Item = T, IntoIter: ExactSizeIterator>,
        mut body: impl FnMut(&mut Self, T) -> R,
    ) -> Vec<R> {
        let (items, chips) = (items.into_iter(), self.chips);
        if !chips.is_total() {
            return items.map(|item| body(self, item)).collect();
        }
        let counts = |ctx: &Self| chips.counts(ctx.advice.len());
        repeat::each(self, items, body, counts, &chips.copies, |taken, turns| {
            chips.add(taken, turns)
        })
    }

    /// [`Self::each`] for a part of a loop whose turns record other work as well: runs `body` as the next of `turns`, all of
    /// which must record the same.
    pub fn turn<R: Clone>(&mut self, turns: &mut Turns<R>, body: impl FnOnce(&mut Self) -> R) -> R {
        let chips = self.chips;
        if !chips.is_total() {
            return body(self);
        }
        let counts = |ctx: &Self| chips.counts(ctx.advice.len());
        repeat::turn(turns, self, body, counts, &chips.copies, |taken, turns| {
            chips.add(taken, turns)
        })
    }
}

impl<'a> Deref for GateContext<'a> {
    type Target = BaseContext<'a>;

    fn deref(&self) -> &BaseContext<'a> {
        &self.base
    }
}

impl<'a> DerefMut for GateContext<'a> {
    fn deref_mut(&mut self) -> &mut BaseContext<'a> {
        &mut self.base
    }
}
