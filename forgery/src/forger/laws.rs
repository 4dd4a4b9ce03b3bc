//! The equations of a circuit, which cell each of them computes, and how far down a chain that cell is, so that an
//! equation is satisfied once, after all that it reads is settled.

use std::{cell::RefCell, cmp::Reverse, collections::BTreeSet};

use halo2_base::halo2_proofs::{
    halo2curves::{bn256::Fr, ff::Field},
    plonk::{ConstraintSystem, Expression},
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    expression::{evaluate, rank, reads, slope},
    record::{Equation, Place, Read, Sheet},
    steps::{Rows, Step},
};

/// The gate of halo2-base: `a + b·c = d`, in a column.
const VERTICAL: &str = "1 column a + b * c = out";
/// The gate of public inputs and constants, which no prover can choose.
const LOAD: &str = "public inputs, constants";
/// The gate whose constraints determine a whole state together.
const JOINT: &str = "poseidon: exit";

/// Whether a gate or a lookup, by its name, belongs to the vertical gate, its constants or the range checks.
pub(super) fn is_of_sums(name: &str) -> bool {
    [VERTICAL, LOAD].contains(&name) || name.starts_with("range")
}

/// What holds at every row.
#[derive(Debug)]
pub(super) struct Law {
    pub(super) reads: Vec<Read>,
    pub(super) kind: Kind,
}

#[derive(Debug)]
pub(super) enum Kind {
    /// A constraint of the vertical gate.
    Vertical(Expression<Fr>),
    /// The constraint of public inputs and constants.
    Load(Expression<Fr>),
    /// A constraint of another gate.
    Zero(Expression<Fr>),
    /// Constraints that together compute the same number of cells.
    Joint(Vec<Expression<Fr>>, Vec<Read>),
    /// What satisfies a lookup.
    Step(Step),
}

/// Which row of its table each row of a lookup hits, and by which rows each row of the table is hit, in order.
#[derive(Debug, Default)]
struct Hits {
    hit: FxHashMap<usize, usize>,
    hit_by: FxHashMap<usize, Vec<usize>>,
}

/// All laws.
#[derive(Debug, Default)]
pub(super) struct Laws {
    laws: Vec<Law>,
    /// For each advice column, the laws that read it, and how far down.
    readers: Vec<Vec<(usize, i32)>>,
    /// Rows of the table that the rows of a lookup hit, by lookup.
    hits: FxHashMap<usize, Hits>,
    /// What each equation computes, once it is known.
    computed: RefCell<FxHashMap<Equation, Vec<Place>>>,
    /// What computes each class of cells, how far down a chain it is, and when an equation is to be satisfied: each found
    /// out once.
    computers: RefCell<FxHashMap<Place, Option<Equation>>>,
    depths: RefCell<FxHashMap<Place, usize>>,
    order: RefCell<FxHashMap<Equation, usize>>,
}

impl Laws {
    /// The laws of the gates whose names are `met`, and of the steps.
    pub(super) fn new(
        meta: &ConstraintSystem<Fr>,
        sheet: &Sheet,
        steps: Vec<Step>,
        met: impl Fn(&str) -> bool,
    ) -> Self {
        let mut laws = vec![];
        for gate in meta.gates().iter().filter(|gate| met(gate.name())) {
            let polynomials = gate.polynomials().iter().cloned();
            match gate.name() {
                VERTICAL => laws.extend(polynomials.map(Kind::Vertical)),
                LOAD => laws.extend(polynomials.map(Kind::Load)),
                JOINT => {
                    let polynomials: Vec<_> = polynomials.collect();
                    let mut outputs: Vec<_> = polynomials.iter().flat_map(reads).collect();
                    outputs.sort_by_key(|(column, rotation)| (*rotation, *column));
                    outputs.dedup();
                    let outputs =
                        outputs.split_off(outputs.len().saturating_sub(polynomials.len()));
                    laws.push(Kind::Joint(polynomials, outputs));
                }
                _ => laws.extend(polynomials.map(Kind::Zero)),
            }
        }
        laws.extend(steps.into_iter().map(Kind::Step));
        let laws: Vec<_> = laws.into_iter().map(Law::new).collect();
        let mut readers = vec![vec![]; meta.num_advice_columns()];
        for (id, law) in laws.iter().enumerate() {
            law.reads.iter().for_each(|(column, rotation)| readers[*column].push((id, *rotation)));
        }
        let wanted: FxHashSet<_> = laws.iter().filter_map(|law| law.step()?.lookup).collect();
        let hits = wanted.into_iter().map(|lookup| (lookup, hits(meta, sheet, lookup))).collect();
        Self { laws, readers, hits, ..Self::default() }
    }

    pub(super) fn law(&self, equation: Equation) -> &Law {
        &self.laws[equation.0]
    }

    /// The row of its table that a step at `row` reads.
    pub(super) fn hit(&self, step: &Step, row: usize) -> Option<usize> {
        self.hits.get(&step.lookup?)?.hit.get(&row).copied()
    }

    /// The equations that read a cell.
    pub(super) fn readers(&self, sheet: &Sheet, (column, row): Place) -> Vec<Equation> {
        let near = self.readers[column]
            .iter()
            .filter_map(|(law, rotation)| sheet.below(row, -rotation).map(|row| (*law, row)));
        let mut readers: Vec<_> = near.filter(|(law, row)| self.laws[*law].is_at(*row)).collect();
        for (id, law) in self.laws.iter().enumerate() {
            let Kind::Step(Step { lookup: Some(lookup), hit_reads, .. }) = &law.kind else {
                continue;
            };
            for (_, rotation) in hit_reads.iter().filter(|(read, _)| *read == column) {
                let hit = sheet.below(row, -rotation);
                let rows = hit.and_then(|hit| self.hits[lookup].hit_by.get(&hit));
                readers.extend(rows.into_iter().flatten().map(|row| (id, *row)));
            }
        }
        readers
    }

    /// The cells that an equation reads, including those in the table that it looks up.
    fn reads(&self, sheet: &Sheet, equation: Equation) -> Vec<Place> {
        let (law, row) = (self.law(equation), equation.1);
        let near = law
            .reads
            .iter()
            .filter_map(|(column, rotation)| sheet.below(row, *rotation).map(|row| (*column, row)));
        let mut reads: Vec<_> = near.collect();
        if let Some(step) = law.step() {
            let hit = self.hit(step, row);
            let at = |(column, rotation): &Read| Some((*column, sheet.below(hit?, *rotation)?));
            reads.extend(step.hit_reads.iter().filter_map(at));
        }
        reads
    }

    /// The cells that an equation computes.
    pub(super) fn computes(&self, sheet: &Sheet, equation: Equation) -> Vec<Place> {
        if let Some(known) = self.computed.borrow().get(&equation) {
            return known.clone();
        }
        let found = self.find_computed(sheet, equation);
        self.computed.borrow_mut().insert(equation, found.clone());
        found
    }

    fn find_computed(&self, sheet: &Sheet, equation: Equation) -> Vec<Place> {
        let (law, row) = (self.law(equation), equation.1);
        let place = |(column, rotation): Read| Some((column, sheet.below(row, rotation)?));
        let base = |(column, row): Place| sheet.advice[column][row];
        match &law.kind {
            Kind::Vertical(expression) => {
                let last = law.reads.iter().max_by_key(|(_, rotation)| *rotation);
                let place = last.copied().and_then(place);
                let slope = |place| slope(sheet, expression, row, &base, &|p| p == place);
                place.filter(|place| slope(*place).is_some()).into_iter().collect()
            }
            Kind::Load(expression) | Kind::Zero(expression) => {
                let rotations: BTreeSet<_> = law.reads.iter().map(|read| read.1).collect();
                let at = |rotation: i32| {
                    let reads = law.reads.iter().filter(|read| read.1 == rotation);
                    let ranked = reads.filter_map(|read| {
                        let place = place(*read)?;
                        let rank = rank(sheet, expression, row, &base, &|p| p == place)?;
                        Some(((rank, Reverse(read.0)), place))
                    });
                    ranked.min().map(|(_, place)| place)
                };
                rotations.into_iter().rev().find_map(at).into_iter().collect()
            }
            Kind::Joint(expressions, outputs) => {
                let places: Option<Vec<_>> = outputs.iter().map(|read| place(*read)).collect();
                let places = places.unwrap_or_default();
                let at_work = |place: &Place| {
                    let is = |p| p == *place;
                    expressions.iter().any(|e| slope(sheet, e, row, &base, &is).is_some())
                };
                if places.iter().all(at_work) {
                    places
                } else {
                    vec![]
                }
            }
            Kind::Step(step) => {
                let rows = Rows::new(sheet, row, self.hit(step, row), &base);
                let at_work = (step.compute)(&rows).is_some();
                let writes = step.writes.iter().filter(|_| at_work);
                writes.filter_map(|read| place(*read)).collect()
            }
        }
    }

    /// The equation that computes a class, if there is one.
    pub(super) fn computer_of(&self, sheet: &Sheet, class: Place) -> Option<Equation> {
        if let Some(known) = self.computers.borrow().get(&class) {
            return *known;
        }
        let found = match sheet.bound_to(class) {
            [] => self.computer(sheet, &[class]),
            members => self.computer(sheet, members),
        };
        self.computers.borrow_mut().insert(class, found);
        found
    }

    /// When an equation is to be satisfied: after all that it reads.
    pub(super) fn order(&self, sheet: &Sheet, equation: Equation) -> usize {
        if let Some(known) = self.order.borrow().get(&equation) {
            return *known;
        }
        let inputs = self.inputs(sheet, equation).into_iter();
        let deepest = inputs.map(|class| self.depth(sheet, class)).max();
        *self.order.borrow_mut().entry(equation).or_insert(deepest.unwrap_or(0))
    }

    /// The length of the longest chain of equations that leads to a class.
    fn depth(&self, sheet: &Sheet, class: Place) -> usize {
        let mut depths = self.depths.borrow_mut();
        let (mut path, mut open) = (vec![class], FxHashSet::default());
        while let Some(&class) = path.last() {
            if depths.contains_key(&class) {
                path.pop();
                continue;
            }
            let computer = self.computer_of(sheet, class);
            let inputs = computer.map_or(vec![], |equation| self.inputs(sheet, equation));
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

    /// The classes that an equation reads, except those that it computes.
    fn inputs(&self, sheet: &Sheet, equation: Equation) -> Vec<Place> {
        let classes = |places: Vec<Place>| places.into_iter().map(|place| sheet.class(place));
        let computed: Vec<_> = classes(self.computes(sheet, equation)).collect();
        let inputs = classes(self.reads(sheet, equation));
        inputs.filter(|class| !computed.contains(class)).collect()
    }

    /// The equation that computes one of `members`: first that of constants, then those of gates, then those of the
    /// vertical gate, which also serves to assert.
    pub(super) fn computer(&self, sheet: &Sheet, members: &[Place]) -> Option<Equation> {
        let loads = members.iter().find_map(|member| {
            let mut readers = self.readers(sheet, *member).into_iter();
            readers.find(|equation| {
                let is_load = matches!(self.law(*equation).kind, Kind::Load(_));
                is_load && self.computes(sheet, *equation).contains(member)
            })
        });
        if loads.is_some() {
            return loads;
        }
        let candidates = members.iter().flat_map(|member| {
            let readers = self.readers(sheet, *member).into_iter();
            // What writes a cell need not read it.
            let writers = self.laws.iter().enumerate().flat_map(|(id, law)| {
                let writes = law.step().map_or(&[][..], |step| &step.writes);
                let here = writes.iter().filter(|(column, _)| *column == member.0);
                let rows = here.filter_map(|(_, rotation)| sheet.below(member.1, -rotation));
                rows.filter(|row| law.is_at(*row)).map(move |row| (id, row))
            });
            let computes = |equation: &Equation| self.computes(sheet, *equation).contains(member);
            let found: Vec<_> = readers.chain(writers).filter(computes).collect();
            found.into_iter().map(|equation| {
                let asserts = matches!(self.law(equation).kind, Kind::Vertical(_));
                ((asserts, *member), equation)
            })
        });
        candidates.min().map(|(_, equation)| equation)
    }
}

impl Law {
    fn new(kind: Kind) -> Self {
        let reads = match &kind {
            Kind::Vertical(expression) | Kind::Load(expression) | Kind::Zero(expression) => {
                reads(expression)
            }
            Kind::Joint(expressions, _) => {
                let reads: BTreeSet<_> = expressions.iter().flat_map(reads).collect();
                reads.into_iter().collect()
            }
            Kind::Step(step) => step.reads.clone(),
        };
        Self { reads, kind }
    }

    fn step(&self) -> Option<&Step> {
        match &self.kind {
            Kind::Step(step) => Some(step),
            _ => None,
        }
    }

    /// Whether it may apply at `row`.
    fn is_at(&self, row: usize) -> bool {
        self.step().is_none_or(|step| row.is_multiple_of(step.every))
    }
}

/// The row of the table that each row of a lookup hits, the last one if there are several; none for rows that look up
/// zeros.
fn hits(meta: &ConstraintSystem<Fr>, sheet: &Sheet, lookup: usize) -> Hits {
    let argument = &meta.lookups()[lookup];
    let base = |(column, row): Place| sheet.advice[column][row];
    let tuple = |expressions: &[Expression<Fr>], row| -> Vec<Fr> {
        expressions.iter().map(|e| evaluate(sheet, e, row, &base)).collect()
    };
    let table: FxHashMap<_, _> =
        (0..sheet.rows).map(|row| (tuple(argument.table_expressions(), row), row)).collect();
    let hit = |row: usize| {
        let wanted = tuple(argument.input_expressions(), row);
        let looks_up = wanted.iter().any(|value| *value != Fr::ZERO);
        table.get(&wanted).filter(|_| looks_up).map(|hit| (row, *hit))
    };
    let mut hits = Hits::default();
    for (row, hit) in (0..sheet.rows).filter_map(hit) {
        hits.hit.insert(row, hit);
        hits.hit_by.entry(hit).or_default().push(row);
    }
    hits
}
