//! Cells of the vertical gate that nothing binds.
//!
//! Each cell is rewritten alone: cut off from what copies bind it to, with all that follows from it through the vertical
//! gate and the range checks. What is left to refuse it is the copy, the constant or the gate that binds it, so
//! that whatever of these is lost opens a cell. The other gates are not asked: what they make of other inputs is
//! theirs to bind, and a prover who is free to choose inputs computes it.

use halo2_base::halo2_proofs::{
    halo2curves::{bn256::Fr, ff::Field},
    plonk::Circuit,
};

use super::{
    laws,
    record::{Place, Sheet},
    Forged, Forger, Judge,
};

/// Equations that are met before a rewriting is taken for one that comes to no end.
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

/// The cells of `columns` that can be rewritten in a circuit of `2^k` rows in which all holds. Cells are left out from
/// which a rewriting comes to no end, or back to what they hold: inverses mostly.
pub fn open_cells<C: Circuit<Fr>>(
    k: u32,
    circuit: &C,
    instance: Vec<Vec<Fr>>,
    columns: impl IntoIterator<Item = usize>,
) -> Vec<Open> {
    let (sheet, meta) = Sheet::record(k, circuit, instance.clone());
    let judge = Judge::of(sheet, &meta, laws::is_of_sums);
    let (sheet, meta) = Sheet::record(k, circuit, instance);
    let forger = Forger::of(sheet, &meta, vec![], laws::is_of_sums);
    assert_eq!(judge.failures(), [], "it holds before");
    let open = |place: Place, value: Fr| {
        // Rows that no gate is at work in, and that hold nothing.
        if value == Fr::ZERO && forger.bound_to(place) == [place] && !judge.is_read(place) {
            return None;
        }
        let others = [Fr::ONE - value, value + Fr::ONE].into_iter();
        let rewritten = others.filter_map(|new| forger.try_rewrite(&[(place, new)], PATIENCE));
        // An equation that computes the cell may have put back what it was.
        let is_place = |cell: &Forged| (cell.column, cell.row) == place;
        let rewritten = rewritten.filter(|cells| cells.iter().any(is_place));
        let mut accepted = rewritten.filter(|cells| judge.failures_with(cells, true).is_empty());
        let is_passed_on = |cells: Vec<Forged>| cells.iter().any(|cell| !judge.asks(cell.column));
        accepted.next().map(|cells| Open { place, value, is_passed_on: is_passed_on(cells) })
    };
    let rows = judge.usable_rows();
    let places = columns.into_iter().flat_map(|column| (0..rows).map(move |row| (column, row)));
    places.filter_map(|place| open(place, forger.value(place))).collect()
}
