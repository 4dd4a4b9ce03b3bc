//! Whether a filled circuit holds, and whether it holds once cells are overwritten.
//!
//! A mock prover writes and checks all rows each time that it is asked. A [`Judge`] writes them once, and then checks
//! only the copies of overwritten cells, and the rows whose gates and lookups read them. A test that tries thousands of
//! forgeries asks a judge first. Of what a judge accepts, a mock prover [confirms](Judge::is_confirmed) a part: it fills
//! the circuit once more and takes several times as long. That both find the same is a test of the circuits, for every gate.

use std::{
    cell::RefCell,
    collections::BTreeSet,
    hash::{BuildHasher, BuildHasherDefault, Hash, Hasher},
    ops::Range,
    sync::OnceLock,
};

use halo2_base::halo2_proofs::{
    dev::MockProver,
    halo2curves::bn256::Fr,
    plonk::{Circuit, ConstraintSystem},
};
use rustc_hash::{FxHashMap, FxHasher};

use muster_gates::place::{
    credit::in_order,
    drops::{self, Key},
};
use muster_testing::EXHAUSTIVE;

use super::{
    lookup::{lookups, Lookup, Rows},
    owed::{Broken, Ledger},
    polynomial::Polynomial,
    record::{Place, Sheet},
    Forged,
};

/// A mock prover confirms one circuit in this many,
const CIRCUITS: u64 = 8;
/// and of it one row in this many.
const ROWS: usize = 16;
/// More broken constraints than this are not examined: one place seldom asks for so many.
const MOST: usize = 1 << 10;

/// A filled circuit, and all that must hold in it.
#[derive(Debug)]
pub struct Judge {
    sheet: Sheet,
    gates: Vec<(String, Polynomial)>,
    lookups: Vec<Lookup>,
    /// For each advice column, the gates and lookups that read it, by number, and how far down.
    readers: Vec<Vec<(Reader, i32)>>,
    failures: OnceLock<Vec<Failure>>,
    /// A digest of the advice cells.
    digest: OnceLock<u64>,
    /// Which place asked for what, if places are listed.
    ledger: Option<Ledger>,
}

/// What reads a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Reader {
    Gate(usize),
    Input(usize),
    Table(usize),
}

/// What does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// A copy of a cell.
    Copy(Place),
    /// A constraint of a gate, by its name, at a row.
    Gate(String, usize),
    /// A lookup, by its name, at a row.
    Lookup(String, usize),
}

impl Judge {
    /// Writes the rows of `circuit`, `2^k` of them, with the public inputs `instance`.
    pub fn new<C: Circuit<Fr>>(k: u32, circuit: &C, instance: Vec<Vec<Fr>>) -> Self {
        let (sheet, meta) = Sheet::record(k, circuit, instance);
        Self::of(sheet, &meta, |_| true)
    }

    /// As [`Self::new`], from a circuit that was read already, for the gates and lookups whose names are `asked`.
    pub(super) fn of(
        mut sheet: Sheet,
        meta: &ConstraintSystem<Fr>,
        asked: impl Fn(&str) -> bool,
    ) -> Self {
        let ledger = Ledger::new(&mut sheet, meta, &asked);
        let mut gates = vec![];
        for gate in meta.gates().iter().filter(|gate| asked(gate.name())) {
            let named = gate.polynomials().iter().enumerate().map(|(number, polynomial)| {
                // halo2-base's gate names no constraint.
                let names = [gate.constraint_name(number), gate.name()];
                let name = names.into_iter().find(|name| !name.is_empty()).unwrap_or_default();
                (name.to_owned(), Polynomial::new(polynomial))
            });
            gates.extend(named);
        }
        let lookups = lookups(meta, asked);
        let mut readers = vec![vec![]; meta.num_advice_columns()];
        let mut read = |reader: Reader, polynomial: &Polynomial| {
            let reads = polynomial.reads.iter();
            reads.for_each(|(column, down)| readers[*column].push((reader, *down)));
        };
        gates.iter().enumerate().for_each(|(number, (_, gate))| read(Reader::Gate(number), gate));
        for (number, lookup) in lookups.iter().enumerate() {
            lookup.inputs.iter().for_each(|input| read(Reader::Input(number), input));
            lookup.table.columns.iter().for_each(|column| read(Reader::Table(number), column));
        }
        let (failures, digest) = (OnceLock::new(), OnceLock::new());
        Self { sheet, gates, lookups, readers, failures, digest, ledger }
    }

    /// Rows that are not blinded.
    pub fn usable_rows(&self) -> usize {
        self.sheet.usable
    }

    /// The rows that a mock prover confirms: those that read overwritten cells, and a sample of all.
    fn rows_to_confirm(&self, forged: &[Forged]) -> BTreeSet<usize> {
        let sample = (0..self.sheet.usable).step_by(ROWS);
        let readers = forged.iter().flat_map(|cell| {
            let downs = self.readers[cell.column].iter().map(|(_, down)| *down);
            downs.map(|down| self.sheet.around(cell.row, -down))
        });
        sample.chain(readers).filter(|row| *row < self.sheet.usable).collect()
    }

    /// Whether a mock prover finds nothing, either, once cells of a circuit that the judge accepts are overwritten: in all
    /// copies, the rows that read these cells, and a sample of the others. One circuit in eight is asked about, by a digest
    /// of its cells; each one where `MUSTER_EXHAUSTIVE=1`, but in a mutation run, which asks what the judge finds.
    ///
    /// # Panics
    /// If the circuit does not fit its rows.
    pub fn is_confirmed<C: Circuit<Fr>>(&self, circuit: &C, forged: &[Forged]) -> bool {
        let all = std::env::var(EXHAUSTIVE).is_ok_and(|value| value == "1") && drops::keeps_all();
        if !all && !self.digest(forged).is_multiple_of(CIRCUITS) {
            return true;
        }
        let (k, public) = (self.sheet.rows.ilog2(), self.sheet.instance.clone());
        let prover = MockProver::run(k, circuit, public).expect("the rows fit");
        let rows = self.rows_to_confirm(forged);
        prover.verify_at_rows(rows.iter().copied(), rows.iter().copied()).is_ok()
    }

    /// Tells circuits apart.
    fn digest(&self, forged: &[Forged]) -> u64 {
        let mut hasher = FxHasher::default();
        let cells = || BuildHasherDefault::<FxHasher>::default().hash_one(&self.sheet.advice);
        self.digest.get_or_init(cells).hash(&mut hasher);
        forged.iter().for_each(|cell| (cell.column, cell.row, cell.value).hash(&mut hasher));
        // The lowest bits of the hash depend on those of the cells alone.
        hasher.finish() >> 32
    }

    /// What the circuit has in the usable rows, by column.
    pub fn advice(&self) -> Vec<Vec<Fr>> {
        self.sheet.advice.iter().map(|cells| cells[..self.sheet.usable].to_vec()).collect()
    }

    /// Whether any of the gates and lookups that are checked reads a column.
    pub(super) fn asks(&self, column: usize) -> bool {
        !self.readers[column].is_empty()
    }

    /// What does not hold in the circuit.
    pub fn failures(&self) -> &[Failure] {
        self.failures.get_or_init(|| {
            let honest = |(column, row): Place| self.sheet.advice[column][row];
            let copies = self.sheet.broken_copies().map(Broken::Copy);
            let ends = self.sheet.ends();
            let gates = (0..self.gates.len()).flat_map(|gate| {
                let polynomial = &self.gates[gate].1;
                let idle = polynomial.idle_rows(&self.sheet, &ends);
                let rows = self.asked(idle, |row| self.gate(gate, row, &honest).is_none());
                let broken = polynomial.broken_rows(&self.sheet, rows).into_iter();
                broken.map(move |row| Broken::Gate(gate, row))
            });
            let lookups = self.lookups.iter().enumerate().flat_map(|(number, lookup)| {
                let idle = lookup.idle_rows(&self.sheet, &ends);
                let rows = self.asked(idle, |row| self.find(number, row, &honest).is_none());
                let missing = lookup.missing(&self.sheet, &rows.collect::<Vec<_>>());
                missing.into_iter().map(move |row| Broken::Lookup(number, row))
            });
            let broken: Vec<_> = copies.chain(gates).chain(lookups).collect();
            self.credit(&broken, honest);
            broken.into_iter().map(|broken| self.failure(broken)).collect()
        })
    }

    /// The rows to ask at: all but the idle ones, which have the same answer, unless the first of them is broken.
    fn asked(
        &self,
        idle: Range<usize>,
        holds: impl Fn(usize) -> bool,
    ) -> impl Iterator<Item = usize> {
        let is_left_out = idle.is_empty() || holds(idle.start);
        (0..self.sheet.usable).filter(move |row| !(is_left_out && idle.contains(row)))
    }

    /// Whether a circuit that holds for its own public inputs holds for others. Of what is checked, only gates read
    /// them.
    ///
    /// # Panics
    /// If something does not hold for its own public inputs.
    pub fn holds_for(&mut self, instance: Vec<Vec<Fr>>) -> bool {
        assert_eq!(self.failures(), [], "it holds before");
        let own = std::mem::replace(&mut self.sheet.instance, instance);
        let honest = |(column, row): Place| self.sheet.advice[column][row];
        let public = (0..self.gates.len()).filter(|gate| self.gates[*gate].1.is_public);
        let asked = public.flat_map(|gate| (0..self.sheet.usable).map(move |row| (gate, row)));
        let broken: Vec<_> =
            asked.filter_map(|(gate, row)| self.gate(gate, row, &honest)).collect();
        self.credit(&broken, honest);
        self.sheet.instance = own;
        broken.is_empty()
    }

    fn failure(&self, broken: Broken) -> Failure {
        match broken {
            Broken::Copy(place) => Failure::Copy(place),
            Broken::Gate(gate, row) => Failure::Gate(self.gates[gate].0.clone(), row),
            Broken::Lookup(lookup, row) => Failure::Lookup(self.lookups[lookup].name.clone(), row),
        }
    }

    /// Lists the places without which nothing would be broken.
    fn credit(&self, broken: &[Broken], advice: impl Fn(Place) -> Fr) {
        if let (Some(ledger), false) = (&self.ledger, broken.is_empty()) {
            Refused { judge: self, ledger, broken, advice }.credit();
        }
    }

    /// What fails once cells of a circuit that holds are overwritten; no more than one failure if one `is_enough`. A
    /// broken copy is named by the overwritten cell.
    pub fn failures_with(&self, forged: &[Forged], is_enough: bool) -> Vec<Failure> {
        let values = values(forged);
        // Credit goes only to what refuses it alone, so all failures are needed.
        let limit = if is_enough && self.ledger.is_none() { 1 } else { usize::MAX };
        let broken = self.broken_with(&values, limit);
        self.credit(&broken, |place| self.value(&values, place));
        broken.into_iter().map(|broken| self.failure(broken)).collect()
    }

    /// As [`Self::failures_with`], without what is `forgiven`, which the test does not ask about: credit goes to the
    /// place that asked for all the rest.
    pub(super) fn failures_but(
        &self,
        forged: &[Forged],
        forgiven: impl Fn(&Failure) -> bool,
    ) -> Vec<Failure> {
        let values = values(forged);
        let broken = self.broken_with(&values, usize::MAX).into_iter();
        let broken: Vec<_> = broken.filter(|one| !forgiven(&self.failure(*one))).collect();
        self.credit(&broken, |place| self.value(&values, place));
        broken.into_iter().map(|broken| self.failure(broken)).collect()
    }

    /// What fails among all that reads or binds the cells in `places`, where `forged` overwrites what it has a value for. It is for
    /// searches: without a constraint they come upon other witnesses, so no credit is given.
    pub fn found_at<F>(&self, forged: F, places: &[Place]) -> Vec<Failure>
    where
        F: Fn(Place) -> Option<Fr>,
    {
        let advice = |place: Place| forged(place).unwrap_or(self.sheet.advice[place.0][place.1]);
        let broken = self.broken_at(places, &advice, usize::MAX);
        broken.into_iter().map(|broken| self.failure(broken)).collect()
    }

    /// The cells that something reads that fails, or that copies bind together.
    pub fn read_by(&self, failure: &Failure) -> Vec<Place> {
        let named = |name: &str, row: usize| {
            let gates = self.gates.iter().filter(|(other, _)| other == name).map(|(_, gate)| gate);
            let lookups = self.lookups.iter().filter(|lookup| lookup.name == name);
            let parts = gates.chain(lookups.flat_map(|lookup| &lookup.inputs));
            let reads = parts.flat_map(|part| &part.reads);
            reads.map(|(column, down)| (*column, self.sheet.around(row, *down))).collect()
        };
        match failure {
            Failure::Copy(place) => self.sheet.bound_to(*place).to_vec(),
            Failure::Gate(name, row) | Failure::Lookup(name, row) => named(name, *row),
        }
    }

    /// Whether a table reads a cell.
    pub fn is_in_table(&self, (column, _): Place) -> bool {
        self.readers[column].iter().any(|(reader, _)| matches!(reader, Reader::Table(_)))
    }

    /// Whether everything holds once cells are overwritten, for a test that accepts either answer: no credit is given.
    pub fn holds_with(&self, forged: &[Forged]) -> bool {
        self.broken_with(&values(forged), 1).is_empty()
    }

    /// What a cell holds, overwritten or not.
    fn value(&self, values: &FxHashMap<Place, Fr>, place: Place) -> Fr {
        values.get(&place).copied().unwrap_or_else(|| self.sheet.advice[place.0][place.1])
    }

    fn broken_with(&self, values: &FxHashMap<Place, Fr>, limit: usize) -> Vec<Broken> {
        let places: Vec<_> = values.keys().copied().collect();
        self.broken_at(&places, &|place| self.value(values, place), limit)
    }

    fn broken_at<A>(&self, places: &[Place], advice: &A, limit: usize) -> Vec<Broken>
    where
        A: Fn(Place) -> Fr,
    {
        // Of cells that copies bind together and that do not all hold the same, each is broken. Some of these are thousands.
        let mut differ = FxHashMap::default();
        let is_broken = |place: &&Place| {
            let bound = self.sheet.bound_to(**place);
            let Some(first) = bound.first() else { return false };
            let differs = |value: Fr| bound.iter().any(|other| advice(*other) != value);
            *differ.entry(*first).or_insert_with(|| differs(advice(*first)))
        };
        let copies = places.iter().filter(is_broken).map(|place| Broken::Copy(*place));
        let mut failures: Vec<_> = copies.take(limit).collect();
        let mut asked = vec![];
        for (column, row) in places {
            for (reader, down) in &self.readers[*column] {
                let is_table = matches!(reader, Reader::Table(_));
                let row = if is_table { 0 } else { self.sheet.around(*row, -down) };
                let is_off = |gate: &usize| self.gates[*gate].1.is_off(&self.sheet, row);
                if row < self.sheet.usable && !matches!(reader, Reader::Gate(gate) if is_off(gate))
                {
                    asked.push((*reader, row));
                }
            }
        }
        asked.sort_unstable();
        asked.dedup();
        for (reader, row) in &asked {
            if failures.len() >= limit {
                break;
            }
            match *reader {
                Reader::Gate(gate) => failures.extend(self.gate(gate, *row, advice)),
                // All rows are checked anyway.
                Reader::Input(lookup)
                    if asked.binary_search(&(Reader::Table(lookup), 0)).is_ok() => {}
                Reader::Input(lookup) => failures.extend(self.find(lookup, *row, advice)),
                Reader::Table(lookup) => {
                    let missing = self.lookups[lookup].missing_with(&self.sheet, advice);
                    failures.extend(missing.into_iter().map(|row| Broken::Lookup(lookup, row)));
                }
            }
        }
        failures
    }

    /// Whether a gate really reads a cell: whether its value depends on the cell where the other cells hold arbitrary
    /// values.
    pub fn is_read(&self, (column, row): Place) -> bool {
        let mixed = |place: Place| Fr::from(3 + 7 * place.0 as u64 + 13 * place.1 as u64).square();
        self.readers[column].iter().any(|(reader, down)| {
            let Reader::Gate(gate) = reader else { return false };
            let at = self.sheet.around(row, -down);
            let value = |cell: u64| {
                let advice =
                    |place| if place == (column, row) { Fr::from(cell) } else { mixed(place) };
                self.gates[*gate].1.evaluate(&self.sheet, at, &advice)
            };
            value(0) != value(1) || value(0) != value(5)
        })
    }

    /// A constraint at a row.
    fn gate(&self, gate: usize, row: usize, advice: &impl Fn(Place) -> Fr) -> Option<Broken> {
        let holds = self.gates[gate].1.evaluate(&self.sheet, row, advice) == Fr::zero();
        (!holds).then_some(Broken::Gate(gate, row))
    }

    /// Checks what `row` looks up in the table as it was written.
    fn find(&self, lookup: usize, row: usize, advice: &impl Fn(Place) -> Fr) -> Option<Broken> {
        let found = self.lookups[lookup].finds(&self.sheet, row, advice);
        (!found).then_some(Broken::Lookup(lookup, row))
    }

    /// The constraints and lookups that read a fixed cell; `None` if a table does.
    fn readers_of_fixed(&self, (column, row): Place) -> Option<Vec<Broken>> {
        let rows = |polynomial: &Polynomial| {
            let downs = polynomial.fixed.iter().filter(|(read, _)| *read == column);
            let rows = downs.map(|(_, down)| self.sheet.around(row, -down));
            rows.filter(|row| *row < self.sheet.usable).collect::<Vec<_>>()
        };
        let mut tables = self.lookups.iter().flat_map(|lookup| &lookup.table.columns);
        if tables.any(|part| !rows(part).is_empty()) {
            return None;
        }
        let gates = self.gates.iter().enumerate().flat_map(|(number, (_, polynomial))| {
            rows(polynomial).into_iter().map(move |row| Broken::Gate(number, row))
        });
        let lookups = self.lookups.iter().enumerate().flat_map(|(number, lookup)| {
            let rows = lookup.inputs.iter().flat_map(rows);
            rows.map(move |row| Broken::Lookup(number, row))
        });
        Some(gates.chain(lookups).collect())
    }
}

/// The values of overwritten cells.
fn values(forged: &[Forged]) -> FxHashMap<Place, Fr> {
    forged.iter().map(|cell| ((cell.column, cell.row), cell.value)).collect()
}

/// A witness that a judge refuses, and the place without which it is accepted.
///
/// A place may ask for several constraints. A refusal is owed to it if it asked for everything that the witness breaks,
/// and if whatever else it wrote makes no difference: other gates, too, read the fixed cells that a dropped place
/// leaves 0, so these gates are evaluated again.
struct Refused<'a, A> {
    judge: &'a Judge,
    ledger: &'a Ledger,
    broken: &'a [Broken],
    advice: A,
}

impl<A: Fn(Place) -> Fr> Refused<'_, A> {
    /// Lists the places without which it is accepted.
    fn credit(&self) {
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
            Broken::Copy(place) => Some(self.judge.sheet.class(*place)),
            _ => None,
        });
        let classes: BTreeSet<_> = classes.collect();
        let cells = classes.into_iter().flat_map(|class| self.judge.sheet.bound_to(class));
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
                .map(|(column, down)| (*column, self.judge.sheet.around(row, *down)));
            let keys = cells.flat_map(|cell| [written.fixed.get(&cell), written.ranges.get(&cell)]);
            keys.flatten().copied().flatten().collect()
        };
        match broken {
            Broken::Copy(_) => unreachable!("copies are looked at together"),
            Broken::Gate(number, row) => {
                let polynomial = &self.judge.gates[number].1;
                let mut keys: BTreeSet<_> = fixed(polynomial, row).into_iter().collect();
                keys.extend(self.ledger.constraints[number]);
                keys.extend(self.vertical(polynomial, row));
                keys
            }
            Broken::Lookup(number, row) => {
                let inputs = self.judge.lookups[number].inputs.iter();
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
            false => self.judge.sheet.fixed(place.0, Some(place.1)),
        };
        let tables = RefCell::new(FxHashMap::<_, Rows>::default());
        let is_found = |lookup: usize, row: usize| {
            let sheet = &self.judge.sheet;
            let Lookup { inputs, table, .. } = &self.judge.lookups[lookup];
            let tuple =
                inputs.iter().map(|part| part.evaluate_with(sheet, row, &fixed, &self.advice));
            let mut tables = tables.borrow_mut();
            let rows = tables.entry(lookup).or_insert_with(|| table.rows(sheet, &self.advice));
            rows.contains(&tuple.collect::<Vec<_>>())
        };
        let holds = |broken: Broken| match broken {
            Broken::Copy(_) => true,
            Broken::Gate(number, row) => {
                let polynomial = &self.judge.gates[number].1;
                let is_dropped = self.ledger.constraints[number] == Some(*key)
                    || self.vertical(polynomial, row) == Some(*key);
                let value =
                    || polynomial.evaluate_with(&self.judge.sheet, row, &fixed, &self.advice);
                is_dropped || value() == Fr::zero()
            }
            Broken::Lookup(number, row) => {
                let mut factors =
                    self.judge.lookups[number].inputs.iter().flat_map(|input| &input.fixed);
                let ranges = self.ledger.ranges.get(key);
                let is_dropped = factors.any(|(column, down)| {
                    let cell = (*column, self.judge.sheet.around(row, *down));
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
