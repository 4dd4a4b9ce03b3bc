//! Cells of the vertical gate that nothing binds.
//!
//! Each cell is rewritten alone: cut off from what copies bind it to, with all that follows from it through the
//! vertical gate and the range checks. Only the copy, the constant or the gate that binds it is left to refuse it, so
//! whichever of these is lost opens a cell. Other gates are not checked: they have to bind what they make of other
//! inputs themselves, and a prover who is free to choose inputs computes it.

use halo2_base::halo2_proofs::{
    halo2curves::{bn256::Fr, ff::Field},
    plonk::Circuit,
};
use rustc_hash::FxHashSet;

use super::{
    laws,
    record::{Place, Sheet},
    Forged, Forger, Judge,
};

/// How many equations a rewriting may satisfy before it is taken for endless.
const PATIENCE: usize = 2_000;

/// A cell that can be rewritten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Open {
    /// Where it is.
    pub place: Place,
    /// What it holds.
    pub value: Fr,
    /// Whether what follows changes a cell of another gate, which may refuse it. If not, nothing does.
    pub is_passed_on: bool,
}

/// The cells of `columns` that can be rewritten in a circuit of `2^k` rows that holds. What copies bind to the `inputs`
/// stays as it is, except for the rewritten cell. Cells whose rewriting comes to no end, or back to what they hold, are
/// left out: inverses mostly.
pub fn open_cells<C: Circuit<Fr>>(
    k: u32,
    circuit: &C,
    instance: Vec<Vec<Fr>>,
    columns: impl IntoIterator<Item = usize>,
    inputs: &[Place],
) -> Vec<Open> {
    Sweep::new(k, circuit, instance, inputs).open_cells(columns)
}

/// The [open cells](open_cells) that nothing else may refuse, of a circuit without public inputs, without those that
/// are passed on.
pub fn free_cells<C: Circuit<Fr>>(
    k: u32,
    circuit: &C,
    columns: impl IntoIterator<Item = usize>,
    inputs: &[Place],
) -> Vec<Open> {
    let open = Sweep::new(k, circuit, vec![vec![]], inputs).open_cells(columns);
    open.into_iter().filter(|open| !open.is_passed_on).collect()
}

/// As [`open_cells`], but rewrites a cell with all that copies bind to it. What can be rewritten so is a choice of the
/// prover, or an input that the circuit leaves to its caller. If a gate is lost that asserts something of cells that
/// copies bind elsewhere, one more class is open. Each class of cells is named by its first one; cells that no copy
/// binds are those of [`open_cells`] and are left out.
pub fn open_classes<C: Circuit<Fr>>(
    k: u32,
    circuit: &C,
    instance: Vec<Vec<Fr>>,
    columns: impl IntoIterator<Item = usize>,
    inputs: &[Place],
) -> Vec<Open> {
    let sweep = Sweep::new(k, circuit, instance, inputs);
    let class = |place: &Place| sweep.forger.bound_to(*place)[0];
    let mut seen: FxHashSet<_> = inputs.iter().map(class).collect();
    let mut open = vec![];
    for place in sweep.places(columns) {
        let mut class = sweep.forger.bound_to(place);
        if class.len() > 1 && seen.insert(class[0]) {
            class.sort_unstable_by_key(|member| (*member != place, *member));
            open.extend(sweep.open(&class));
        }
    }
    open
}

/// A circuit whose cells are rewritten, one after the other.
///
/// No place is given credit for a refusal: in a circuit that lacks a constraint other cells follow, and the same
/// rewriting may not come up.
struct Sweep {
    judge: Judge,
    forger: Forger,
}

impl Sweep {
    fn new<C: Circuit<Fr>>(k: u32, circuit: &C, instance: Vec<Vec<Fr>>, inputs: &[Place]) -> Self {
        let (sheet, meta) = Sheet::record(k, circuit, instance);
        let judge = Judge::of(sheet.clone(), &meta, laws::is_of_sums);
        let forger = Forger::of(sheet, &meta, vec![], laws::is_of_sums).keep(inputs);
        assert_eq!(judge.failures(), [], "it holds before");
        Self { judge, forger }
    }

    fn open_cells(&self, columns: impl IntoIterator<Item = usize>) -> Vec<Open> {
        // Cells in which no gate is active, and which hold nothing.
        let is_empty = |place: &Place| {
            self.forger.value(*place) == Fr::ZERO
                && self.forger.bound_to(*place) == [*place]
                && !self.judge.is_read(*place)
        };
        let places = self.places(columns).filter(|place| !is_empty(place));
        places.filter_map(|place| self.open(&[place])).collect()
    }

    fn places(&self, columns: impl IntoIterator<Item = usize>) -> impl Iterator<Item = Place> {
        let rows = self.judge.usable_rows();
        columns.into_iter().flat_map(move |column| (0..rows).map(move |row| (column, row)))
    }

    /// Whether `cells`, which hold the same value, can all be rewritten; the first one names them.
    fn open(&self, cells: &[Place]) -> Option<Open> {
        let place = cells[0];
        let value = self.forger.value(place);
        let starts = |new: Fr| -> Vec<_> { cells.iter().map(|cell| (*cell, new)).collect() };
        let others = [Fr::ONE - value, value + Fr::ONE].into_iter();
        let rewritten = others.filter_map(|new| self.forger.try_rewrite(&starts(new), PATIENCE));
        // An equation that computes the cell may have put back what it was.
        let is_place = |cell: &Forged| (cell.column, cell.row) == place;
        let mut rewritten = rewritten.filter(|forged| forged.iter().any(is_place));
        let forged = rewritten.find(|forged| self.judge.holds_with(forged))?;
        Some(Open { place, value, is_passed_on: self.is_passed_on(&forged) })
    }

    /// Whether a cell of another gate changes.
    fn is_passed_on(&self, forged: &[Forged]) -> bool {
        forged.iter().any(|cell| !self.judge.asks(cell.column))
    }
}
