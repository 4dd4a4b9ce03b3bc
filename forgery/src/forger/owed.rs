//! What a forged witness breaks, and which places asked for it.

use std::collections::BTreeSet;

use halo2_base::halo2_proofs::{halo2curves::bn256::Fr, plonk::ConstraintSystem};
use rustc_hash::FxHashMap;

use muster_gates::place::{credit::Written, drops::Key};

use super::record::{Place, Sheet};

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
    pub(super) written: Written,
    /// For each constraint that a judge checks.
    pub(super) constraints: Vec<Option<Key>>,
    /// Copies of each cell.
    pub(super) copies: FxHashMap<Place, Vec<Place>>,
    /// The fixed cells of a key, and those by which its rows look something up.
    pub(super) fixed: FxHashMap<Key, Vec<Place>>,
    pub(super) ranges: FxHashMap<Key, BTreeSet<Place>>,
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
