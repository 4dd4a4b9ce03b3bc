//! The choice of mode, degree and columns.
//!
//! It needs to know how much a circuit records, which is counted by the code that fills it, with gates that compute nothing
//! ([`Shape::usage`]). What is recorded depends on the shape and on nothing else, or else the keys of two
//! witnesses would differ. So a count is not an estimate: it is the number itself, for every circuit of the
//! shape. Tests compare the two for every scheme, and [`GateCircuit::fits`](muster_gates::GateCircuit::fits)
//! holds each layout against its circuit before keys are made from it.

use std::{
    cmp::Ordering,
    collections::HashMap,
    ops::RangeInclusive,
    sync::{Arc, LazyLock, Mutex, PoisonError},
};

use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, utils::modulus};
use muster_gadgets::signature::instructions::{Chains, Needs};
use muster_gates::{
    foreign::{Block, ForeignLayout},
    keccak::TABLE_ROWS,
    poseidon::rows_each,
    Layout, PoseidonLayout, Sha2Layout, Usage,
};
use rayon::prelude::*;

use crate::{
    bounds::{
        degrees, least_rows, poseidon_widths, reserved_rows, SetGates, EDWARDS_LANES,
        FOREIGN_COLUMNS, LOOKUP_BITS, POSEIDON_COLUMNS, POSEIDON_LANES, RANGE_BITS, SHA256_BITS,
        SHA512_BITS,
    },
    error::Error,
    limbs::foreign,
    modes::{slots, worth_a_layout},
    parts::{columns, usable_rows, Columns},
    scheme::Suite,
    shape::{Mode, Request, Shape},
};

/// Advice columns of a layout whose proof stays below 4 KiB.
const NARROW_COLUMNS: usize = 14;
/// The SHA-2 functions whose gates are laid out.
const SHA256: Sha2Function =
    Sha2Function { word: 32, bits: SHA256_BITS, open: Sha2Layout { bits: 4, lanes: 1 } };
const SHA512: Sha2Function =
    Sha2Function { word: 64, bits: SHA512_BITS, open: Sha2Layout { bits: 16, lanes: 1 } };
/// Weight of the relation gate in `cost`: its expressions are long.
const RELATION_WEIGHT: f64 = 10.0;

/// The degree of many circuits with relations; gates are counted for it first.
const USUAL_DEGREE: u32 = 13;

/// Candidates whose gates are counted at the same time: more would hold more memory, and the second is rarely better.
const AT_ONCE: usize = 2;

/// Rows that more columns may make unusable.
const SLACK: usize = 16;
/// An upper bound on the rows that a column of range checks loses: the blinding rows and, at its
/// end, fewer than the limbs of a check, which never straddles two columns.
const LOST: usize = 256;

/// What this process has planned: the answers to requests.
static PLANS: LazyLock<Mutex<HashMap<Request, Result<Shape, Error>>>> =
    LazyLock::new(Mutex::default);
/// How many of them are kept, so that a process that plans for strangers does not grow.
const MOST_PLANS: usize = 1 << 10;

impl Shape {
    /// The narrowest layout for `request`: the fastest over all degrees, or the one for the requested degree. A request that
    /// was answered before is not planned again.
    ///
    /// # Errors
    ///
    /// [`Error::Slots`], [`Error::NoAbsent`], [`Error::Tree`], [`Error::Mask`], [`Error::DegreeTooSmall`], or
    /// [`Error::Keys`], [`Error::Rule`] or [`Error::Mode`] for a choice that the scheme does not have.
    pub fn fit(request: &Request) -> Result<Self, Error> {
        let plans = || PLANS.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(plan) = plans().get(request) {
            return plan.clone();
        }
        let plan = Self::plan(request);
        let mut plans = plans();
        if plans.len() >= MOST_PLANS {
            plans.clear();
        }
        plans.insert(request.clone(), plan.clone());
        plan
    }

    /// What [`Self::fit`] gives, planned anew.
    ///
    /// # Errors
    ///
    /// Those of [`Self::fit`].
    pub fn plan(request: &Request) -> Result<Self, Error> {
        let planner = Planner::new(request)?;
        if let Some(degree) = request.degree {
            if let Some(shape) = planner.at(degree) {
                return Ok(shape);
            }
            let mut larger = planner.degrees().filter(|k| *k > degree);
            let smallest = larger.find(|k| planner.at(*k).is_some());
            let smallest = smallest.unwrap_or(*planner.degrees().end());
            return Err(Error::DegreeTooSmall { degree, smallest });
        }
        let choice =
            if planner.lookups.is_empty() { planner.best() } else { planner.best_with_relations() };
        let (degree, smallest) = planner.degrees().into_inner();
        choice.ok_or(Error::DegreeTooSmall { degree, smallest })
    }
}

/// The shape with the least [`cost`], however long its proofs; the first of equals.
fn choose(shapes: impl IntoIterator<Item = Shape>) -> Option<Shape> {
    let ranked = shapes.into_iter().map(|shape| (cost(&shape.layout), shape));
    ranked.min_by(|(a, _), (b, _)| a.total_cmp(b)).map(|(_, shape)| shape)
}

/// The prover's time in arbitrary units: `2^k` times the relative weights of columns and lookups.
/// The weights are estimates; only the order of layouts matters.
///
/// CPU seconds of a 13-of-19 proof, which fit 9.1 µs a unit, give or take 3% (degrees by
/// `muster keygen --degree`, seconds of `muster_prover::prove` alone):
///
/// | | degree 14 | degree 15 |
/// |---|---|---|
/// | `schnorr-secp256k1` | 15.2 s | 21.7 s |
/// | `ecdsa-secp256k1`, `--keys address` | 25.7 s | 29.8 s |
pub(crate) fn cost(layout: &Layout) -> f64 {
    cost_of(layout, &columns(layout))
}

/// At most [`cost`], without a look at the constraints: lookups of other gates than that of relations, the permutation
/// and fixed columns are left out.
fn least_cost(layout: &Layout) -> f64 {
    let lookups = layout.foreign.iter().map(|gate| gate.columns).sum();
    let advice = layout.advice_columns();
    cost_of(layout, &Columns { advice, lookups, permutation: 0, fixed: 0 })
}

fn cost_of(layout: &Layout, columns: &Columns) -> f64 {
    let weight = 3.0
        + columns.advice as f64
        + 2.0 * columns.lookups as f64
        + 0.4 * columns.permutation as f64
        + 0.15 * columns.fixed as f64
        + RELATION_WEIGHT * layout.foreign.len() as f64;
    weight * f64::from(layout.k).exp2()
}

/// Shapes of one request, by degree.
struct Planner<'a> {
    request: &'a Request,
    suite: Suite,
    needs: Needs,
    depth: usize,
    /// Membership modes, any of which may be the best.
    modes: Vec<Mode>,
    /// By increasing width. Empty for a scheme without relations.
    lookups: Vec<Lookup>,
    /// What the circuit uses, with relations in one column.
    usages: Mutex<HashMap<Kind, Arc<Usage>>>,
}

/// A degree and a mode of which the best shape is not known yet.
struct Candidate {
    /// Degree, and the mode's number among the modes. Of equals, the first is taken.
    place: (u32, usize),
    mode: Mode,
    /// The columns that every shape of it has.
    least: Layout,
}

/// The best shape of a candidate.
struct Ranked {
    cost: f64,
    place: (u32, usize),
    shape: Shape,
}

impl Ranked {
    /// By cost; of equals, the one with the fewest rows first.
    fn order(&self, other: &Self) -> Ordering {
        self.cost.total_cmp(&other.cost).then(self.place.cmp(&other.place))
    }
}

/// A width of the lookups of relations, and what follows from it.
#[derive(Clone)]
struct Lookup {
    bits: usize,
    /// The limbs of elements, in one column.
    limbs: ForeignLayout,
    /// Rows of a relation in one column.
    rows: usize,
}

/// How the members in slots are found.
#[derive(Clone, Copy)]
struct Membership {
    mode: Mode,
    edwards_lanes: usize,
}

impl<'a> Planner<'a> {
    fn new(request: &'a Request) -> Result<Self, Error> {
        let terms = request.terms()?;
        let (suite, depth) = (terms.suite(), terms.depth());
        let needs = suite.needs();
        let modes = worth_a_layout(request, suite, &needs, depth)?;
        let widths = LOOKUP_BITS.filter(|_| !needs.equations.is_empty());
        // Bounds of many equations, for each way to cut elements into limbs.
        let lookups = widths.collect::<Vec<_>>().into_par_iter().map(|bits| {
            let limbs = foreign(bits, 1, &needs.equations);
            let rows = Block::new(modulus::<Fr>(), &limbs, bits).rows();
            Lookup { bits, limbs, rows }
        });
        let lookups = lookups.collect();
        Ok(Self { request, suite, needs, depth, modes, lookups, usages: Mutex::default() })
    }

    fn degrees(&self) -> RangeInclusive<u32> {
        degrees(&self.needs)
    }

    /// The best shape of `2^degree` rows.
    fn at(&self, degree: u32) -> Option<Shape> {
        if !self.degrees().contains(&degree) {
            return None;
        }
        let shapes = self.modes.par_iter().map(|mode| self.opened_by(*mode, degree));
        choose(shapes.collect::<Vec<_>>().into_iter().flatten())
    }

    /// The best shape of a circuit without relations, which takes next to no time to fill.
    fn best(&self) -> Option<Shape> {
        let shapes: Vec<_> = self.degrees().filter_map(|degree| self.at(degree)).collect();
        // Short proofs first: a wide layout saves little time and pays for each column in every proof.
        let is_narrow = |shape: &Shape| shape.layout.advice_columns() <= NARROW_COLUMNS;
        let narrow = shapes.iter().filter(|shape| is_narrow(shape));
        choose(narrow.cloned()).or_else(|| choose(shapes))
    }

    /// The best shape of a circuit with relations. Its gates are counted by going through it, which takes long, so degrees
    /// and modes are tried in the order of their [bounds](least_cost), until none of these is better than the best
    /// shape.
    fn best_with_relations(&self) -> Option<Shape> {
        let relations = self.relations()?;
        let modes = self.modes.iter().enumerate();
        let places = modes.flat_map(|mode| self.degrees().map(move |degree| (degree, mode)));
        let candidates = places.filter_map(|(degree, (number, mode))| {
            let least = self.least(*mode, degree, relations)?;
            let candidate = Candidate { place: (degree, number), mode: *mode, least };
            Some((least_cost(&candidate.least), candidate))
        });
        let mut candidates: Vec<_> = candidates.collect();
        candidates.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        let mut best: Option<Ranked> = None;
        for several in candidates.chunks(AT_ONCE.min(rayon::current_num_threads())) {
            let most = best.as_ref().map_or(f64::INFINITY, |best| best.cost);
            if most < several[0].0 {
                break;
            }
            let found = several.par_iter().filter(|(bound, _)| *bound <= most);
            let found: Vec<_> = found.filter_map(|(_, one)| self.better(one, most)).collect();
            best = best.into_iter().chain(found).min_by(Ranked::order);
        }
        best.map(|best| best.shape)
    }

    /// The best shape of a candidate, unless its cost is sure to exceed `most`.
    fn better(&self, one: &Candidate, most: f64) -> Option<Ranked> {
        let &Candidate { place, mode, ref least } = one;
        if cost(least) > most {
            return None;
        }
        let shape = self.opened_by(mode, place.0)?;
        Some(Ranked { cost: cost(&shape.layout), place, shape })
    }

    /// How many relations there are: the same number in every mode and with every lookup width.
    fn relations(&self) -> Option<usize> {
        let mode = *self.modes.first()?;
        let Lookup { bits, limbs, rows } = self.lookup(USUAL_DEGREE)?;
        let membership = *self.memberships(mode).first()?;
        let open = self.open(USUAL_DEGREE, membership, bits, Some(limbs));
        Some(self.usage(&open).foreign_rows[0] / rows)
    }

    /// Columns that every shape of this mode and degree has at least; `None` if there is no such shape. It counts as many
    /// columns of relations as these fill, and of other gates the fewest possible, or none.
    fn least(&self, mode: Mode, degree: u32, relations: usize) -> Option<Layout> {
        let Lookup { bits, limbs, rows } = self.lookup(degree)?;
        let columns = (relations * rows).div_ceil(1 << degree);
        if columns > FOREIGN_COLUMNS {
            return None;
        }
        let membership = *self.memberships(mode).first()?;
        let open = self.open(degree, membership, bits, Some(ForeignLayout { columns, ..limbs }));
        let least =
            Layout { range_columns: 0, keccak_lanes: 0, sha256: None, sha512: None, ..open.layout };
        Some(least)
    }

    /// Of the lookups whose table fits, those with which relations take the fewest rows.
    fn lookup(&self, degree: u32) -> Option<Lookup> {
        let rows = 1usize << degree;
        let fitting = self.lookups.iter().filter(|lookup| 1 << lookup.bits < rows);
        fitting.min_by_key(|lookup| lookup.rows).cloned()
    }

    fn set_gates(&self, mode: Mode) -> SetGates {
        SetGates::of(mode, self.suite.scheme().leaf_format())
    }

    /// A mode with each number of lanes that the gate may have that holds the set or adds points, the fewest first.
    fn memberships(&self, mode: Mode) -> Vec<Membership> {
        let lanes = match self.needs.edwards {
            Some(edwards) => {
                EDWARDS_LANES.into_iter().filter(|lanes| *lanes <= edwards.lanes).collect()
            }
            None => vec![self.set_gates(mode).edwards_lanes],
        };
        lanes.into_iter().map(|edwards_lanes| Membership { mode, edwards_lanes }).collect()
    }

    fn opened_by(&self, mode: Mode, degree: u32) -> Option<Shape> {
        // Lanes are columns: the fewest that fit are the cheapest.
        self.memberships(mode).into_iter().find_map(|membership| {
            let ways = self.ways(degree, membership)?.into_iter();
            let shapes =
                ways.filter_map(|way| way.into_iter().find_map(|shape| self.filled(shape)));
            choose(shapes)
        })
    }

    /// Ways to lay out relations and range checks, each with ever more columns. All other columns are
    /// open.
    fn ways(&self, degree: u32, membership: Membership) -> Option<Vec<Vec<Shape>>> {
        let rows = 1usize << degree;
        if self.lookups.is_empty() {
            let rows = rows - reserved_rows(self.request.arity, &self.needs);
            let bits = RANGE_BITS.into_iter().find(|bits| 1 << bits <= rows)?;
            let mut shape = self.open(degree, membership, bits, None);
            if least_rows(&shape, &self.needs) > rows {
                return None;
            }
            // A check never straddles two columns; the longest has 32 limbs.
            shape.layout.range_columns = self.usage(&shape).range_cells.div_ceil(rows - 32);
            return Some(vec![vec![shape]]);
        }
        let Lookup { bits, limbs, .. } = self.lookup(degree)?;
        let open = self.open(degree, membership, bits, Some(limbs.clone()));
        let usage = self.usage(&open);
        // However many columns relations have, no layout leaves more rows than these.
        self.beside(open.clone(), &usage, rows - SLACK)?;
        let columns = usage.foreign_rows[0].div_ceil(rows)..=FOREIGN_COLUMNS;
        let apart = rows.checked_sub(LOST).map(|rows| usage.range_cells.div_ceil(rows));
        let with = |range_columns: usize| {
            let shape = |columns| {
                let mut shape = open.clone();
                shape.layout.range_columns = range_columns;
                shape.layout.foreign = vec![ForeignLayout { columns, ..limbs.clone() }];
                shape
            };
            columns.clone().map(shape).collect()
        };
        // Range checks go below the relations or into columns of their own. The latter may save more
        // columns of relations than they take.
        Some([Some(0), apart].into_iter().flatten().map(with).collect())
    }

    /// A shape whose columns are still open.
    fn open(
        &self,
        degree: u32,
        membership: Membership,
        range_bits: usize,
        foreign: Option<ForeignLayout>,
    ) -> Shape {
        let Request { capacity, arity, .. } = *self.request;
        let Membership { mode, edwards_lanes } = membership;
        let slots = slots(self.request, mode).expect("the mode is worth a layout");
        let widths = poseidon_widths(arity, &self.needs).into_iter();
        let poseidon = widths.map(|width| PoseidonLayout { width, columns: 1, lanes: 1 });
        let even = if self.needs.edwards.is_some() { 2 * edwards_lanes } else { 1 };
        Shape {
            scheme: self.suite.scheme(),
            keys: self.suite.keys(),
            rule: self.suite.rule(),
            message: self.suite.form(),
            hash: self.suite.hash(),
            capacity,
            slots: slots.next_multiple_of(even),
            mode,
            arity,
            depth: self.depth,
            mask: self.request.mask,
            layout: Layout {
                k: degree,
                vertical_columns: 1,
                range_columns: usize::from(foreign.is_none()),
                range_bits,
                poseidon: poseidon.collect(),
                edwards_lanes,
                set_elements: self.set_gates(mode).set_elements,
                keccak_lanes: usize::from(self.needs.keccak),
                sha256: self.needs.sha256.map(|_| SHA256.open),
                sha512: self.needs.sha512.map(|_| SHA512.open),
                constant_rows: 0,
                foreign: foreign.into_iter().collect(),
            },
        }
    }

    /// What the circuit of a shape uses, whatever its columns.
    fn usage(&self, shape: &Shape) -> Arc<Usage> {
        let kind = Kind::of(shape);
        let usages = || self.usages.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = usages().get(&kind) {
            return known.clone();
        }
        // Two threads may count the same.
        let usage = Arc::new(shape.usage());
        usages().insert(kind, usage.clone());
        usage
    }

    /// Rows that gates may take.
    fn rows(&self, layout: &Layout) -> Option<usize> {
        match layout.foreign[..] {
            // More hash columns may leave fewer rows.
            [_, ..] => usable_rows(layout).checked_sub(SLACK),
            [] => Some((1usize << layout.k) - reserved_rows(self.request.arity, &self.needs)),
        }
    }

    /// Rows that the columns of relations need, including the range checks below them if these have no
    /// columns of their own.
    fn relation_rows(&self, layout: &Layout, usage: &Usage) -> usize {
        let lookup = self.lookups.iter().find(|lookup| lookup.bits == layout.range_bits);
        let ([foreign], Some(lookup)) = (&layout.foreign[..], lookup) else { return 0 };
        let below = if layout.range_columns == 0 { usage.range_cells } else { 0 };
        let rows = Block::new(modulus::<Fr>(), foreign, layout.range_bits).rows();
        usage.foreign_rows[0] / lookup.rows * rows + below
    }

    /// The shape with as many columns of the other gates as it needs, if the columns it already has are
    /// enough.
    fn filled(&self, mut shape: Shape) -> Option<Shape> {
        let usage = &*self.usage(&shape);
        let relations = self.relation_rows(&shape.layout, usage);
        if relations + SLACK >= 1 << shape.layout.k {
            return None;
        }
        let rows = self.rows(&shape.layout)?;
        if relations > rows {
            return None;
        }
        shape = self.beside(shape, usage, rows)?;
        let fits = usable_rows(&shape.layout) >= rows && shape.check_gates(&self.needs).is_ok();
        fits.then_some(shape)
    }

    /// The shape with as many columns as gates other than that of relations need in these rows.
    fn beside(&self, mut shape: Shape, usage: &Usage, rows: usize) -> Option<Shape> {
        // Three rows of a column may stay empty, since no gate straddles two columns.
        let vertical = rows.checked_sub(usage.constants + 3).filter(|rows| *rows > 0)?;
        let tables = if self.needs.keccak { TABLE_ROWS } else { 0 };
        if tables > rows || usage.edwards_rows.max(usage.set_rows) >= rows {
            return None;
        }
        shape.layout.constant_rows = usage.constants;
        shape.layout.vertical_columns = usage.vertical_cells.div_ceil(vertical);
        let slots = shape.slots;
        if self.needs.keccak {
            shape.layout.keccak_lanes = lanes(slots, usage.keccak_rows, rows)?;
        }
        let sha2 = |function: &Sha2Function, chains: Option<Chains>, counted: usize| match chains {
            Some(chains) => function.layout(chains.count(slots), counted, rows).map(Some),
            None => Some(None),
        };
        shape.layout.sha256 = sha2(&SHA256, self.needs.sha256, usage.sha256_rows)?;
        shape.layout.sha512 = sha2(&SHA512, self.needs.sha512, usage.sha512_rows)?;
        let poseidon = usage.poseidon.iter();
        shape.layout.poseidon = poseidon
            .map(|&(width, count, _)| poseidon_layout(width, count, rows))
            .collect::<Option<_>>()?;
        Some(shape)
    }
}

/// What decides how much a circuit uses, whatever its columns.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Kind {
    range_bits: usize,
    edwards_lanes: usize,
    mode: Mode,
}

impl Kind {
    fn of(shape: &Shape) -> Self {
        let Layout { range_bits, edwards_lanes, .. } = shape.layout;
        Self { range_bits, edwards_lanes, mode: shape.mode }
    }
}

/// The fewest lanes in which `chains` chains of one length, of `all` rows in total, fit `rows`
/// rows.
fn lanes(chains: usize, all: usize, rows: usize) -> Option<usize> {
    let each = all.div_ceil(chains);
    (1..=chains).find(|lanes| chains.div_ceil(*lanes) * each <= rows)
}

/// A hash function whose gate takes as many bits of a word per row as suits the circuit.
struct Sha2Function {
    /// Bits of a word.
    word: usize,
    /// How many of them a row may take.
    bits: RangeInclusive<usize>,
    /// The gate for which rows are counted before the columns are chosen.
    open: Sha2Layout,
}

impl Sha2Function {
    /// The cheapest columns in which `chains` chains of one length, of `counted` rows in total in one lane of the open
    /// gate, fit `rows` rows. Of equally cheap gates, the one with the fewest lanes, since each lane has constraints of
    /// its own.
    fn layout(&self, chains: usize, counted: usize, rows: usize) -> Option<Sha2Layout> {
        let steps = counted / self.word.div_ceil(self.open.bits);
        let gate = |bits: usize| {
            let lanes = lanes(chains, steps * self.word.div_ceil(bits), rows)?;
            Some(Sha2Layout { bits, lanes })
        };
        // To the prover a fixed column costs a seventh of an advice column.
        let cost = |gate: &Sha2Layout| {
            let advice = gate.lanes * gate.columns();
            (7 * advice + gate.fixed_columns(self.word), gate.lanes)
        };
        self.bits.clone().filter_map(gate).min_by_key(cost)
    }
}

/// The fewest columns in which `count` permutations fit `rows` rows.
pub(crate) fn poseidon_layout(width: usize, count: usize, rows: usize) -> Option<PoseidonLayout> {
    POSEIDON_COLUMNS
        .into_iter()
        .filter_map(|columns| {
            let each = rows_each(width, columns)?;
            let lanes = count.div_ceil(rows / each).max(1);
            (lanes <= POSEIDON_LANES).then_some(PoseidonLayout { width, columns, lanes })
        })
        .min_by_key(|layout| (layout.columns * layout.lanes, layout.lanes))
}

#[cfg(test)]
mod tests;
