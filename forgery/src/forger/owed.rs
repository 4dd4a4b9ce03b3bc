//! The place without which a forged witness is accepted.
//!
//! A place may ask for several constraints. A refusal is owed to it if it asked for everything that the witness breaks,
//! and if whatever else it wrote makes no difference: other gates, too, read the fixed cells that a dropped place
//! leaves 0, so these gates are evaluated again.

use std::{cell::RefCell, collections::BTreeSet};

use halo2_base::halo2_proofs::{halo2curves::bn256::Fr, plonk::ConstraintSystem};
use rustc_hash::{FxHashMap, FxHashSet};

use muster_gates::place::{
    credit::{in_order, Written},
    drops::{self, Key},
};

use super::{
    polynomial::Polynomial,
    record::{Place, Sheet},
    Judge,
};

/// More broken constraints than this are not examined: one place seldom asks for so many.
const MOST: usize = 1 << 10;

/// What does not hold, by numbers of constraints and lookups.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Broken {
    Copy(Place),
    Gate(usize, usize),
    Lookup(usize, usize),
}

/// Which places asked for the constraints of a circuit.
#[derive(Debug)]
pub(super) struct Ledger {
    written: Written,
    /// For each constraint that a judge checks.
    constraints: Vec<Option<Key>>,
    /// Copies of each cell.
    copies: FxHashMap<Place, Vec<Place>>,
    /// The fixed cells of a key, and those by which its rows look something up.
    fixed: FxHashMap<Key, Vec<Place>>,
    ranges: FxHashMap<Key, BTreeSet<Place>>,
}

impl Ledger {
    /// The ledger of a circuit that was read while places were listed, for the gates whose names are `asked`.
    pub(super) fn new(
        sheet: &mut Sheet,
        meta: &ConstraintSystem<Fr>,
        asked: impl Fn(&str) -> bool,
    ) -> Option<Self> {
        let (written, all) = sheet.take_written()?;
        let mut copies = FxHashMap::<_, Vec<_>>::default();
        for (left, right) in all {
            copies.entry(left).or_default().push(right);
            copies.entry(right).or_default().push(left);
        }
        let (mut fixed, mut ranges) =
            (FxHashMap::<_, Vec<_>>::default(), FxHashMap::<_, BTreeSet<_>>::default());
        for (position, key) in &written.fixed {
            key.map(|key| fixed.entry(key).or_default().push(*position));
        }
        for (position, key) in &written.ranges {
            key.map(|key| ranges.entry(key).or_default().insert(*position));
        }
        let gates = meta.gates().iter().filter(|gate| asked(gate.name()));
        let numbers = gates.flat_map(|gate| {
            (0..gate.polynomials().len()).map(|number| (gate.name().to_owned(), number))
        });
        let key = |constraint| written.constraints.get(&constraint).copied().flatten();
        let constraints = numbers.map(key).collect();
        Some(Self { written, constraints, copies, fixed, ranges })
    }
}

/// A witness that a judge refuses.
pub(super) struct Refused<'a, A> {
    pub(super) judge: &'a Judge,
    pub(super) ledger: &'a Ledger,
    pub(super) broken: &'a [Broken],
    pub(super) advice: A,
}

impl<A: Fn(Place) -> Fr> Refused<'_, A> {
    /// Lists the places without which it is accepted.
    pub(super) fn credit(&self) {
        if self.broken.len() > MOST {
            return;
        }
        let mut owed: Option<BTreeSet<Key>> = None;
        let others = self.broken.iter().filter(|broken| !matches!(broken, Broken::Copy(_)));
        let broken = others.map(|broken| self.asked_by(*broken));
        for keys in broken.chain(self.copies()) {
            let keys = match owed {
                Some(before) => before.intersection(&keys).copied().collect(),
                None => keys,
            };
            if keys.is_empty() {
                return;
            }
            owed = Some(keys);
        }
        let new = owed.into_iter().flatten().filter(|key| !drops::is_noticed(key));
        new.filter(|key| self.is_accepted_without(key)).for_each(drops::noticed);
    }

    /// Which places asked for the copies whose ends differ, in all broken classes of cells.
    fn copies(&self) -> impl Iterator<Item = BTreeSet<Key>> + '_ {
        let classes = self.broken.iter().filter_map(|broken| match broken {
            Broken::Copy(place) => Some(self.judge.sheet().class(*place)),
            _ => None,
        });
        let classes: BTreeSet<_> = classes.collect();
        let cells = classes.into_iter().flat_map(|class| self.judge.sheet().bound_to(class));
        let ends = cells.flat_map(|cell| {
            let others = self.ledger.copies.get(cell).into_iter().flatten();
            others.filter(move |other| cell < *other).map(move |other| (*cell, *other))
        });
        let parted = ends.filter(|(left, right)| (self.advice)(*left) != (self.advice)(*right));
        parted.map(|(left, right)| {
            let key = self.ledger.written.copies.get(&in_order(left, right));
            key.copied().flatten().into_iter().collect()
        })
    }

    /// The places that something broken may be owed to. Copies are examined together, in [`Self::copies`].
    fn asked_by(&self, broken: Broken) -> BTreeSet<Key> {
        let written = &self.ledger.written;
        let fixed = |polynomial: &Polynomial, row: usize| -> Vec<Key> {
            let cells = polynomial
                .fixed
                .iter()
                .map(|(column, down)| (*column, self.judge.sheet().around(row, *down)));
            let keys = cells.flat_map(|cell| [written.fixed.get(&cell), written.ranges.get(&cell)]);
            keys.flatten().copied().flatten().collect()
        };
        match broken {
            Broken::Copy(_) => unreachable!("copies are looked at together"),
            Broken::Gate(number, row) => {
                let polynomial = self.judge.constraint(number);
                let mut keys: BTreeSet<_> = fixed(polynomial, row).into_iter().collect();
                keys.extend(self.ledger.constraints[number]);
                keys.extend(self.vertical(polynomial, row));
                keys
            }
            Broken::Lookup(number, row) => {
                let inputs = self.judge.inputs(number).iter();
                inputs.flat_map(|input| fixed(input, row)).collect()
            }
        }
    }

    /// The place that asked for a gate of a vertical column.
    fn vertical(&self, polynomial: &Polynomial, row: usize) -> Option<Key> {
        let (column, _) = polynomial.reads.first()?;
        self.ledger.written.gates.get(&(*column, row)).copied().flatten()
    }

    fn is_accepted_without(&self, key: &Key) -> bool {
        let none = vec![];
        let cells = self.ledger.fixed.get(key).unwrap_or(&none);
        let dropped: BTreeSet<_> = cells.iter().collect();
        let fixed = |place: Place| match dropped.contains(&place) {
            true => Fr::zero(),
            false => self.judge.sheet().fixed(place.0, Some(place.1)),
        };
        let tables = RefCell::new(FxHashMap::<_, FxHashSet<_>>::default());
        let is_found = |lookup: usize, row: usize| {
            let sheet = self.judge.sheet();
            let inputs = self.judge.inputs(lookup).iter();
            let tuple = inputs.map(|part| part.evaluate_with(sheet, row, &fixed, &self.advice));
            let mut tables = tables.borrow_mut();
            let rows =
                tables.entry(lookup).or_insert_with(|| self.judge.table(lookup, &self.advice));
            rows.contains(&tuple.collect::<Vec<_>>())
        };
        let holds = |broken: Broken| match broken {
            Broken::Copy(_) => true,
            Broken::Gate(number, row) => {
                let polynomial = self.judge.constraint(number);
                let is_dropped = self.ledger.constraints[number] == Some(*key)
                    || self.vertical(polynomial, row) == Some(*key);
                let value =
                    || polynomial.evaluate_with(self.judge.sheet(), row, &fixed, &self.advice);
                is_dropped || value() == Fr::zero()
            }
            Broken::Lookup(number, row) => {
                let mut factors = self.judge.inputs(number).iter().flat_map(|input| &input.fixed);
                let ranges = self.ledger.ranges.get(key);
                let is_dropped = factors.any(|(column, down)| {
                    let cell = (*column, self.judge.sheet().around(row, *down));
                    ranges.is_some_and(|ranges| ranges.contains(&cell))
                });
                is_dropped || is_found(number, row)
            }
        };
        // Whatever reads a cell that is 0 now, whether it was broken before or not.
        let readers = cells.iter().map(|cell| self.judge.readers_of_fixed(*cell));
        let Some(readers) = readers.collect::<Option<Vec<_>>>() else { return false };
        let readers: BTreeSet<_> =
            readers.into_iter().flatten().chain(self.broken.iter().copied()).collect();
        readers.into_iter().all(holds)
    }
}
