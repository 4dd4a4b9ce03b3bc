//! The columns that a proof speaks of, in one numbering: cells of expressions and polynomials are named by it.

use halo2_base::halo2_proofs::{
    halo2curves::bn256::{Fr, G1Affine},
    plonk::{Any, Column, ProvingKey},
};

/// How many columns there are of each kind, and how many rows.
///
/// The numbers of a kind follow those of the kind before: fixed, advice, instance, permuted (where
/// the cells of each copied column go), rows (four), products of the permutation, lookups (three each),
/// and the quotient's (two).
#[derive(Clone, Copy, Debug)]
pub(super) struct Columns {
    pub(super) fixed: usize,
    pub(super) advice: usize,
    pub(super) instance: usize,
    pub(super) permuted: usize,
    pub(super) products: usize,
    pub(super) lookups: usize,
    /// Columns whose copies one product covers.
    pub(super) in_product: usize,
    pub(super) rows: usize,
    /// Rows at the end that hold random numbers, with the last one of a product before them.
    pub(super) blinding: usize,
    /// Polynomials of as many coefficients as rows that the quotient has.
    pub(super) pieces: usize,
}

/// Columns that say which row is which.
#[derive(Clone, Copy, Debug)]
pub(super) enum Row {
    /// The points of the domain.
    Points,
    /// 1 in the first.
    First,
    /// 1 in the last one of products.
    Last,
    /// 1 in those before it.
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
        // Of a product's degree one is its own, and one the rows' for which it holds.
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

    /// The rotation from any row to the last one of a product, for the first row.
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

    /// How many there are before the quotient's.
    pub(super) fn witnessed(&self) -> usize {
        self.product(self.products) + Self::LOOKUP_PARTS * self.lookups
    }

    /// The quotient, reduced to as many coefficients as rows.
    pub(super) fn quotient(&self) -> usize {
        self.witnessed()
    }

    /// What hides it.
    pub(super) fn mask(&self) -> usize {
        self.witnessed() + 1
    }

    /// A column that halo2 names.
    pub(super) fn named(&self, column: Column<Any>) -> usize {
        match column.column_type() {
            Any::Fixed => self.fixed(column.index()),
            Any::Advice(_) => self.advice(column.index()),
            Any::Instance => self.instance(column.index()),
        }
    }
}

/// A column's cells, or the coefficients of its polynomial.
pub(super) type Numbers = Vec<Fr>;
