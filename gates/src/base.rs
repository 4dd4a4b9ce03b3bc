//! What gates record with, beside their own rows.

use std::ops::{Deref, DerefMut};

use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, Context};

use super::{range::RangeChip, vertical::VerticalChip};

/// halo2-base's [`Context`], which is that of the vertical gate, with the two chips that everything else builds on.
#[derive(Debug)]
pub struct BaseContext<'a> {
    vertical: &'a mut Context<Fr>,
    /// halo2-base's arithmetic on the vertical gate.
    pub gate: &'a VerticalChip,
    /// Range checks.
    pub range: &'a RangeChip,
}

impl<'a> BaseContext<'a> {
    /// The context and two chips of one circuit.
    pub(super) fn new(
        vertical: &'a mut Context<Fr>,
        gate: &'a VerticalChip,
        range: &'a RangeChip,
    ) -> Self {
        Self { vertical, gate, range }
    }
}

impl Deref for BaseContext<'_> {
    type Target = Context<Fr>;

    fn deref(&self) -> &Context<Fr> {
        self.vertical
    }
}

impl DerefMut for BaseContext<'_> {
    fn deref_mut(&mut self) -> &mut Context<Fr> {
        self.vertical
    }
}
