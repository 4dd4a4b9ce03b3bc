//! The freedom of a witness: how many of its cells can change a little while all constraints hold.
//!
//! At an honest witness each polynomial gives a linear equation between small changes of cells, its derivative; cells
//! that copies bind together count as one. What these equations do not determine is free: a choice of the prover, or a
//! cell for which a constraint is missing. The README beside this file says how lookups are read and what the check
//! does not show.

use std::collections::BTreeMap;

use halo2_base::halo2_proofs::{
    halo2curves::bn256::Fr,
    plonk::{Circuit, ConstraintSystem},
};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;

use super::forger::Sheet;
use muster_gates::{foreign::ForeignConfig, GatesConfig, Layout};

mod bounds;
mod equations;
mod grid;
mod related;
mod relations;
mod small;
mod solve;
#[cfg(test)]
mod tests;

use equations::Equations;
use grid::{Grid, Relation};
use solve::{Found, Free, System};

/// The role of a number that no relation gives.
const ELEMENT: &str = "element";
/// The role of a number that no block makes.
const OUTSIDE: &str = "outside";
/// The role of relations that only refuse: at an honest witness they follow from all else.
const CHECKS: &str = "checks";
/// What the roles of SHA-256 and SHA-512 begin with.
const HASH: &str = "sha";

/// How many cells of each role are free in `circuit`, which is filled with an honest witness for these
/// public inputs, and how many relations only refuse. A cell that copies bind to others counts once, for the first of them
/// in the order of the gates.
///
/// # Panics
/// If the circuit cannot be laid out, or its witness finds no entry for a lookup.
pub fn freedom<C>(circuit: &C, public: &[Fr]) -> BTreeMap<String, usize>
where
    C: Circuit<Fr, Config = GatesConfig, Params = Layout>,
{
    let Reading { equations, order } = Reading::new(circuit, public);
    let Found { free, checks } = System::solve(equations, |class| order.rank(class));
    let mut counts = BTreeMap::new();
    for free in free {
        let role = match free {
            Free::Element => ELEMENT,
            Free::Outside => OUTSIDE,
            Free::Class(class) => order.role(class),
        };
        *counts.entry(role.to_owned()).or_default() += 1;
    }
    if checks > 0 {
        counts.insert(CHECKS.to_owned(), checks);
    }
    counts
}

/// What a filled circuit says.
struct Reading {
    equations: Equations,
    order: Order,
}

impl Reading {
    fn new<C>(circuit: &C, public: &[Fr]) -> Self
    where
        C: Circuit<Fr, Config = GatesConfig, Params = Layout>,
    {
        let layout = circuit.params();
        let rows = 1usize << layout.k;
        let mut meta = ConstraintSystem::default();
        let config = C::configure_with_params(&mut meta, layout);
        let roles = roles(&config);
        let parts: Vec<_> = config.foreign().iter().map(ForeignConfig::parts).collect();
        let sheet = Sheet::read(rows, &meta, config, circuit, vec![public.to_vec()]);
        let grid = Grid::new(sheet);
        let equations = Equations::new(&meta, &grid, &parts);
        Self { equations, order: Order::new(&grid, roles) }
    }
}

/// The order in which classes are assumed to be known, and their roles.
struct Order {
    roles: Vec<String>,
    rows: usize,
    /// The role and the row of each class's first cell.
    first: FxHashMap<usize, (usize, usize)>,
}

impl Order {
    /// A class is ranked by the first of its cells: gates come before the columns that copy from them, but hash gates
    /// last, since everything in a hash follows from what is hashed.
    fn new(grid: &Grid, roles: Vec<(usize, String)>) -> Self {
        let (hashes, others): (Vec<_>, Vec<_>) =
            roles.into_iter().partition(|(_, name)| name.starts_with(HASH));
        let (columns, roles): (Vec<_>, Vec<_>) = others.into_iter().chain(hashes).unzip();
        let (rows, mut first) = (grid.sheet.rows, FxHashMap::default());
        for (order, column) in columns.into_iter().enumerate() {
            for row in 0..rows {
                first.entry(grid.class(column, row)).or_insert((order, row));
            }
        }
        Self { roles, rows, first }
    }

    fn rank(&self, class: usize) -> usize {
        let (order, row) = self.first[&class];
        order * self.rows + row
    }

    fn role(&self, class: usize) -> &str {
        &self.roles[self.first[&class].0]
    }
}

/// Advice columns and their names, those of range checks and of the vertical gate last.
fn roles(config: &GatesConfig) -> Vec<(usize, String)> {
    let named = |(gate, columns): (&str, Vec<usize>)| {
        let name = |(i, column)| (column, format!("{gate} {i}"));
        columns.into_iter().enumerate().map(name).collect::<Vec<_>>()
    };
    config.groups().into_iter().flat_map(named).collect()
}

/// A circuit with relations, and its counts: each relation is to count, that is, if it is left out, more cells are free
/// or fewer relations refuse.
pub struct Counted {
    reading: Reading,
    counts: Counts,
}

/// Free cells, and relations that only refuse.
#[derive(Clone, Copy, Debug)]
struct Counts {
    free: usize,
    checks: usize,
}

impl Counted {
    /// Counts once what is free.
    pub fn new<C>(circuit: &C) -> Self
    where
        C: Circuit<Fr, Config = GatesConfig, Params = Layout>,
    {
        let reading = Reading::new(circuit, &[]);
        let counts = count(reading.equations.clone(), &reading.order);
        Self { reading, counts }
    }

    /// What the counts fail to show about the relation in this row of the first gate: that it is left out, or that one
    /// of its numbers is cut off from what it is a copy of. Which number it is varies from relation to relation.
    pub fn complaints(&self, row: usize) -> Vec<String> {
        let Reading { equations, order } = &self.reading;
        let mut all = equations.relations.iter();
        let Some(place) = all.position(|relation| relation.row == row) else {
            return vec![];
        };
        let complaint = |what: String, change: &dyn Fn(&mut Equations)| {
            let mut changed = equations.clone();
            change(&mut changed);
            // A relation that says nothing keeps the numbers of this one in the count.
            let silent =
                Relation { modulus: BigInt::ZERO, bits: 0, ..equations.relations[place].clone() };
            changed.relations.push(silent);
            let counts = count(changed, order);
            let is_told = counts.free > self.counts.free || counts.checks <= self.counts.checks;
            (!is_told).then(|| format!("{what}: {counts:?}, {:?}", self.counts))
        };
        let left_out = complaint("left out".to_owned(), &|all| drop(all.relations.remove(place)));
        let number = place % equations.relations[place].slopes.len();
        let cut_off = complaint(format!("number {number} cut off"), &|all| cut(all, place, number));
        left_out.into_iter().chain(cut_off).collect()
    }
}

/// The first class of a number that is cut off: no cell has it.
const CUT_OFF: usize = 1 << 48;

/// Cuts off a number of this relation, which stays as long as it was.
fn cut(equations: &mut Equations, relation: usize, number: usize) {
    let limbs = &mut equations.relations[relation].slopes[number].0;
    for (place, limb) in limbs.iter_mut().enumerate() {
        let class = CUT_OFF + place;
        if let Some(small) = equations.small.get(limb).cloned() {
            equations.small.insert(class, small);
        }
        *limb = class;
    }
}

fn count(equations: Equations, order: &Order) -> Counts {
    let rank = |class: usize| if class < CUT_OFF { order.rank(class) } else { class };
    let Found { free, checks } = System::solve(equations, rank);
    Counts { free: free.len(), checks }
}
