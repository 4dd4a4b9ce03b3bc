//! How much of its advice columns a circuit fills, counted while it is synthesised: the same count for
//! both proving systems.

use serde::{Deserialize, Serialize};

/// What a circuit assigns in its advice columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Usage {
    /// Rows up to the last one with a filled advice cell.
    pub(crate) rows: usize,
    /// Advice cells filled, each counted once.
    pub(crate) cells: usize,
}

/// The advice cells filled so far, by column and row.
#[derive(Debug, Default)]
pub(crate) struct Filled(Vec<Vec<bool>>);

impl Filled {
    /// Marks a cell.
    pub(crate) fn mark(&mut self, column: usize, row: usize) {
        if self.0.len() <= column {
            self.0.resize_with(column + 1, Vec::new);
        }
        let column = &mut self.0[column];
        if column.len() <= row {
            column.resize(row + 1, false);
        }
        column[row] = true;
    }

    /// Rows and cells.
    pub(crate) fn usage(&self) -> Usage {
        Usage {
            rows: self.0.iter().map(Vec::len).max().unwrap_or(0),
            cells: self.0.iter().flatten().filter(|filled| **filled).count(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_counts_once() {
        let mut filled = Filled::default();
        assert_eq!(filled.usage(), Usage { rows: 0, cells: 0 });
        for (column, row) in [(0, 0), (2, 5), (2, 5), (0, 1)] {
            filled.mark(column, row);
        }
        assert_eq!(filled.usage(), Usage { rows: 6, cells: 3 });
    }
}
