//! A false statement that one constraint refuses, passed on from constraint to constraint.
//!
//! A prover who is refused by one equation of the vertical gate satisfies it by changing one of its cells, and is
//! refused by what binds that cell: a copy, or the next equation. From there the walk goes on, in every possible way.
//! Each constraint on it is the only one that refuses the witness at that point, so the first one that is missing lets
//! the prover through.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use halo2_base::halo2_proofs::halo2curves::{bn256::Fr, ff::Field};
use rustc_hash::FxHashMap;

use super::{Failure, Forged, Forger, Judge, Place, TestCircuit, SUM};

/// How many equations a rewriting may satisfy before it is taken for endless.
const PATIENCE: usize = 2_000;

/// What refuses a witness.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Refusal {
    /// The equation of the vertical gate at a row.
    Sum(usize),
    /// A copy among the cells that are bound to this one, which is the first of them.
    Copy(Place),
    /// Another constraint, by its name, at a row.
    Other(String, usize),
}

/// Cells that are overwritten, with their values.
type Witness = FxHashMap<Place, Fr>;

/// How many constraints were found to refuse a witness by themselves.
#[derive(Debug)]
pub struct Walk {
    /// Equations of the vertical gate.
    pub sums: usize,
    /// Copies, counted by the classes of cells that they bind together.
    pub copies: usize,
}

impl TestCircuit {
    /// Walks from the one constraint that refuses the circuit, whose statement is false, to all that can refuse it in its
    /// place. What copies bind to the `claims`, rows of the only vertical column, is the statement: only cells
    /// that are cut off from it change.
    ///
    /// # Panics
    /// If a witness is accepted, or if it is not one constraint that refuses the circuit.
    pub fn walk(&self, claims: impl IntoIterator<Item = usize>) -> Walk {
        self.walker(claims).begin_with_the_circuit()
    }

    /// As [`Self::walk`], for a circuit that holds: rewrites each cell with all that copies bind to it, with and
    /// without all that follows from it, and walks on wherever one constraint refuses the result.
    ///
    /// # Panics
    /// If a witness is accepted.
    pub fn walk_from_everywhere(&self, claims: impl IntoIterator<Item = usize>) -> Walk {
        self.walker(claims).begin_everywhere()
    }

    /// As [`Self::walk`], from witnesses that begin as this one and go on as that of `other`, which records the same: of a hash, say, what
    /// is hashed is this one's, and the digest `other`'s. The vertical column is cut behind each row in which they differ. A cell of a further
    /// column goes with the first row that is bound to it, beside the claims; one that is bound to none, with the row that `row_of` gives, or stays.
    /// A walk starts wherever one constraint refuses the result.
    ///
    /// # Panics
    /// If a witness is accepted, or none is refused by one constraint.
    pub fn walk_across(
        &self,
        other: &Self,
        claims: impl IntoIterator<Item = usize>,
        row_of: impl Fn(Place) -> Option<usize>,
    ) -> Walk {
        self.walker(claims).begin_across(&other.advice(), row_of)
    }

    fn walker(&self, claims: impl IntoIterator<Item = usize>) -> Walker<'_> {
        let columns = self.vertical();
        assert_eq!(columns.len(), 1, "its rows follow each other");
        let column = columns.start;
        let claims: Vec<_> = claims.into_iter().map(|row| (column, row)).collect();
        let forger = Forger::of_sums(self.0.layout().k, &self.0, vec![vec![]]).keep(&claims);
        let claims = claims.into_iter().map(|place| (class(&forger, place), place)).collect();
        Walker { judge: self.judge(), forger, column, claims, seen: BTreeSet::new() }
    }
}

struct Walker<'a> {
    judge: &'a Judge,
    forger: Forger,
    /// The vertical column.
    column: usize,
    /// The cells of the statement, by what copies bind to them.
    claims: BTreeMap<Place, Place>,
    /// What was found to refuse a witness by itself.
    seen: BTreeSet<Refusal>,
}

impl Walker<'_> {
    fn begin_with_the_circuit(mut self) -> Walk {
        let mut refused = self.refusals(self.judge.failures()).into_iter();
        let (Some(first), None) = (refused.next(), refused.next()) else {
            panic!("one constraint refuses it, not {:?}", self.judge.failures())
        };
        // A failing constraint is checked only if one of its cells is overwritten.
        let kept = self.cells(&first).into_iter().map(|place| (place, self.forger.value(place)));
        self.go(first, kept.collect());
        self.walk()
    }

    fn begin_everywhere(mut self) -> Walk {
        assert_eq!(self.judge.failures(), [], "it holds before");
        let cells = (0..self.judge.usable_rows()).map(|row| (self.column, row));
        // Rows in which no gate is active hold nothing.
        let cells = cells
            .filter(|place| self.judge.is_read(*place) || self.forger.bound_to(*place).len() > 1);
        let classes = cells.map(|place| class(&self.forger, place));
        let classes: BTreeSet<_> =
            classes.filter(|class| !self.claims.contains_key(class)).collect();
        for class in classes {
            let (cells, value) = (self.forger.bound_to(class), self.forger.value(class));
            for new in others(value) {
                let starts: Vec<_> = cells.iter().map(|cell| (*cell, new)).collect();
                self.look_at(&format!("{new:?} in {class:?}"), starts.iter().copied().collect());
                let Some(forged) = self.forger.try_rewrite(&starts, PATIENCE) else { continue };
                let cell = |cell: Forged| ((cell.column, cell.row), cell.value);
                let witness: Witness = forged.into_iter().map(cell).collect();
                // An equation that computes the cell may have put back what it was.
                if witness.contains_key(&class) {
                    let what = format!("{new:?} in {class:?}, with all that follows,");
                    self.look_at(&what, witness);
                }
            }
        }
        self.walk()
    }

    fn begin_across(mut self, other: &[Vec<Fr>], row_of: impl Fn(Place) -> Option<usize>) -> Walk {
        let column = self.column;
        let new = |(column, row): Place| other[column][row];
        let mut groups = self.differing(other, row_of);
        let cuts = groups.iter().filter(|(_, places)| places.iter().any(|place| place.0 == column));
        let cuts: Vec<_> = cuts.map(|(row, _)| *row).collect();
        let mut witness: Witness =
            groups.values().flatten().map(|place| (*place, new(*place))).collect();
        // What refused the circuit is looked at again, since its cells are.
        let refused = self.refusals(self.judge.failures());
        let kept: Vec<_> = refused.iter().flat_map(|refusal| self.cells(refusal)).collect();
        let tables = groups.values().flatten().filter(|place| self.judge.is_in_table(**place));
        let tables: Vec<_> = tables.copied().collect();
        // All that differs, and then what is put back: what refuses the next witness reads it, or refused this one.
        let mut asked: BTreeSet<_> = witness.keys().copied().chain(kept.iter().copied()).collect();
        for cut in cuts {
            let behind = groups.split_off(&(cut + 1));
            for place in std::mem::replace(&mut groups, behind).into_values().flatten() {
                witness.remove(&place);
                asked.insert(place);
            }
            for place in &kept {
                witness.entry(*place).or_insert_with(|| self.forger.value(*place));
            }
            let found = self.found(&witness, &Vec::from_iter(asked));
            asked = found.iter().flat_map(|failure| self.judge.read_by(failure)).collect();
            asked.extend(&tables);
            let one = only(&format!("another witness behind row {cut}"), self.refusals(&found));
            // These walks are long, and one behind another has little that is new.
            if let Some(one) = one.filter(|one| !self.seen.contains(one)) {
                self.go(one, witness.clone());
            }
        }
        assert!(!self.seen.is_empty(), "nowhere one constraint binds the two");
        self.walk()
    }

    /// The cells in which another witness differs, by the row of the vertical column that they go with.
    fn differing(
        &self,
        other: &[Vec<Fr>],
        row_of: impl Fn(Place) -> Option<usize>,
    ) -> BTreeMap<usize, Vec<Place>> {
        let is_claim = |place: &Place| self.claims.values().any(|claim| claim == place);
        let row = |place: Place| {
            if place.0 == self.column {
                return Some(place.1);
            }
            let bound = self.forger.bound_to(place).into_iter();
            let bound = bound.filter(|one| one.0 == self.column && !is_claim(one));
            bound.map(|one| one.1).min().or_else(|| row_of(place))
        };
        let mut groups = BTreeMap::<_, Vec<_>>::new();
        for (column, cells) in other.iter().enumerate() {
            for place in (0..cells.len()).map(|row| (column, row)) {
                if cells[place.1] != self.forger.value(place)
                    && let Some(row) = row(place)
                {
                    groups.entry(row).or_default().push(place);
                }
            }
        }
        groups
    }

    /// Walks on from a witness, if one constraint refuses it.
    fn look_at(&mut self, what: &str, witness: Witness) {
        let places: Vec<_> = witness.keys().copied().collect();
        if let Some(one) = only(what, self.refusals(&self.found(&witness, &places))) {
            self.go(one, witness);
        }
    }

    /// Walks from a witness that one constraint refuses. What an earlier walk has come to is walked from again: another witness
    /// may go on from there where that one could not.
    fn go(&mut self, first: Refusal, witness: Witness) {
        self.seen.insert(first.clone());
        let mut reached = BTreeSet::from([first.clone()]);
        let mut waiting = VecDeque::from([(first, witness)]);
        while let Some((refusal, witness)) = waiting.pop_front() {
            for (what, changes) in self.steps(&refusal, &witness) {
                let what = format!("{what}, which {refusal:?} leads to,");
                let refused = self.refused_after(&refusal, &witness, &changes);
                let Some(one) = only(&what, refused) else { continue };
                if reached.insert(one.clone()) {
                    self.seen.insert(one.clone());
                    let mut next = witness.clone();
                    next.extend(changes);
                    waiting.push_back((one, next));
                }
            }
        }
    }

    fn walk(&self) -> Walk {
        let count = |is: fn(&Refusal) -> bool| self.seen.iter().filter(|one| is(one)).count();
        let sums = count(|refusal| matches!(refusal, Refusal::Sum(_)));
        let copies = count(|refusal| matches!(refusal, Refusal::Copy(_)));
        Walk { sums, copies }
    }

    /// The cells of the constraint that refuses.
    fn cells(&self, refusal: &Refusal) -> Vec<Place> {
        match refusal {
            Refusal::Sum(row) => (0..4).map(|i| (self.column, row + i)).collect(),
            Refusal::Copy(class) => self.forger.bound_to(*class),
            Refusal::Other(name, row) => {
                panic!("a walk starts in the vertical gate, not {name} {row}")
            }
        }
    }

    fn refusals(&self, failures: &[Failure]) -> BTreeSet<Refusal> {
        let refusal = |failure: &Failure| match failure {
            Failure::Gate(name, row) if name == SUM => Refusal::Sum(*row),
            Failure::Copy(place) => Refusal::Copy(class(&self.forger, *place)),
            Failure::Gate(name, row) | Failure::Lookup(name, row) => {
                Refusal::Other(name.clone(), *row)
            }
        };
        failures.iter().map(refusal).collect()
    }

    /// What refuses a witness and reads one of these cells.
    fn found(&self, witness: &Witness, places: &[Place]) -> Vec<Failure> {
        self.judge.found_at(|place| witness.get(&place).copied(), places)
    }

    /// The same of a witness that `refusal` alone refused before these changes: nothing else can refuse it now but what reads a cell that has
    /// changed.
    fn refused_after(
        &self,
        refusal: &Refusal,
        witness: &Witness,
        changes: &Witness,
    ) -> BTreeSet<Refusal> {
        let forged = |place: Place| changes.get(&place).or_else(|| witness.get(&place)).copied();
        let places: Vec<_> =
            self.cells(refusal).into_iter().chain(changes.keys().copied()).collect();
        self.refusals(&self.judge.found_at(forged, &places))
    }

    /// The changes to a witness that satisfy a constraint.
    fn steps(&self, refusal: &Refusal, witness: &Witness) -> Vec<(String, Witness)> {
        let value =
            |place: Place| witness.get(&place).copied().unwrap_or_else(|| self.forger.value(place));
        let changed = |places: &[Place], new: Fr| -> Witness {
            places.iter().map(|place| (*place, new)).collect()
        };
        let mut steps = vec![];
        match refusal {
            Refusal::Other(..) => {}
            Refusal::Copy(class) => {
                let places = self.forger.bound_to(*class);
                let values: BTreeSet<_> = match self.claims.get(class) {
                    Some(claim) => [value(*claim)].into(),
                    None => places.iter().map(|place| value(*place)).collect(),
                };
                for new in values {
                    steps.push((format!("{new:?} in all of {class:?}"), changed(&places, new)));
                }
            }
            Refusal::Sum(row) => {
                let places = [0, 1, 2, 3].map(|i| (self.column, row + i));
                let [a, b, c, d] = places.map(value);
                let less = d - a - b * c;
                let over = |factor: Fr| Option::<Fr>::from(factor.invert()).map(|f| less * f);
                let changes = [Some(less), over(c), over(b), Some(-less)];
                for (place, change) in places.iter().zip(changes) {
                    let Some(change) = change else { continue };
                    let new = value(*place) + change;
                    steps.push((format!("{new:?} in {place:?}"), changed(&[*place], new)));
                    let bound = self.forger.bound_to(*place);
                    let is_once = places.iter().filter(|other| bound.contains(other)).count() == 1;
                    let is_claim = self.claims.contains_key(&bound[0]);
                    if is_once && bound.len() > 1 && !is_claim {
                        steps.push((format!("{new:?} in all of {place:?}"), changed(&bound, new)));
                    }
                }
            }
        }
        // A step back to where everything holds leads nowhere.
        let differs = |(at, new): (&Place, &Fr)| *new != self.forger.value(*at);
        steps.retain(|(_, changes)| {
            let left = witness.iter().filter(|(at, _)| !changes.contains_key(at));
            left.chain(changes).any(differs)
        });
        steps
    }
}

/// The constraint that refuses `what`, if it is only one.
fn only(what: &str, refused: BTreeSet<Refusal>) -> Option<Refusal> {
    let mut refused = refused.into_iter();
    match (refused.next(), refused.next()) {
        (None, _) => panic!("{what} is accepted"),
        (one, None) => one,
        _ => None,
    }
}

/// Other values than this one: another bit, its neighbours, and one that is too large for any range.
fn others(value: Fr) -> [Fr; 4] {
    let large = Fr::from(2).pow_vartime([200]);
    [Fr::ONE - value, value + Fr::ONE, value - Fr::ONE, value + large]
}

/// The cell that stands for all that copies bind to `place`.
fn class(forger: &Forger, place: Place) -> Place {
    forger.bound_to(place)[0]
}
