//! One numbering of all columns, by which the engine's expressions name cells.

use muster_verifier::{Column, Polynomial, Protocol};

/// Where the columns of each kind begin. They are numbered one after the other: those of the key (fixed, σ, three that tell rows apart),
/// then advice, the inputs, multiplicities, helpers, the sum, the product, the differences.
#[derive(Clone, Copy, Debug)]
pub(super) struct Columns {
    sigma: usize,
    rows: usize,
    /// How many columns are the key's: the first ones.
    pub(super) of_key: usize,
    inputs: usize,
    helpers: usize,
    sum: usize,
    product: usize,
    /// How many there are.
    pub(super) count: usize,
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
        let (arrangement, tables) = (protocol.arrangement(), protocol.tables().len());
        let sigma = protocol.fixed();
        let rows = sigma + protocol.copied().len();
        let of_key = rows + Self::ROW_KINDS;
        let inputs = of_key + protocol.advice();
        let helpers = inputs + 1 + tables;
        let sum = helpers + arrangement.helpers().len();
        let product = sum + usize::from(tables > 0);
        let count = product + arrangement.chunks();
        Self { sigma, rows, of_key, inputs, helpers, sum, product, count }
    }

    pub(super) fn row(self, row: Row) -> usize {
        self.rows + row as usize
    }

    pub(super) fn column(self, column: Column) -> usize {
        match column {
            Column::Fixed(index) => self.place(Polynomial::Fixed(index)),
            Column::Advice(index) => self.place(Polynomial::Advice(index)),
            Column::Inputs => self.inputs,
        }
    }

    pub(super) fn place(self, polynomial: Polynomial) -> usize {
        match polynomial {
            Polynomial::Fixed(index) => index,
            Polynomial::Sigma(index) => self.sigma + index,
            Polynomial::Advice(index) => self.of_key + index,
            Polynomial::Multiplicity(index) => self.inputs + 1 + index,
            Polynomial::Helper(index) => self.helpers + index,
            Polynomial::Sum => self.sum,
            Polynomial::Product => self.product,
            // From 1 on.
            Polynomial::Difference(index) => self.product + index,
            Polynomial::Quotient => unreachable!("it is no column"),
        }
    }
}
