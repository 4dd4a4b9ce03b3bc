//! How far down a chain a cell is, so that an equation is satisfied once, after all that it reads is
//! settled.

use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;

use super::{
    laws::Laws,
    record::{Equation, Place, Sheet},
};

/// What is known about classes of cells, each found out once.
#[derive(Debug, Default)]
pub(super) struct Order {
    computers: RefCell<FxHashMap<Place, Option<Equation>>>,
    depths: RefCell<FxHashMap<Place, usize>>,
    places: RefCell<FxHashMap<Equation, usize>>,
}

impl Order {
    /// The equation that computes a class, if there is one.
    pub(super) fn computer(&self, sheet: &Sheet, laws: &Laws, class: Place) -> Option<Equation> {
        if let Some(known) = self.computers.borrow().get(&class) {
            return *known;
        }
        let found = match sheet.bound_to(class) {
            [] => laws.computer(sheet, &[class]),
            members => laws.computer(sheet, members),
        };
        self.computers.borrow_mut().insert(class, found);
        found
    }

    /// When an equation is to be satisfied: after all that it reads.
    pub(super) fn of(&self, sheet: &Sheet, laws: &Laws, equation: Equation) -> usize {
        if let Some(known) = self.places.borrow().get(&equation) {
            return *known;
        }
        let inputs = inputs(sheet, laws, equation);
        let deepest = inputs.into_iter().map(|class| self.depth(sheet, laws, class)).max();
        *self.places.borrow_mut().entry(equation).or_insert(deepest.unwrap_or(0))
    }

    /// The length of the longest chain of equations that leads to a class.
    fn depth(&self, sheet: &Sheet, laws: &Laws, class: Place) -> usize {
        let mut depths = self.depths.borrow_mut();
        let (mut path, mut open) = (vec![class], FxHashSet::default());
        while let Some(&class) = path.last() {
            if depths.contains_key(&class) {
                path.pop();
                continue;
            }
            let computer = self.computer(sheet, laws, class);
            let inputs = computer.map_or(vec![], |equation| inputs(sheet, laws, equation));
            if open.insert(class) {
                let unknown = inputs.iter().filter(|input| !depths.contains_key(*input));
                let next: Vec<_> = unknown.filter(|input| !open.contains(*input)).collect();
                if !next.is_empty() {
                    path.extend(next);
                    continue;
                }
            }
            // What leads back to the class itself does not count.
            let known = inputs.iter().filter_map(|input| depths.get(input));
            let depth = known.max().map_or(0, |deepest| deepest + 1);
            depths.insert(class, depth);
            path.pop();
        }
        depths[&class]
    }
}

/// The classes that an equation reads, except those that it computes.
fn inputs(sheet: &Sheet, laws: &Laws, equation: Equation) -> Vec<Place> {
    let computed = laws.computes(sheet, equation);
    let computed: Vec<_> = computed.into_iter().map(|place| sheet.class(place)).collect();
    let mut inputs: Vec<_> =
        laws.reads(sheet, equation).into_iter().map(|place| sheet.class(place)).collect();
    inputs.retain(|class| !computed.contains(class));
    inputs
}
