//! A circuit around a gadget under test.

use std::{cell::OnceCell, collections::BTreeSet};

use halo2_base::{
    halo2_proofs::{
        dev::{FailureLocation, MockProver, VerifyFailure},
        halo2curves::{bn256::Fr, ff::Field},
    },
    AssignedValue, Context,
};

use super::forger::{
    free_cells, open_cells, open_classes, Failure, Forger, Judge, Open, Place, Sheet,
};
use muster_gates::{
    vertical, Forged, GateCircuit, GateContext, Gates, Layout, PoseidonLayout, Sha2Layout,
};

mod bound;
mod walk;

pub use walk::Walk;

/// The gate of the vertical columns.
const SUM: &str = "1 column a + b * c = out";

/// A lane of SHA-256 with the fewest cells.
pub const SHA256_GATE: Sha2Layout = Sha2Layout { bits: 4, lanes: 1 };

/// A small layout with a Poseidon gate of each of `widths`.
pub fn layout(k: u32, widths: &[usize]) -> Layout {
    let poseidon = widths.iter().map(|&width| PoseidonLayout { width, columns: 3, lanes: 1 });
    Layout {
        k,
        vertical_columns: 1,
        range_columns: 1,
        range_bits: 8,
        poseidon: poseidon.collect(),
        edwards_lanes: 1,
        constant_rows: 128,
        ..Layout::default()
    }
}

/// Constrains a cell to be this number, in place of what else would say so in a circuit.
#[track_caller]
pub fn assert_is(ctx: &mut Context<Fr>, cell: &AssignedValue<Fr>, number: Fr) {
    let known = vertical::load_constant(ctx, number);
    vertical::assert_equal(ctx, cell, &known);
}

/// What a gadget recorded, ready to be checked.
pub struct TestCircuit(GateCircuit, OnceCell<Judge>);

impl TestCircuit {
    /// What `build` records in columns of `layout`.
    pub fn new(layout: Layout, build: impl FnOnce(&mut GateContext)) -> Self {
        Self::of(GateCircuit::new(&layout, false, build))
    }

    fn of(circuit: GateCircuit) -> Self {
        Self(circuit, OnceCell::new())
    }

    /// What was recorded.
    pub fn gates(&self) -> &Gates {
        &self.0.gates
    }

    /// Checks the rows of the circuit.
    fn prover(&self) -> MockProver<Fr> {
        MockProver::run(self.0.layout().k, &self.0, vec![vec![]]).expect("the rows fit")
    }

    /// Whether a mock prover [confirms](Judge::is_confirmed) that all holds once cells are overwritten.
    fn is_confirmed_with(&mut self, forged: Vec<Forged>) -> bool {
        self.judge();
        self.0.forged = forged;
        let confirmed = self.judge().is_confirmed(&self.0, &self.0.forged);
        self.0.forged.clear();
        confirmed
    }

    /// What a mock prover finds in all rows.
    fn found(&self) -> Vec<VerifyFailure> {
        self.prover().verify().err().unwrap_or_default()
    }

    /// Finds quickly what does not hold.
    fn judge(&self) -> &Judge {
        self.1.get_or_init(|| Judge::new(self.0.layout().k, &self.0, vec![vec![]]))
    }

    /// Whether every constraint holds.
    pub fn is_satisfied(&self) -> bool {
        let judge = self.judge();
        judge.failures().is_empty() && judge.is_confirmed(&self.0, &[])
    }

    /// Whether every constraint holds once a cell is overwritten.
    pub fn is_satisfied_with(&mut self, forged: Forged) -> bool {
        self.is_satisfied_with_all(vec![forged])
    }

    /// The places of those `cells` that nothing refuses if they are overwritten one at a time. A mock prover confirms
    /// it for all of them together: a cell that nothing reads does not affect another.
    pub fn free_cells(&mut self, cells: Vec<Forged>) -> BTreeSet<Place> {
        assert_eq!(self.judge().failures(), [], "it holds before");
        let is_free = |cell: &Forged| self.judge().holds_with(&[*cell]);
        let free: Vec<_> = cells.into_iter().filter(is_free).collect();
        assert!(free.is_empty() || self.is_confirmed_with(free.clone()));
        free.iter().map(|cell| (cell.column, cell.row)).collect()
    }

    /// Whether every constraint holds once cells are overwritten.
    pub fn is_satisfied_with_all(&mut self, forged: Vec<Forged>) -> bool {
        let holds = match self.judge().failures() {
            [] => self.judge().failures_with(&forged, true).is_empty(),
            _ => self.judge_with(forged.clone()).failures().is_empty(),
        };
        holds && self.is_confirmed_with(forged)
    }

    /// Advice cells, by column and row, whose copy constraints fail once cells are overwritten.
    pub fn broken_copies(&mut self, forged: Vec<Forged>) -> Vec<(usize, usize)> {
        self.0.forged = forged;
        let found = self.prover().verify_at_rows(0..0, 0..0).err().unwrap_or_default();
        self.0.forged.clear();
        found.iter().filter_map(broken).collect()
    }

    /// A judge of the circuit with cells overwritten: where something failed before, everything is checked again.
    fn judge_with(&mut self, forged: Vec<Forged>) -> Judge {
        self.0.forged = forged;
        let judge = Judge::new(self.0.layout().k, &self.0, vec![vec![]]);
        self.0.forged.clear();
        judge
    }

    /// What fails once cells are overwritten; if nothing does, a mock prover may have to confirm it.
    pub fn failures_with(&mut self, forged: Vec<Forged>) -> Vec<Failure> {
        let failures = match self.judge().failures() {
            failures if forged.is_empty() => failures.to_vec(),
            [] => self.judge().failures_with(&forged, false),
            _ => self.judge_with(forged.clone()).failures().to_vec(),
        };
        assert!(!failures.is_empty() || self.is_confirmed_with(forged));
        failures
    }

    /// Whether range checks fail once cells are overwritten, and nothing else: all gates and copies hold.
    pub fn fails_range_checks_alone(&mut self, forged: Vec<Forged>) -> bool {
        let range = |failure: &Failure| matches!(failure, Failure::Lookup(name, _) if name.starts_with("range"));
        let failures = self.failures_with(forged);
        !failures.is_empty() && failures.iter().all(range)
    }

    /// The names of everything that fails once cells are overwritten: constraints of gates, lookups, and "copy".
    /// Sorted, each name once.
    pub fn failing(&mut self, forged: Vec<Forged>) -> Vec<String> {
        let name = |failure: Failure| match failure {
            Failure::Gate(name, _) | Failure::Lookup(name, _) => name,
            Failure::Copy(_) => "copy".to_owned(),
        };
        let names: BTreeSet<_> = self.failures_with(forged).into_iter().map(name).collect();
        names.into_iter().collect()
    }

    /// The cells of these columns to which another witness generator writes something else.
    pub fn written_by(&self, generate: impl FnOnce(&mut GateContext)) -> Vec<Forged> {
        let own = self.advice();
        let mut other = GateCircuit::new(self.0.layout(), true, generate);
        let placement = self.0.gates.placement().expect("the rows were written");
        other.gates.set_placement(placement);
        let mut forged = vec![];
        let (written, _) = Sheet::record(other.layout().k, &other, vec![vec![]]);
        for (column, (own, cells)) in own.iter().zip(written.advice).enumerate() {
            let new = cells.into_iter().enumerate().take(own.len());
            let new = new.filter(|(row, value)| own[*row] != *value);
            forged.extend(new.map(|(row, value)| Forged { column, row, value }));
        }
        forged
    }

    /// What a malicious prover reads off the circuit.
    pub fn forger(&self) -> Forger {
        Forger::new(self.0.layout().k, &self.0, vec![vec![]], |_| vec![])
    }

    /// The values of the [open cells](open_cells) of the vertical gate that nothing else may refuse, and how many other
    /// open cells there are.
    pub fn open_values(&self) -> (Vec<Fr>, usize) {
        self.open_values_given([])
    }

    /// The same, where the cells in these rows of the last column are inputs that do not change.
    pub fn open_values_given(&self, rows: impl IntoIterator<Item = usize>) -> (Vec<Fr>, usize) {
        let (k, columns) = (self.0.layout().k, self.vertical());
        let inputs = self.inputs(rows);
        values_and_passed_on(open_cells(k, &self.0, vec![vec![]], columns, &inputs))
    }

    /// The values of the open cells that nothing else may refuse, without a count of the others.
    pub fn free_values(&self) -> Vec<Fr> {
        self.free_values_given([])
    }

    /// The same, where the cells in these rows of the last column are inputs that do not change.
    pub fn free_values_given(&self, rows: impl IntoIterator<Item = usize>) -> Vec<Fr> {
        let (k, columns) = (self.0.layout().k, self.vertical());
        let open = free_cells(k, &self.0, columns, &self.inputs(rows));
        open.iter().map(|open| open.value).collect()
    }

    /// As [`Self::open_values_given`], for the [open classes](open_classes).
    pub fn open_classes_given(&self, rows: impl IntoIterator<Item = usize>) -> (Vec<Fr>, usize) {
        let (k, columns) = (self.0.layout().k, self.vertical());
        let inputs = self.inputs(rows);
        values_and_passed_on(open_classes(k, &self.0, vec![vec![]], columns, &inputs))
    }

    /// An overwrite of the cell in this row of the last column, which belongs to the vertical gate.
    pub fn in_row(&self, row: usize, value: Fr) -> Forged {
        Forged { column: self.vertical().end - 1, row, value }
    }

    /// The cells in these rows of the last column.
    fn inputs(&self, rows: impl IntoIterator<Item = usize>) -> Vec<Place> {
        let column = self.vertical().end - 1;
        rows.into_iter().map(|row| (column, row)).collect()
    }

    /// The columns of the vertical gate.
    pub fn vertical(&self) -> std::ops::Range<usize> {
        let (layout, end) = (self.0.layout(), self.0.layout().advice_columns());
        end - layout.vertical_columns..end
    }

    /// Asserts that cells with new values and all that follows from them are refused, and by nothing but the
    /// copies that bind these cells.
    pub fn assert_only_copies_refuse(
        &mut self,
        forger: &Forger,
        what: &str,
        starts: &[(Place, Fr)],
    ) {
        let bound: Vec<_> = starts.iter().flat_map(|(place, _)| forger.bound_to(*place)).collect();
        let failures = self.failures_with(forger.rewrite(starts));
        assert!(!failures.is_empty(), "{what}: nothing refuses it");
        let is_cut =
            |failure: &Failure| matches!(failure, Failure::Copy(place) if bound.contains(place));
        let other = failures.iter().find(|failure| !is_cut(failure));
        assert_eq!(other, None, "{what}");
    }

    /// How many constraints fail.
    pub fn count_failures(&self) -> usize {
        self.found().len()
    }

    /// How many relations of the foreign gate do not hold, if nothing else fails.
    pub fn false_relations(&self) -> Option<usize> {
        self.rows_of_false_relations().map(|rows| rows.len())
    }

    /// The first rows of those relations.
    pub fn rows_of_false_relations(&self) -> Option<BTreeSet<usize>> {
        let row = |failure: &Failure| match failure {
            Failure::Gate(name, row) if name == "native" || name == "limbs" => Some(*row),
            _ => None,
        };
        let failures = self.judge().failures();
        assert!(!failures.is_empty() || self.is_satisfied());
        failures.iter().map(row).collect()
    }

    /// The advice cells that are written, by column.
    pub fn advice(&self) -> Vec<Vec<Fr>> {
        self.judge().advice()
    }

    /// Overwrites of every cell that holds the first value of a change, with its second.
    pub fn replace(&self, changes: &[(Fr, Fr)]) -> Vec<Forged> {
        let mut forged = vec![];
        for (column, cells) in self.advice().iter().enumerate() {
            for (row, cell) in cells.iter().enumerate() {
                let change = changes.iter().find(|change| change.0 == *cell);
                forged.extend(change.map(|(_, value)| Forged { column, row, value: *value }));
            }
        }
        forged
    }

    /// Asserts that a chain that was [written](Self::written_by) from another start is refused by the copies of its
    /// start and by nothing else: of the overwritten cells, only by that of the one that holds `start`.
    pub fn assert_only_a_copy_refuses(&mut self, what: &str, forged: Vec<Forged>, start: Fr) {
        let failures = self.failures_with(forged.clone());
        let value = |failure: &Failure| match failure {
            Failure::Copy(place) => {
                forged.iter().find(|cell| (cell.column, cell.row) == *place).map(|cell| cell.value)
            }
            _ => None,
        };
        let values: Vec<_> = failures.iter().map(value).collect();
        assert_eq!(values, [Some(start)], "{what}: {failures:?}");
    }

    /// For a circuit that only the gate `0 + b·b = b` of a false bit refuses, asserts that once any of the four cells
    /// is changed to make the gate hold, a copy refuses it.
    pub fn assert_bit_is_bound(&mut self, bit: Fr) {
        let (column, first) = self.failing_sum();
        let cells = self.advice()[column][first..first + 4].to_vec();
        assert_eq!(cells, [Fr::ZERO, bit, bit, bit], "the gate of the bit fails");
        let values = [bit - bit.square(), Fr::ONE, Fr::ONE, bit.square()];
        for (row, value) in (first..).zip(values) {
            let failing = self.failing(vec![Forged { column, row, value }]);
            assert_eq!(failing, ["copy"], "row {row}");
        }
    }

    /// For a circuit that only a sum `start + Σ aᵢ·bᵢ = end` of `products` products refuses, asserts that once any of
    /// the cells makes up for the difference, a copy refuses it.
    pub fn assert_sum_is_bound(&mut self, products: usize) {
        let (column, last) = self.failing_sum();
        let first = last - 3 * (products - 1);
        let cells = self.advice()[column].clone();
        let less = cells[last + 3] - cells[last] - cells[last + 1] * cells[last + 2];
        let mut ends = vec![(first, less, first), (last + 3, -less, last)];
        for row in (first..=last).step_by(3) {
            for (changed, other) in [(row + 1, row + 2), (row + 2, row + 1)] {
                let factor = cells[other].invert().expect("a factor that is not 0");
                ends.push((changed, less * factor, row));
            }
        }
        let cell = |row: usize, more: Fr| Forged { column, row, value: cells[row] + more };
        let sums_from = |row: usize| (row..=last).step_by(3).map(|row| cell(row, less));
        for (changed, more, row) in ends {
            let forged: Vec<_> = sums_from(row + 3).chain([cell(changed, more)]).collect();
            assert_eq!(self.failing(forged), ["copy"], "row {changed}");
        }
        // Each partial sum has a gate of its own.
        for row in (first + 3..=last).step_by(3) {
            assert_eq!(self.failing(sums_from(row).collect()), [SUM], "row {row}");
        }
    }

    /// Column and row of the vertical gate that fails, which must be all that fails.
    fn failing_sum(&self) -> (usize, usize) {
        let failures = self.found();
        let [VerifyFailure::ConstraintNotSatisfied { constraint, location, .. }] = &failures[..]
        else {
            panic!("one constraint fails, not {}", failures.len())
        };
        assert!(constraint.to_string().contains(SUM), "{constraint}");
        // The vertical gate has the last column.
        (self.advice().len() - 1, row_of(location))
    }

    /// Panics with what fails unless every constraint holds.
    pub fn assert_satisfied(&self) {
        let failures = self.judge().failures();
        assert_eq!(&failures[..failures.len().min(9)], [], "{} failures", failures.len());
        assert!(
            self.judge().is_confirmed(&self.0, &[]),
            "a mock prover finds what the judge does not"
        );
    }
}

/// The values of the open cells that nothing else may refuse, and how many others there are.
fn values_and_passed_on(open: Vec<Open>) -> (Vec<Fr>, usize) {
    let (passed_on, free): (Vec<_>, Vec<_>) = open.into_iter().partition(|o| o.is_passed_on);
    (free.iter().map(|open| open.value).collect(), passed_on.len())
}

/// The cell, by column and row, whose copy constraint fails.
fn broken(failure: &VerifyFailure) -> Option<Place> {
    match failure {
        VerifyFailure::Permutation { column, location } => Some((column.index(), row_of(location))),
        _ => None,
    }
}

/// The only region starts with the first row.
fn row_of(location: &FailureLocation) -> usize {
    match location {
        FailureLocation::InRegion { offset, .. } => *offset,
        FailureLocation::OutsideRegion { row } => *row,
    }
}
