//! Whether a filled circuit holds, and whether it holds once cells are overwritten.
//!
//! A mock prover writes and checks all rows each time that it is asked. A [`Judge`] writes them once, and then looks at
//! the copies of the cells that were overwritten, and at the rows whose gates and lookups read them. A test that tries
//! thousands of forgeries asks a judge first; what a judge lets pass, a mock prover has to confirm.

use std::{
    cell::OnceCell,
    collections::{HashMap, HashSet},
    rc::Rc,
};

use halo2_base::halo2_proofs::{
    halo2curves::bn256::Fr,
    plonk::{Circuit, ConstraintSystem, Expression},
};

use super::{polynomial::Polynomial, record::Sheet, Forged, Place};

/// A filled circuit, and all that must hold in it.
#[derive(Debug)]
pub struct Judge {
    sheet: Sheet,
    usable: usize,
    gates: Vec<Polynomial>,
    lookups: Vec<Lookup>,
    /// Gates and lookups that read an advice column, by number, and how far down.
    readers: Vec<Vec<(Reader, i32)>>,
    holds: OnceCell<bool>,
}

/// Who reads a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Reader {
    Gate(usize),
    Input(usize),
    Table(usize),
}

#[derive(Debug)]
struct Lookup {
    inputs: Vec<Polynomial>,
    table: Rc<Table>,
}

/// A table, which several lookups may ask.
#[derive(Debug)]
struct Table {
    columns: Vec<Polynomial>,
    rows: OnceCell<HashSet<Vec<Fr>>>,
}

impl Judge {
    /// Writes the rows of `circuit`, `2^k` of them, with the public inputs `instance`.
    pub fn new<C: Circuit<Fr>>(k: u32, circuit: &C, instance: Vec<Vec<Fr>>) -> Self {
        let (sheet, meta) = Sheet::record(k, circuit, instance);
        let gates = meta.gates().iter().flat_map(|gate| gate.polynomials());
        let gates: Vec<_> = gates.map(Polynomial::new).collect();
        let lookups = lookups(&meta);
        let mut readers = vec![vec![]; meta.num_advice_columns()];
        let mut read = |reader: Reader, polynomial: &Polynomial| {
            polynomial
                .reads
                .iter()
                .for_each(|(column, down)| readers[*column].push((reader, *down)));
        };
        gates.iter().enumerate().for_each(|(number, gate)| read(Reader::Gate(number), gate));
        for (number, lookup) in lookups.iter().enumerate() {
            lookup.inputs.iter().for_each(|input| read(Reader::Input(number), input));
            lookup.table.columns.iter().for_each(|column| read(Reader::Table(number), column));
        }
        let usable = sheet.rows - (meta.blinding_factors() + 1);
        Self { sheet, usable, gates, lookups, readers, holds: OnceCell::new() }
    }

    /// Whether everything holds.
    pub fn holds(&self) -> bool {
        *self.holds.get_or_init(|| {
            let honest = |(column, row): Place| self.sheet.advice[column][row];
            let gate = |gate: &Polynomial| {
                (0..self.usable).all(|row| gate.evaluate(&self.sheet, row, &honest) == Fr::zero())
            };
            self.sheet.copies_hold()
                && self.gates.iter().all(gate)
                && (0..self.lookups.len()).all(|lookup| self.finds_all(lookup, &honest, false))
        })
    }

    /// Whether everything holds once cells are overwritten; of several values of a cell the last one counts.
    pub fn holds_with(&self, forged: &[Forged]) -> bool {
        let values: HashMap<Place, Fr> =
            forged.iter().map(|cell| ((cell.column, cell.row), cell.value)).collect();
        let advice = |place: Place| {
            values.get(&place).copied().unwrap_or_else(|| self.sheet.advice[place.0][place.1])
        };
        let is_copied = |(place, value): (&Place, &Fr)| {
            self.sheet.bound_to(*place).iter().all(|bound| advice(*bound) == *value)
        };
        if !self.holds() || !values.iter().all(is_copied) {
            return false;
        }
        let mut asked = HashSet::new();
        let readers = values.keys().flat_map(|(column, row)| {
            self.readers[*column].iter().map(move |(reader, down)| {
                let at = (*row as i32 - down).rem_euclid(self.sheet.rows as i32) as usize;
                (*reader, if matches!(reader, Reader::Table(_)) { 0 } else { at })
            })
        });
        readers.filter(|(_, row)| *row < self.usable).all(|(reader, row)| {
            if !asked.insert((reader, row)) {
                return true;
            }
            match reader {
                Reader::Gate(gate) => {
                    self.gates[gate].evaluate(&self.sheet, row, &advice) == Fr::zero()
                }
                Reader::Input(lookup) => {
                    let changes = |(reader, _): &(Reader, i32)| *reader == Reader::Table(lookup);
                    let is_moved = values.keys().any(|(c, _)| self.readers[*c].iter().any(changes));
                    // Then all its rows are asked besides.
                    is_moved || self.finds(lookup, row, &advice)
                }
                Reader::Table(lookup) => self.finds_all(lookup, &advice, true),
            }
        })
    }

    /// Whether what `row` looks up is in the table as it was written.
    fn finds(&self, lookup: usize, row: usize, advice: &impl Fn(Place) -> Fr) -> bool {
        let Lookup { inputs, table } = &self.lookups[lookup];
        let honest = |(column, row): Place| self.sheet.advice[column][row];
        let rows = table.rows.get_or_init(|| self.rows(table, &honest));
        rows.contains(&self.tuple(inputs, row, advice))
    }

    /// Whether what each row looks up is in the table, which may have changed.
    fn finds_all(&self, lookup: usize, advice: &impl Fn(Place) -> Fr, has_changed: bool) -> bool {
        let Lookup { inputs, table } = &self.lookups[lookup];
        let changed;
        let rows = if has_changed {
            changed = self.rows(table, advice);
            &changed
        } else {
            table.rows.get_or_init(|| self.rows(table, advice))
        };
        let mut last = vec![];
        (0..self.usable).all(|row| {
            let tuple = self.tuple(inputs, row, advice);
            // Many rows in a row look up nothing.
            let found = tuple == last || rows.contains(&tuple);
            last = tuple;
            found
        })
    }

    fn rows(&self, table: &Table, advice: &impl Fn(Place) -> Fr) -> HashSet<Vec<Fr>> {
        (0..self.usable).map(|row| self.tuple(&table.columns, row, advice)).collect()
    }

    fn tuple(&self, parts: &[Polynomial], row: usize, advice: &impl Fn(Place) -> Fr) -> Vec<Fr> {
        parts.iter().map(|part| part.evaluate(&self.sheet, row, advice)).collect()
    }
}

/// The lookups; those with one table share it.
fn lookups(meta: &ConstraintSystem<Fr>) -> Vec<Lookup> {
    let polynomials =
        |expressions: &[Expression<Fr>]| expressions.iter().map(Polynomial::new).collect();
    let mut tables = HashMap::<Vec<String>, Rc<Table>>::new();
    let mut lookups = vec![];
    for lookup in meta.lookups() {
        let columns = lookup.table_expressions();
        let name = columns.iter().map(Expression::identifier).collect();
        let table = tables.entry(name).or_insert_with(|| {
            Rc::new(Table { columns: polynomials(columns), rows: OnceCell::new() })
        });
        lookups
            .push(Lookup { inputs: polynomials(lookup.input_expressions()), table: table.clone() });
    }
    lookups
}
