//! A filled circuit: its cells, and which of them copies bind together.

use halo2_base::halo2_proofs::halo2curves::bn256::Fr;

use super::super::forger::Sheet;

/// Cells by column and row, and their classes by numbers.
#[derive(Debug)]
pub(super) struct Grid {
    pub(super) sheet: Sheet,
    /// For each advice cell, the first one that it equals by copies.
    classes: Vec<usize>,
}

impl Grid {
    pub(super) fn new(sheet: Sheet) -> Self {
        let rows = sheet.rows;
        let mut classes: Vec<_> = (0..rows * sheet.advice.len()).collect();
        for group in sheet.groups() {
            let cells = group.iter().map(|(column, row)| column * rows + row);
            let first = cells.clone().min().unwrap_or_default();
            cells.for_each(|cell| classes[cell] = first);
        }
        Self { sheet, classes }
    }

    /// The number of a cell's class: cells that copies bind to one another share one.
    pub(super) fn class(&self, column: usize, row: usize) -> usize {
        self.classes[column * self.sheet.rows + row]
    }

    /// What the cells of a class hold.
    pub(super) fn value(&self, class: usize) -> Fr {
        self.sheet.advice[class / self.sheet.rows][class % self.sheet.rows]
    }

    /// What a fixed cell holds.
    pub(super) fn fixed(&self, column: usize, row: usize) -> Fr {
        self.sheet.fixed(column, Some(row))
    }
}
