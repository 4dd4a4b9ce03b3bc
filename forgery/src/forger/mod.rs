//! A prover who rewrites a chain: cells to start with, and all that follows from them.
//!
//! Changing one cell shows only that something refuses it, and the next gate always does. Whether the *start* of a
//! chain is bound shows only if everything after it is changed as well. A [`Forger`] reads the gates, lookups and
//! copies of a filled circuit. [`Forger::rewrite`] cuts the given cells off from their copies, gives them new values,
//! and then satisfies each failing equation by changing the cell that the equation computes, along copies, from gate to
//! gate, as a prover with its own witness generator would. The result fails only where the cells were cut off, as long
//! as the chain ends in nothing fixed: if a mock prover finds nothing but broken copies, these are all that refuses the
//! chain.
//!
//! Which cell an equation computes is found out, not declared: one that nothing else computes and in which the equation
//! is affine, as far down and as far to the right as possible. Lookups are satisfied by a [`Step`]; those of range
//! checks and of Baby Jubjub are in `steps`.

use std::collections::BTreeSet;

use halo2_base::halo2_proofs::{
    halo2curves::bn256::Fr,
    plonk::{Circuit, ConstraintSystem},
};
use rustc_hash::{FxHashMap, FxHashSet};

use muster_gates::Forged;

mod expression;
mod judge;
mod laws;
mod lookup;
mod open;
mod owed;
mod polynomial;
mod record;
mod relations;
mod solve;
mod steps;
#[cfg(test)]
mod tests;

pub use judge::{Failure, Judge};
use laws::Laws;
pub use open::{free_cells, open_cells, open_classes, Open};
use record::Equation;
pub use record::{Place, Read, Sheet};
pub(super) use relations::Relations;
pub use steps::{Compute, Rows, Step};

/// How many equations a rewriting may satisfy before it is taken for endless.
const PATIENCE: usize = 100_000;

/// What a filled circuit says about its cells.
#[derive(Debug)]
pub struct Forger {
    sheet: Sheet,
    laws: Laws,
    kept: FxHashSet<Place>,
}

impl Forger {
    /// Reads a circuit of `2^k` rows with the public inputs `instance`. Gates and lookups may fail in it, but nothing
    /// is rewritten where they do. `steps` satisfy the lookups of gates that this module does not know.
    pub fn new<C: Circuit<Fr>>(
        k: u32,
        circuit: &C,
        instance: Vec<Vec<Fr>>,
        steps: impl FnOnce(&ConstraintSystem<Fr>) -> Vec<Step>,
    ) -> Self {
        let (sheet, meta) = Sheet::record(k, circuit, instance);
        Self::of(sheet, &meta, steps(&meta), |_| true)
    }

    /// As [`Self::new`], for the vertical gate, its constants and the range checks only: what other gates compute
    /// stays.
    pub(super) fn of_sums<C: Circuit<Fr>>(k: u32, circuit: &C, instance: Vec<Vec<Fr>>) -> Self {
        let (sheet, meta) = Sheet::record(k, circuit, instance);
        Self::of(sheet, &meta, vec![], laws::is_of_sums)
    }

    /// As [`Self::new`], from a circuit that was read already, for the gates and lookups whose names are `met`.
    fn of(
        sheet: Sheet,
        meta: &ConstraintSystem<Fr>,
        mut steps: Vec<Step>,
        met: impl Fn(&str) -> bool,
    ) -> Self {
        steps.extend(steps::of_all_gates(meta, &met));
        let laws = Laws::new(meta, &sheet, steps, met);
        Self { laws, sheet, kept: FxHashSet::default() }
    }

    /// Keeps these cells, and what copies bind to them, from being rewritten.
    pub fn keep(mut self, places: &[Place]) -> Self {
        self.kept.extend(places.iter().map(|place| self.sheet.class(*place)));
        self
    }

    /// What the circuit has in a cell.
    pub fn value(&self, (column, row): Place) -> Fr {
        self.sheet.advice[column][row]
    }

    /// All cells that copies bind to `place`, including itself.
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

    /// As [`Self::rewrite`]; `None` if more equations have to be satisfied than `patience` allows.
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

/// A rewriting in progress.
struct Forgery<'a> {
    forger: &'a Forger,
    /// Cells that are cut off.
    cut: FxHashSet<Place>,
    /// The classes that they are cut off from.
    parted: FxHashSet<Place>,
    /// New values, by the cells that represent their classes.
    values: FxHashMap<Place, Fr>,
    /// The equation that a class was computed by.
    met_by: FxHashMap<Place, Equation>,
    /// The equation that computes what is left of a class that a cell was cut off from.
    computed_by: FxHashMap<Place, Option<Equation>>,
    /// Equations to check, by their place in the order.
    waiting: BTreeSet<(usize, Equation)>,
}

impl Forgery<'_> {
    /// The cell that represents the class of `place`.
    fn class(&self, place: Place) -> Place {
        if self.cut.contains(&place) {
            return place;
        }
        let bound = self.forger.sheet.class(place);
        if !self.cut.contains(&bound) {
            return bound;
        }
        // The cell that represented the class is cut off: the next one takes its place.
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

    /// Gives a class a value; whatever reads it is checked again.
    fn set(&mut self, class: Place, value: Fr) {
        if self.value(class) == value {
            return;
        }
        self.values.insert(class, value);
        for place in self.members(class) {
            for equation in self.forger.laws.readers(&self.forger.sheet, place) {
                let order = self.forger.laws.order(&self.forger.sheet, equation);
                self.waiting.insert((order, equation));
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
