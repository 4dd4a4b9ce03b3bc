//! Lookups, and the tables in which they look.

use std::{
    ops::Range,
    sync::{Arc, OnceLock},
};

use halo2_base::halo2_proofs::{
    halo2curves::bn256::Fr,
    plonk::{ConstraintSystem, Expression},
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    polynomial::Polynomial,
    record::{Ends, Place, Sheet},
};

/// The tuples of a table.
pub(super) type Rows = FxHashSet<Vec<Fr>>;

#[derive(Debug)]
pub(super) struct Lookup {
    pub(super) name: String,
    /// What is looked up.
    pub(super) inputs: Vec<Polynomial>,
    pub(super) table: Arc<Table>,
}

/// A table, which several lookups may share.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) columns: Vec<Polynomial>,
    /// As it was written.
    written: OnceLock<Rows>,
}

/// The lookups whose names are `asked`; those with one table share it.
pub(super) fn lookups(meta: &ConstraintSystem<Fr>, asked: impl Fn(&str) -> bool) -> Vec<Lookup> {
    let polynomials =
        |expressions: &[Expression<Fr>]| expressions.iter().map(Polynomial::new).collect();
    let mut tables = FxHashMap::<Vec<String>, Arc<Table>>::default();
    let mut lookups = vec![];
    for lookup in meta.lookups().iter().filter(|lookup| asked(lookup.name())) {
        let columns = lookup.table_expressions();
        let name = columns.iter().map(Expression::identifier).collect();
        let table = tables.entry(name).or_insert_with(|| {
            Arc::new(Table { columns: polynomials(columns), written: OnceLock::new() })
        });
        lookups.push(Lookup {
            name: lookup.name().to_owned(),
            inputs: polynomials(lookup.input_expressions()),
            table: table.clone(),
        });
    }
    lookups
}

impl Lookup {
    /// Rows that look up the same, since all cells that they read are 0.
    pub(super) fn idle_rows(&self, sheet: &Sheet, ends: &Ends) -> Range<usize> {
        let idle = self.inputs.iter().map(|part| part.idle_rows(sheet, ends));
        let idle = idle.reduce(|a, b| a.start.max(b.start)..a.end.min(b.end));
        idle.filter(|idle| !idle.is_empty()).unwrap_or_default()
    }

    /// Whether the table, as it was written, has what a row looks up.
    pub(super) fn finds(&self, sheet: &Sheet, row: usize, advice: &impl Fn(Place) -> Fr) -> bool {
        self.table.written(sheet).contains(&tuple(&self.inputs, sheet, row, advice))
    }

    /// Those of `rows` that look up what the table does not have, where all cells hold what was written.
    pub(super) fn missing(&self, sheet: &Sheet, rows: &[usize]) -> Vec<usize> {
        let table = self.table.written(sheet);
        let inputs = columns(&self.inputs, sheet, rows);
        let tuples = (0..rows.len()).map(|i| inputs.iter().map(|values| values[i]).collect());
        let has = |tuple: &Vec<Fr>| table.contains(tuple);
        absent(rows.iter().copied().zip(tuples), has)
    }

    /// Rows that look up what a table that has changed does not have.
    pub(super) fn missing_with(&self, sheet: &Sheet, advice: &impl Fn(Place) -> Fr) -> Vec<usize> {
        let table = self.table.rows(sheet, advice);
        let tuples = (0..sheet.usable).map(|row| (row, tuple(&self.inputs, sheet, row, advice)));
        absent(tuples, |tuple| table.contains(tuple))
    }
}

impl Table {
    fn written(&self, sheet: &Sheet) -> &Rows {
        self.written.get_or_init(|| {
            let columns = columns(&self.columns, sheet, &Vec::from_iter(0..sheet.usable));
            (0..sheet.usable)
                .map(|row| columns.iter().map(|values| values[row]).collect())
                .collect()
        })
    }

    /// What it has where `advice` gives the values of advice cells.
    pub(super) fn rows(&self, sheet: &Sheet, advice: &impl Fn(Place) -> Fr) -> Rows {
        (0..sheet.usable).map(|row| tuple(&self.columns, sheet, row, advice)).collect()
    }
}

/// The values of each part at these rows, where all cells hold what was written.
fn columns(parts: &[Polynomial], sheet: &Sheet, rows: &[usize]) -> Vec<Vec<Fr>> {
    parts.iter().map(|part| part.values(sheet, rows)).collect()
}

fn tuple(
    parts: &[Polynomial],
    sheet: &Sheet,
    row: usize,
    advice: &impl Fn(Place) -> Fr,
) -> Vec<Fr> {
    parts.iter().map(|part| part.evaluate(sheet, row, advice)).collect()
}

/// The rows whose tuples a table does not have. Many consecutive rows look up the same.
fn absent(
    tuples: impl Iterator<Item = (usize, Vec<Fr>)>,
    has: impl Fn(&Vec<Fr>) -> bool,
) -> Vec<usize> {
    let (mut last, mut absent) = (vec![], vec![]);
    for (row, tuple) in tuples {
        if tuple != last && !has(&tuple) {
            absent.push(row);
        } else {
            last = tuple;
        }
    }
    absent
}
