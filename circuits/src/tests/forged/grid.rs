//! The cells that the honest generator writes, and differences of them as overwritten cells.

use halo2_base::halo2_proofs::{dev::AdviceCellValue, plonk::ConstraintSystem};

use super::*;

/// The advice cells of a filled circuit.
#[derive(Clone, Debug)]
pub(crate) struct Grid(pub(crate) Vec<Vec<Fr>>);

impl Grid {
    pub(crate) fn of(circuit: &GateCircuit, shape: &Shape, public: [Fr; 3]) -> Self {
        let prover = MockProver::run(shape.degree(), circuit, vec![public.to_vec()]);
        let prover = prover.expect("the rows fit");
        let mut meta = ConstraintSystem::<Fr>::default();
        let columns = (0..shape.layout.advice_columns()).map(|_| meta.advice_column());
        let value = |cell: &AdviceCellValue<Fr>| match cell {
            AdviceCellValue::Assigned(value) => Some(value.evaluate()),
            AdviceCellValue::Poison(_) => None,
        };
        let usable = |column| prover.advice_values(column).iter().map_while(value).collect();
        Self(columns.map(usable).collect())
    }

    /// Overwrites of every cell that holds one of the first values by the second one.
    pub(crate) fn replace(&self, changes: &[(Fr, Fr)]) -> Vec<Forged> {
        let new = |value: &Fr| changes.iter().find(|change| change.0 == *value).map(|c| c.1);
        self.collect(|_, _, value| new(value))
    }

    /// Overwrites of the cells of `columns` in which `other` differs.
    pub(crate) fn take(&self, other: &Self, columns: std::ops::Range<usize>) -> Vec<Forged> {
        self.collect(|column, row, value| {
            let new = other.0[column][row];
            (columns.contains(&column) && new != *value).then_some(new)
        })
    }

    /// Rows of `column` that hold `value`.
    pub(crate) fn rows(&self, column: usize, value: Fr) -> Vec<usize> {
        let rows = self.0[column].iter().enumerate();
        rows.filter(|(_, cell)| **cell == value).map(|(row, _)| row).collect()
    }

    /// The last row that looks a member up, or else names it in the set.
    pub(crate) fn looked_up(&self, member: &Entry) -> usize {
        let weights = self.rows(Y1, Fr::from(member.weight));
        let rows = self.rows(X1, member.point.x);
        *rows.iter().rfind(|row| weights.contains(row)).expect("the member is there")
    }

    /// Column and row where the cells `pattern` stand below each other, which they do once.
    pub(crate) fn find(&self, columns: std::ops::Range<usize>, pattern: &[Fr]) -> (usize, usize) {
        let matches = |column: usize| {
            let windows = self.0[column].windows(pattern.len()).enumerate();
            windows.filter(|(_, cells)| *cells == pattern).map(move |(row, _)| (column, row))
        };
        let found: Vec<_> = columns.flat_map(matches).collect();
        assert_eq!(found.len(), 1, "the pattern stands in one place");
        found[0]
    }

    fn collect(&self, new: impl Fn(usize, usize, &Fr) -> Option<Fr>) -> Vec<Forged> {
        let mut forged = vec![];
        for (column, cells) in self.0.iter().enumerate() {
            for (row, value) in cells.iter().enumerate() {
                forged.extend(new(column, row, value).map(|value| Forged { column, row, value }));
            }
        }
        forged
    }
}

/// Columns of each gate: Edwards, Poseidon, range, vertical.
pub(crate) fn gates(shape: &Shape) -> [std::ops::Range<usize>; 4] {
    let layout = &shape.layout;
    let edwards = 6 * layout.edwards_lanes;
    let range = layout.advice_columns() - layout.vertical_columns - layout.range_columns;
    let vertical = range + layout.range_columns;
    [0..edwards, edwards..range, range..vertical, vertical..layout.advice_columns()]
}

#[test]
fn the_grid_is_what_is_overwritten() {
    for mode in MODES {
        let claim = Claim::small(Scheme::Schnorr, mode);
        let grid = claim.grid();
        // Writing what stands there changes nothing.
        let all = grid.take(&grid, 0..grid.0.len());
        assert!(all.is_empty());
        let same = grid.collect(|_, _, value| Some(*value));
        assert_eq!(same.len(), grid.0.iter().map(Vec::len).sum::<usize>());
        assert!(claim.holds_with(same));
    }
}
