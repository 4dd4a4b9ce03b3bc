//! One numbering of all columns of a proof, by which expressions name cells, and by which polynomials are named.

use halo2_base::halo2_proofs::{
    halo2curves::bn256::G1Affine,
    plonk::{Any, Column, ProvingKey},
};

/// How many columns there are of each kind, and how many rows.
///
/// The kinds are numbered one after the other: fixed, advice, instance, permuted (where the cells of
/// each copied column go), rows (four), grand products of the permutation, lookups (three each), and
/// the quotient's (two).
#[derive(Clone, Copy, Debug)]
pub(super) struct Columns {
    pub(super) fixed: usize,
    pub(super) advice: usize,
    pub(super) instance: usize,
    pub(super) permuted: usize,
    pub(super) products: usize,
    pub(super) lookups: usize,
    /// Permuted columns that one grand product covers.
    pub(super) in_product: usize,
    pub(super) rows: usize,
    /// Rows at the end that hold random numbers. The last one of a grand product is just before them.
    pub(super) blinding: usize,
    /// Pieces of the quotient, each a polynomial with as many coefficients as there are rows.
    pub(super) pieces: usize,
}

/// Columns that tell rows apart.
#[derive(Clone, Copy, Debug)]
pub(super) enum Row {
    /// The points of the domain.
    Points,
    /// `l_0`: 1 in the first row.
    First,
    /// `l_last`: 1 in the last row of grand products.
    Last,
    /// `l_active`: 1 in the rows before it.
    Active,
}

/// A lookup's columns.
#[derive(Clone, Copy, Debug)]
pub(super) enum Part {
    Product,
    Input,
    Table,
}

impl Columns {
    pub(super) const ROW_KINDS: usize = 4;
    pub(super) const LOOKUP_PARTS: usize = 3;

    /// The columns of a key.
    pub(super) fn of(pk: &ProvingKey<G1Affine>) -> Self {
        let (cs, domain) = (pk.get_vk().cs(), pk.get_vk().get_domain());
        let permuted = cs.permutation().get_columns().len();
        let pieces = domain.get_quotient_poly_degree();
        // Of the constraint's degree, one is the product's own, and one that of the rows where it holds.
        let in_product = pieces - 1;
        Self {
            fixed: cs.num_fixed_columns(),
            advice: cs.num_advice_columns(),
            instance: cs.num_instance_columns(),
            permuted,
            products: permuted.div_ceil(in_product),
            lookups: cs.lookups().len(),
            in_product,
            rows: 1 << domain.k(),
            blinding: cs.blinding_factors(),
            pieces,
        }
    }

    /// Rows that a circuit may fill.
    pub(super) fn usable(&self) -> usize {
        self.rows - self.blinding - 1
    }

    /// The rotation from the first row to the last one of a grand product.
    pub(super) fn to_last(self) -> i32 {
        -(self.blinding as i32 + 1)
    }

    pub(super) fn fixed(&self, index: usize) -> usize {
        index
    }

    pub(super) fn advice(&self, index: usize) -> usize {
        self.fixed + index
    }

    pub(super) fn instance(&self, index: usize) -> usize {
        self.advice(self.advice) + index
    }

    pub(super) fn permuted(&self, index: usize) -> usize {
        self.instance(self.instance) + index
    }

    pub(super) fn row(&self, row: Row) -> usize {
        self.permuted(self.permuted) + row as usize
    }

    pub(super) fn product(&self, index: usize) -> usize {
        self.permuted(self.permuted) + Self::ROW_KINDS + index
    }

    pub(super) fn lookup(&self, index: usize, part: Part) -> usize {
        self.product(self.products) + Self::LOOKUP_PARTS * index + part as usize
    }

    /// Columns that are the same in all proofs of a key, by their numbers: fixed, permuted, rows.
    pub(super) fn of_key(&self) -> impl Iterator<Item = usize> {
        (self.fixed(0)..self.advice(0)).chain(self.permuted(0)..self.product(0))
    }

    /// How many columns there are before the quotient's.
    pub(super) fn witnessed(&self) -> usize {
        self.product(self.products) + Self::LOOKUP_PARTS * self.lookups
    }

    /// The quotient, reduced to as many coefficients as rows.
    pub(super) fn quotient(&self) -> usize {
        self.witnessed()
    }

    /// The polynomial that hides the quotient.
    pub(super) fn mask(&self) -> usize {
        self.witnessed() + 1
    }

    /// The number of a halo2 column.
    pub(super) fn named(&self, column: Column<Any>) -> usize {
        match column.column_type() {
            Any::Fixed => self.fixed(column.index()),
            Any::Advice(_) => self.advice(column.index()),
            Any::Instance => self.instance(column.index()),
        }
    }
}
