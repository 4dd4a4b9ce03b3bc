//! One numbering of all columns, by which the engine's expressions name cells.

use muster_verifier::{Column, Protocol};

/// How many columns there are of each kind. They are numbered one after the other: those of the key (fixed, σ, three that tell rows apart),
/// then advice, the inputs, multiplicities, helpers, the sum, the product, the differences.
#[derive(Clone, Copy, Debug)]
pub(super) struct Columns {
    fixed: usize,
    copied: usize,
    advice: usize,
    tables: usize,
    helpers: usize,
    chunks: usize,
}

/// Columns that tell rows apart.
#[derive(Clone, Copy, Debug)]
pub(super) enum Row {
    /// The points of the domain.
    Points,
    /// `ℓ₀`.
    First,
    /// `ℓ_act`.
    Active,
}

impl Columns {
    const ROW_KINDS: usize = 3;

    pub(super) fn of(protocol: &Protocol) -> Self {
        let arrangement = protocol.arrangement();
        Self {
            fixed: protocol.fixed(),
            copied: protocol.copied().len(),
            advice: protocol.advice(),
            tables: protocol.tables().len(),
            helpers: arrangement.helpers().len(),
            chunks: arrangement.chunks(),
        }
    }

    /// How many columns are the key's: the first ones.
    pub(super) fn of_key(self) -> usize {
        self.fixed + self.copied + Self::ROW_KINDS
    }

    pub(super) fn sigma(self, index: usize) -> usize {
        self.fixed + index
    }

    pub(super) fn row(self, row: Row) -> usize {
        self.sigma(self.copied) + row as usize
    }

    pub(super) fn column(self, column: Column) -> usize {
        match column {
            Column::Fixed(index) => index,
            Column::Advice(index) => self.of_key() + index,
            Column::Inputs => self.of_key() + self.advice,
        }
    }

    pub(super) fn multiplicity(self, index: usize) -> usize {
        self.column(Column::Inputs) + 1 + index
    }

    pub(super) fn helper(self, index: usize) -> usize {
        self.multiplicity(self.tables) + index
    }

    pub(super) fn sum(self) -> usize {
        self.helper(self.helpers)
    }

    pub(super) fn product(self) -> usize {
        self.sum() + usize::from(self.tables > 0)
    }

    /// From 1 on.
    pub(super) fn difference(self, index: usize) -> usize {
        self.product() + index
    }

    /// All of them.
    pub(super) fn count(self) -> usize {
        self.product() + self.chunks
    }
}
