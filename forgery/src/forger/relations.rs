//! Relations of the foreign gate, each with one of its numbers replaced by another.
//!
//! A relation computes its result from its operands, as a sum does in the vertical gate. So every number of a relation
//! can be rewritten with all that follows: results, quotients and carries, the entries that digits look up, the scalars
//! that digits make, sums of limbs. Only the one constraint in question may be left to refuse it:
//!
//! | rewritten | refused by |
//! |---|---|
//! | a limb of an operand, the sum before a digit | the copy or the constant that binds it |
//! | a result | the equation |
//! | a result, and a quotient that is no integer, for which the equation holds | the ranges of its block |
//! | a limb of a result, but not its pieces | the constraint that puts these together |
//!
//! Two things are not checked, as for [open cells](super::open): other gates, and equations that compute nothing. Such
//! an equation is the end of what leads to it, and a prover who chooses the points, the scalars and the digits before
//! it satisfies it.

use std::{collections::BTreeMap, sync::Arc};

use halo2_base::halo2_proofs::{
    halo2curves::{bn256::Fr, ff::Field},
    plonk::{Circuit, ConstraintSystem},
};
use muster_testing::sampled;
use rustc_hash::FxHashMap;

use super::{
    laws::is_of_sums,
    record::{Place, Read, Sheet},
    Compute, Failure, Forged, Forger, Judge, Rows, Step,
};
use muster_gates::{
    foreign::{Blocks, Part},
    place::Place as Asker,
};

/// How many equations a rewriting may satisfy before it is taken for endless.
const PATIENCE: usize = 1_000_000;

/// Numbers that are tried.
const TRIES: u64 = 16;

/// What part of a block is rewritten.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// An operand, and what binds it.
    Operand {
        number: usize,
        bound: Bound,
    },
    Entry,
    /// The sum before a digit, and whether it is the one after another digit.
    Before(bool),
    Equation,
    Range,
}

/// What binds an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Bound {
    Copy,
    Constant,
    /// Nothing does, which is a mistake. It is a kind of its own, so that no relation without the mistake is checked in its place.
    Nothing,
}

/// What became of a rewriting.
#[derive(Debug)]
enum Verdict {
    /// What must refuse it does, and nothing else.
    Refused,
    /// Nothing does.
    Accepted,
    /// Something else does.
    Otherwise(String),
}

/// A circuit with relations in it.
pub(crate) struct Relations {
    blocks: Arc<Blocks>,
    forger: Forger,
    judge: Judge,
}

impl Relations {
    /// Reads a circuit of `2^k` rows that holds.
    pub(crate) fn new<C: Circuit<Fr>>(k: u32, circuit: &C, blocks: Blocks) -> Self {
        let blocks = Arc::new(blocks);
        let (sheet, meta) = Sheet::record(k, circuit, vec![vec![]]);
        let asked = |name: &str| is_of_sums(name) || name.starts_with("foreign");
        let judge = Judge::of(sheet.clone(), &meta, asked);
        assert_eq!(judge.failures(), [], "it holds before");
        let forger = Forger::of(sheet, &meta, steps(&meta, &blocks), is_of_sums);
        Self { blocks, forger, judge }
    }

    /// What is not refused as it must be, among relations that the code in `files` asks for: for each place the last
    /// one, the last one in which each operand is copied, the last one in which it is a constant, and the last one in which nothing binds it. One in
    /// `share` of these is checked.
    pub(crate) fn complaints(&self, files: &str, share: usize) -> Vec<String> {
        let mut chosen = BTreeMap::new();
        for id in 0..self.blocks.count() {
            let (part, place) = self.blocks.part(id);
            let mut choose = |place: Asker, kind| {
                let is_asked = |name: &String| {
                    name.contains(files) && (files.contains("tests") || !name.contains("tests"))
                };
                if let Some(name) = place.name().filter(is_asked) {
                    chosen.insert((name, kind), id);
                }
            };
            choose(place, Kind::Equation);
            choose(place, Kind::Range);
            match part {
                Part::Plain => {
                    let operands = 0..self.blocks.operands();
                    let used = operands.filter(|operand| self.blocks.uses_operand(id, *operand));
                    used.for_each(|number| {
                        choose(place, Kind::Operand { number, bound: self.bound(id, number) });
                    });
                }
                Part::Entry(place) => choose(place, Kind::Entry),
                Part::Asks => choose(place, Kind::Before(self.goes_on(id))),
            }
        }
        assert!(!chosen.is_empty(), "somebody in {files} asks for relations");
        let complain = |((name, kind), id)| {
            let complaints = self.of_block(kind, id).into_iter();
            complaints.map(move |what| format!("{name} {kind:?} {id}: {what}")).collect::<Vec<_>>()
        };
        sampled(chosen, share).into_iter().flat_map(complain).collect()
    }

    fn bound(&self, id: usize, number: usize) -> Bound {
        let mut limbs = self.blocks.operand(number).into_iter();
        match self.blocks.is_constant(id, number) {
            true => Bound::Constant,
            false if limbs.any(|limb| self.forger.bound_to(self.at(id, limb)).len() > 1) => {
                Bound::Copy
            }
            false => Bound::Nothing,
        }
    }

    /// Whether the sum before a digit is the one after another digit.
    fn goes_on(&self, id: usize) -> bool {
        let before = self.at(id, self.blocks.before()[0]);
        let (column, row) = self.blocks.after();
        let is_after = |place: &Place| {
            place.0 == column && place.1 % self.blocks.rows() == row as usize && *place != before
        };
        self.forger.bound_to(before).iter().any(is_after)
    }

    fn of_block(&self, kind: Kind, id: usize) -> Vec<String> {
        let of_operands = |operands: &[usize]| {
            let limbs = operands.iter().flat_map(|operand| self.blocks.operand(*operand));
            limbs.filter_map(|limb| self.of_cell(self.at(id, limb))).collect()
        };
        match kind {
            Kind::Operand { number, .. } => of_operands(&[number]),
            Kind::Entry => {
                let is_used =
                    |operand: &usize| *operand < 2 || self.blocks.uses_operand(id, *operand);
                of_operands(&(0..self.blocks.operands()).filter(is_used).collect::<Vec<_>>())
            }
            Kind::Before(_) => {
                self.of_cell(self.at(id, self.blocks.before()[0])).into_iter().collect()
            }
            Kind::Equation => self.of_equation(id).into_iter().collect(),
            Kind::Range => self.of_range(id).into_iter().collect(),
        }
    }

    /// Rewrites a cell that is cut off from its copies: these must refuse it.
    fn of_cell(&self, place: Place) -> Option<String> {
        let value = self.forger.value(place);
        let tries = changes().map(|change| [(place, value + change)]);
        let tries = tries.filter_map(|start| self.forger.try_rewrite(&start, PATIENCE));
        let verdict = self.refused(tries, |failure| *failure == Failure::Copy(place));
        verdict.complaint().map(|what| format!("{place:?}: {what}"))
    }

    /// Rewrites the result: the equation must refuse it.
    fn of_equation(&self, id: usize) -> Option<String> {
        if self.blocks.has_result(id) {
            let verdict = self.refused(self.other_results(id), |failure| {
                self.is_gate(failure, id, &["native", "limbs"])
            });
            return verdict.complaint();
        }
        let verdicts = self.too_long(id).into_iter().chain(self.apart_from_pieces(id));
        let mut complaints = verdicts.filter_map(|verdict| match verdict {
            // Something else bounds it, too: a sum of its limbs, or an equation over the integers.
            Verdict::Otherwise(_) => None,
            verdict => verdict.complaint(),
        });
        complaints.next()
    }

    /// Rewrites a limb that has several pieces, but not these: for the same number, with one less in the limb above, or
    /// for another.
    fn apart_from_pieces(&self, id: usize) -> Vec<Verdict> {
        let result = self.blocks.result(0);
        let split = self.blocks.split().filter(|_| self.blocks.is_free(id));
        let forged = split.map(|(limb, pieces)| {
            let at = self.at(id, result[limb]);
            let same =
                result.get(limb + 1).map(|high| self.carried(at, self.at(id, *high)).to_vec());
            let others = changes().map(|change| vec![(at, self.forger.value(at) + change)]);
            let pieces: Vec<_> = pieces.into_iter().map(|cell| self.at(id, cell)).collect();
            let tries = same.into_iter().chain(others).filter_map(|starts| {
                let mut cells = self.with_class(&starts)?;
                cells.retain(|cell| !pieces.contains(&(cell.column, cell.row)));
                Some(cells)
            });
            self.refused(tries, |failure| self.is_gate(failure, id, &["a limb is its pieces"]))
        });
        forged.collect()
    }

    /// Moves one unit of a limb to the limb below, which makes that one too long.
    fn carried(&self, low: Place, high: Place) -> [(Place, Fr); 2] {
        let base = Fr::from(2).pow_vartime([self.blocks.limb_bits() as u64]);
        [(low, self.forger.value(low) + base), (high, self.forger.value(high) - Fr::ONE)]
    }

    /// For a result that only its range constrains: one that is too long, in the spare bits of its lookups, if there
    /// are any.
    fn too_long(&self, id: usize) -> Option<Verdict> {
        let (top, more, spare) = self.blocks.too_long().filter(|_| self.blocks.is_free(id))?;
        let [top, spare] = [top, spare].map(|at| self.at(id, at));
        let tries = (1..TRIES).filter_map(|times| {
            let longer = self.forger.value(top) + more * Fr::from(times);
            let mut cells = self.with_class(&[(top, longer)])?;
            cells.push(forged((spare, self.forger.value(spare))));
            Some(cells)
        });
        Some(self.refused(tries, |failure| self.is_gate(failure, id, &["the top digit is short"])))
    }

    fn is_gate(&self, failure: &Failure, id: usize, names: &[&str]) -> bool {
        let is_here = |row| row == id * self.blocks.rows();
        matches!(failure, Failure::Gate(name, row) if is_here(*row) && names.contains(&name.as_str()))
    }

    /// Numbers out of their ranges for which the equation holds: the lookups must refuse them.
    fn of_range(&self, id: usize) -> Option<String> {
        let rows = id * self.blocks.rows()..(id + 1) * self.blocks.rows();
        let is_range = |failure: &Failure| {
            let here = |name: &str, row| name.starts_with("foreign: limb") && rows.contains(row);
            matches!(failure, Failure::Lookup(name, row) if here(name, row))
        };
        let verdict = if self.blocks.is_of_integers(id) {
            // The same number in limbs of which the lowest is too long.
            let [low, high] = [0, 1].map(|limb| self.at(id, self.blocks.result(0)[limb]));
            self.refused(self.with_class(&self.carried(low, high)).into_iter(), is_range)
        } else if self.is_end(id) {
            self.refused(self.unbounded(id, vec![]).into_iter(), is_range)
        } else {
            let tries = self.other_results(id).filter_map(|cells| self.unbounded(id, cells));
            self.refused(tries, is_range)
        };
        verdict.complaint()
    }

    /// Whether a block has an equation that computes nothing.
    fn is_end(&self, id: usize) -> bool {
        !self.blocks.has_result(id) && !self.blocks.is_free(id)
    }

    /// Other results, which differ in the lowest limb, with all that follows.
    fn other_results(&self, id: usize) -> impl Iterator<Item = Vec<Forged>> + '_ {
        let limb = self.at(id, self.blocks.result(0)[0]);
        let value = self.forger.value(limb);
        changes().filter_map(move |change| self.with_class(&[(limb, value + change)]))
    }

    /// New values for cells and all that copies bind to them, with all that follows.
    pub(crate) fn with_class(&self, starts: &[(Place, Fr)]) -> Option<Vec<Forged>> {
        let bound = |(place, value): &(Place, Fr)| {
            let bound = self.forger.bound_to(*place).into_iter();
            bound.map(|place| (place, *value)).collect::<Vec<_>>()
        };
        let starts: Vec<_> = starts.iter().flat_map(bound).collect();
        self.forger.try_rewrite(&starts, PATIENCE)
    }

    /// The same cells with a quotient and carries for which the equation of a block holds in the native field.
    fn unbounded(&self, id: usize, mut cells: Vec<Forged>) -> Option<Vec<Forged>> {
        let values: FxHashMap<Place, Fr> =
            cells.iter().map(|cell| ((cell.column, cell.row), cell.value)).collect();
        let now = |at: Read| {
            let row = (id * self.blocks.rows()).checked_add_signed(at.1 as isize);
            let place = row.map(|row| (at.0, row));
            let value = |place| values.get(&place).copied().unwrap_or(self.forger.value(place));
            place.map_or(Fr::ZERO, value)
        };
        let numbers = self.blocks.unbounded(id, &now)?;
        cells.extend(numbers.into_iter().map(|(at, value)| forged((self.at(id, at), value))));
        Some(cells)
    }

    fn at(&self, id: usize, (column, row): Read) -> Place {
        (column, id * self.blocks.rows() + row as usize)
    }

    /// Whether one of `tries` is refused by nothing but what `must` refuse it. Ends are not checked.
    fn refused(
        &self,
        tries: impl Iterator<Item = Vec<Forged>>,
        must: impl Fn(&Failure) -> bool,
    ) -> Verdict {
        let mut verdict = Verdict::Otherwise("there is nothing to try".to_owned());
        for cells in tries {
            let failures = self.judge.failures_but(&cells, |failure| self.is_of_end(failure));
            if failures.is_empty() {
                return Verdict::Accepted;
            }
            match failures.iter().find(|failure| !must(failure)) {
                Some(other) => verdict = Verdict::Otherwise(format!("{other:?}")),
                None => return Verdict::Refused,
            }
        }
        verdict
    }

    fn is_of_end(&self, failure: &Failure) -> bool {
        let is_end = |row: &usize| self.is_end(row / self.blocks.rows());
        matches!(failure, Failure::Gate(name, row)
            if ["native", "limbs"].contains(&name.as_str()) && is_end(row))
    }
}

impl Verdict {
    fn complaint(self) -> Option<String> {
        match self {
            Self::Refused => None,
            Self::Accepted => Some("nothing refuses it".to_owned()),
            Self::Otherwise(other) => Some(format!("something else refuses it: {other}")),
        }
    }
}

/// The changes of a limb to try, one after the other: where a root is needed, only half of all numbers have one, and
/// where a half is, only even numbers do.
fn changes() -> impl Iterator<Item = Fr> {
    (1..TRIES).map(Fr::from).flat_map(|change| [change, -change])
}

fn forged(((column, row), value): (Place, Fr)) -> Forged {
    Forged { column, row, value }
}

/// The steps for what a prover computes in each block, and for the entries that digits look up.
fn steps(meta: &ConstraintSystem<Fr>, blocks: &Arc<Blocks>) -> Vec<Step> {
    let every = blocks.rows();
    let step = |reads: Vec<Read>, writes: Vec<Read>, compute: Compute| Step {
        every,
        reads,
        writes,
        lookup: None,
        hit_reads: vec![],
        compute,
    };
    let id = move |rows: &Rows| rows.row() / every;
    let [of_result, of_after, of_rest] = [(); 3].map(|()| blocks.clone());
    let result: Compute =
        Box::new(move |rows| of_result.solved(id(rows), &|at| rows.now(at), &|at| rows.was(at)));
    let after: Compute =
        Box::new(move |rows| Some(vec![of_after.summed(id(rows), &|at| rows.now(at))?]));
    let rest: Compute = Box::new(move |rows| of_rest.remade(id(rows), &|at| rows.now(at)));
    let all = [blocks.result_reads(), blocks.result(0)].concat();
    let mut steps =
        vec![step(blocks.result_reads(), blocks.result(0), result), step(all, blocks.rest(), rest)];
    if !blocks.asks() {
        return steps;
    }
    steps.insert(1, step(blocks.before().to_vec(), vec![blocks.after()], after));
    let lookup =
        meta.lookups().iter().position(|lookup| lookup.name() == "foreign: entry of a table");
    let lookup = lookup.expect("there are tables");
    for cell in [0, 1].into_iter().flat_map(|operand| blocks.operand(operand)) {
        steps.push(Step { every, ..Step::far(lookup, cell, cell, move |rows| rows.hit(cell)) });
    }
    steps
}
