//! A prover who rewrites a chain: cells to start with, and all that follows from them.
//!
//! Changing one cell shows that something refuses it, and the next gate always does. Whether the *start* of
//! a chain is bound shows only if everything behind it is changed as well. A [`Forger`] reads the
//! gates, lookups and copies of a filled circuit. [`Forger::rewrite`] cuts the cells that it is
//! given off from their copies, gives them new values, and then meets each equation that fails by the cell that
//! the equation computes, along copies, from gate to gate, as a prover would who writes its own witness generator.
//! What comes out fails nowhere but where the cells were cut off, as long as the chain ends in nothing that is
//! fixed: if a mock prover finds nothing but broken copies, these are all that refuses the chain.
//!
//! Which cell an equation computes is found out, not declared: one that nothing else computes, in which the
//! equation is affine, as far down and as far to the right as there is one. Lookups are met by a [`Step`]; those of
//! the gates beside this module are in [`steps`].

use std::collections::BTreeSet;

use halo2_base::halo2_proofs::{
    halo2curves::bn256::Fr,
    plonk::{Circuit, ConstraintSystem},
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Forged;

mod expression;
mod judge;
mod laws;
mod open;
mod order;
mod owed;
mod polynomial;
mod record;
#[cfg(test)]
mod relations;
mod solve;
mod steps;
#[cfg(test)]
mod tests;

pub use judge::{Failure, Judge};
use laws::Laws;
#[cfg(test)]
pub(crate) use open::free_cells;
pub use open::{open_cells, open_classes, Open};
use order::Order;
use record::Equation;
pub(crate) use record::Sheet;
pub use record::{Place, Read};
#[cfg(test)]
pub(super) use relations::Relations;
pub use steps::{Compute, Rows, Step};

/// Equations that are met before it is clear that they never all will be.
const PATIENCE: usize = 100_000;

/// What a filled circuit says of its cells.
#[derive(Debug)]
pub struct Forger {
    sheet: Sheet,
    laws: Laws,
    order: Order,
    kept: FxHashSet<Place>,
}

impl Forger {
    /// Reads a circuit of `2^k` rows with the public inputs `instance`. Gates and lookups may fail in it, but where they
    /// do nothing is met. `steps` meet the lookups of gates that this module does not know.
    pub fn new<C: Circuit<Fr>>(
        k: u32,
        circuit: &C,
        instance: Vec<Vec<Fr>>,
        steps: impl FnOnce(&ConstraintSystem<Fr>) -> Vec<Step>,
    ) -> Self {
        let (sheet, meta) = Sheet::record(k, circuit, instance);
        Self::of(sheet, &meta, steps(&meta), |_| true)
    }

    /// The same for the vertical gate, its constants and the range checks: what other gates compute stays.
    pub(super) fn of_sums<C: Circuit<Fr>>(k: u32, circuit: &C, instance: Vec<Vec<Fr>>) -> Self {
        let (sheet, meta) = Sheet::record(k, circuit, instance);
        Self::of(sheet, &meta, vec![], laws::is_of_sums)
    }

    /// The same of a circuit that was read, for the gates and lookups that are `met`, by name.
    fn of(
        sheet: Sheet,
        meta: &ConstraintSystem<Fr>,
        mut steps: Vec<Step>,
        met: impl Fn(&str) -> bool,
    ) -> Self {
        steps.extend(steps::of_all_gates(meta, &met));
        let laws = Laws::new(meta, &sheet, steps, met);
        Self { laws, sheet, order: Order::default(), kept: FxHashSet::default() }
    }

    /// Takes these cells, and what copies bind to them, for what no prover rewrites.
    pub fn keep(mut self, places: &[Place]) -> Self {
        self.kept.extend(places.iter().map(|place| self.sheet.class(*place)));
        self
    }

    /// What the circuit has in a cell.
    pub fn value(&self, (column, row): Place) -> Fr {
        self.sheet.advice[column][row]
    }

    /// All cells that copies bind to `place`, itself among them.
    pub fn bound_to(&self, place: Place) -> Vec<Place> {
        match self.sheet.bound_to(place) {
            [] => vec![place],
            bound => bound.to_vec(),
        }
    }

    /// The cells to overwrite so that `starts` have new values and all follows from them. They are cut off
    /// from the cells that copies bind them to; those keep what they have.
    ///
    /// # Panics
    /// If the equations chase each other in a circle.
    pub fn rewrite(&self, starts: &[(Place, Fr)]) -> Vec<Forged> {
        let cells = self.try_rewrite(starts, PATIENCE);
        cells.unwrap_or_else(|| panic!("what follows from {starts:?} comes to no end"))
    }

    /// The same, or nothing if more equations have to be met than `patience` allows.
    pub(super) fn try_rewrite(
        &self,
        starts: &[(Place, Fr)],
        patience: usize,
    ) -> Option<Vec<Forged>> {
        let mut forgery = Forgery {
            forger: self,
            cut: starts.iter().map(|(place, _)| *place).collect(),
            parted: starts.iter().map(|(place, _)| self.sheet.class(*place)).collect(),
            values: FxHashMap::default(),
            met_by: FxHashMap::default(),
            computed_by: FxHashMap::default(),
            waiting: BTreeSet::new(),
        };
        for (place, value) in starts {
            forgery.set(*place, *value);
        }
        for _ in 0..patience {
            let Some((_, equation)) = forgery.waiting.pop_first() else {
                return Some(forgery.cells());
            };
            forgery.meet(equation);
        }
        None
    }
}

/// A chain on its way.
struct Forgery<'a> {
    forger: &'a Forger,
    /// Cells that are on their own.
    cut: FxHashSet<Place>,
    /// The classes that they are cut off from.
    parted: FxHashSet<Place>,
    /// New values, by the cells that stand for their classes.
    values: FxHashMap<Place, Fr>,
    /// The equation that a class was computed by.
    met_by: FxHashMap<Place, Equation>,
    /// The equation that computes what is left of a class that a cell was cut off from.
    computed_by: FxHashMap<Place, Option<Equation>>,
    /// What is to be looked at, by its place in the order.
    waiting: BTreeSet<(usize, Equation)>,
}

impl Forgery<'_> {
    /// The cell that stands for what `place` is bound to.
    fn class(&self, place: Place) -> Place {
        if self.cut.contains(&place) {
            return place;
        }
        let bound = self.forger.sheet.class(place);
        if !self.cut.contains(&bound) {
            return bound;
        }
        // The cell that stood for the class is cut off: the next one does.
        let mut rest = self.forger.sheet.bound_to(place).iter();
        *rest.find(|place| !self.cut.contains(place)).expect("it is bound to itself")
    }

    fn members(&self, class: Place) -> Vec<Place> {
        if self.cut.contains(&class) {
            return vec![class];
        }
        let mut members = self.forger.bound_to(class);
        members.retain(|place| !self.cut.contains(place));
        members
    }

    fn value(&self, place: Place) -> Fr {
        let new = self.values.get(&self.class(place));
        new.copied().unwrap_or_else(|| self.forger.value(place))
    }

    /// Gives a class a value; whatever reads it is looked at again.
    fn set(&mut self, class: Place, value: Fr) {
        if self.value(class) == value {
            return;
        }
        self.values.insert(class, value);
        for place in self.members(class) {
            for equation in self.forger.laws.readers(&self.forger.sheet, place) {
                let Forger { sheet, laws, order, .. } = self.forger;
                self.waiting.insert((order.of(sheet, laws, equation), equation));
            }
        }
    }

    /// The overwritten cells.
    fn cells(&self) -> Vec<Forged> {
        let places: BTreeSet<_> =
            self.values.keys().flat_map(|class| self.members(*class)).collect();
        let differ = |place: &Place| self.value(*place) != self.forger.value(*place);
        let forged =
            |place: Place| Forged { column: place.0, row: place.1, value: self.value(place) };
        places.into_iter().filter(differ).map(forged).collect()
    }
}
