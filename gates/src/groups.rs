//! The advice columns by gate, for tests.

use std::collections::BTreeMap;

use halo2_base::halo2_proofs::{
    halo2curves::bn256::Fr,
    plonk::{Advice, Column, ConstraintSystem},
};

use super::Layout;

/// The gates, as tests look at them: those that others copy from come first.
const ORDER: [&str; 9] =
    ["edwards", "set", "poseidon", "keccak", "sha256", "sha512", "foreign", "range", "vertical"];

/// The advice columns of each gate.
pub(super) type Groups = Vec<(&'static str, Vec<Column<Advice>>)>;

/// The columns of the gates of `layout`, which are the last that were made.
///
/// # Panics
/// If a gate has other columns than the layout says, or does not query one.
pub(super) fn groups(meta: &ConstraintSystem<Fr>, layout: &Layout) -> Groups {
    let queries = meta.advice_queries().iter();
    let all: BTreeMap<_, _> = queries.map(|(column, _)| (column.index(), *column)).collect();
    let mut first = meta.num_advice_columns() - layout.advice_columns();
    let gate = |(name, width): (&'static str, usize)| {
        let own: Vec<_> = (first..first + width).map(|index| all[&index]).collect();
        first += width;
        (name, own)
    };
    let mut groups: Vec<_> = layout.widths().into_iter().map(gate).collect();
    groups.sort_by_key(|(name, _)| ORDER.iter().position(|other| other == name));
    groups
}
