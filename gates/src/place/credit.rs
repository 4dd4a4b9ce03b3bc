//! To which place a refusal is owed.
//!
//! If a forged witness is refused, but is accepted once a place is dropped, its test notices the place, and no run
//! without the place is needed to show it. While places are listed (see [`drops`]), a circuit remembers which place
//! asked for each of its constraints; the `Judge` of `muster-forgery` looks up there what it finds broken.
//!
//! There are two records: what was [`Asked`] for while the circuit was built, by the names of its cells, and what was
//! [`Written`] when it was synthesized, by columns and rows.

use std::{
    cell::RefCell,
    collections::HashMap,
    hash::Hash,
    sync::{Arc, Mutex},
};

use halo2_base::{
    halo2_proofs::{circuit::Cell, halo2curves::bn256::Fr},
    virtual_region::copy_constraints::{CopyConstraintManager, SharedCopyConstraintManager},
    ContextCell,
};

use super::drops::{self, Key};

/// Column and row.
type Position = (usize, usize);
/// The place that asked for each; `None` if several did.
type Places<T> = HashMap<T, Option<Key>>;

/// What a circuit asked for while it was built.
#[derive(Debug, Default)]
pub struct Asked {
    copies: Places<(ContextCell, ContextCell)>,
    constants: Places<(Fr, ContextCell)>,
    gates: Places<ContextCell>,
}

/// What a circuit wrote.
#[derive(Clone, Debug, Default)]
pub struct Written {
    /// Constraints of gates, by the gate's name and their number in it.
    pub constraints: Places<(String, usize)>,
    /// Fixed cells.
    pub fixed: Places<Position>,
    /// Fixed cells without which nothing is looked up in their row.
    pub ranges: Places<Position>,
    /// Gates of the vertical columns, by their first cell.
    pub gates: Places<Position>,
    /// Copies.
    pub copies: Places<(Position, Position)>,
}

thread_local! {
    static ASKED: RefCell<Arc<Mutex<Asked>>> = RefCell::default();
    static WRITTEN: RefCell<Option<Written>> = const { RefCell::new(None) };
}

/// Begins a new circuit; returns the record of what it will ask for.
pub fn begin() -> Arc<Mutex<Asked>> {
    let asked = Arc::default();
    ASKED.set(Arc::clone(&asked));
    asked
}

/// Remembers what `work` writes on this thread, if places are listed.
pub fn written_by<T>(work: impl FnOnce() -> T) -> (T, Option<Written>) {
    if !drops::lists() {
        return (work(), None);
    }
    WRITTEN.set(Some(Written::default()));
    let done = work();
    (done, WRITTEN.take())
}

fn remember<T: Hash + Eq>(places: &mut Places<T>, what: T, key: Option<Key>) {
    places.entry(what).and_modify(|known| *known = known.filter(|_| *known == key)).or_insert(key);
}

fn ask(key: impl FnOnce(&mut Asked)) {
    if drops::lists() {
        ASKED.with_borrow(|asked| key(&mut asked.lock().expect("no thread panics with it")));
    }
}

/// `key` asks for the copy of a cell.
pub fn copy(cells: (ContextCell, ContextCell), key: Option<Key>) {
    ask(|asked| remember(&mut asked.copies, cells, key));
}

/// `key` asks for a constant.
pub fn constant(cell: (Fr, ContextCell), key: Option<Key>) {
    ask(|asked| remember(&mut asked.constants, cell, key));
}

/// `key` asks for a gate of the vertical column, which begins with `cell`.
pub fn gate(cell: ContextCell, key: Option<Key>) {
    ask(|asked| remember(&mut asked.gates, cell, key));
}

fn write(key: impl FnOnce(&mut Written)) {
    WRITTEN.with_borrow_mut(|written| written.as_mut().map(key));
}

/// `key` adds the constraint `number` of a gate.
pub fn constraint(gate: &str, number: usize, key: Option<Key>) {
    write(|written| remember(&mut written.constraints, (gate.to_owned(), number), key));
}

/// `key` writes a fixed cell.
pub fn fixed(position: Position, key: Option<Key>) {
    write(|written| remember(&mut written.fixed, position, key));
}

/// `key` asks for a fixed cell by which its row looks something up.
pub fn range(position: Position, key: Option<Key>) {
    write(|written| remember(&mut written.ranges, position, key));
}

/// Records the positions of what a circuit asked for, once all its cells are written.
pub fn assigned(asked: &Mutex<Asked>, copies: &SharedCopyConstraintManager<Fr>) {
    write(|written| {
        let asked = asked.lock().expect("no thread panics with it");
        let copies = copies.lock().expect("no thread panics with it");
        let CopyConstraintManager { assigned_advices, assigned_constants, .. } = &*copies;
        let position = |cell: &Cell| (cell.column.index(), cell.row_offset);
        let of = |cell: &ContextCell| assigned_advices.get(cell).map(position);
        for ((left, right), key) in &asked.copies {
            if let (Some(left), Some(right)) = (of(left), of(right)) {
                remember(&mut written.copies, in_order(left, right), *key);
            }
        }
        for ((value, cell), key) in &asked.constants {
            if let (Some(left), Some(right)) = (assigned_constants.get(value), of(cell)) {
                remember(&mut written.copies, in_order(position(left), right), *key);
            }
        }
        for (cell, key) in &asked.gates {
            if let Some(position) = of(cell) {
                remember(&mut written.gates, position, *key);
            }
        }
    });
}

/// The two ends of a copy, in order.
pub fn in_order(left: Position, right: Position) -> (Position, Position) {
    (left.min(right), left.max(right))
}
