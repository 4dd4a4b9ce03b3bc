//! The choice of mode, degree and columns.

use std::collections::HashMap;

use muster_gadgets::{
    gate::{poseidon::rows_each, Layout, PoseidonLayout, Usage},
    membership::LEAF_MEMBERS,
};

use crate::{
    bounds::{
        least_rows, poseidon_widths, reserved_rows, DEGREES, EDWARDS_LANES, POSEIDON_COLUMNS,
        POSEIDON_LANES, RANGE_BITS,
    },
    foreign,
    scheme::Family,
    shape::{choices, depth, Goal, Mode, Request, Shape, MAX_SLOTS},
    Columns, Error, KeyKind,
};

/// Advice columns of a layout whose proof stays below 4 KiB.
const NARROW_COLUMNS: usize = 14;
/// What the gate of relations weighs: its expressions are long.
const RELATION_WEIGHT: f64 = 10.0;

pub(crate) fn fit(request: &Request) -> Result<Shape, Error> {
    if request.capacity == 0 || request.slots == 0 || request.slots > MAX_SLOTS {
        return Err(Error::Slots);
    }
    let &Request { scheme, keys, rule, mode, .. } = request;
    let rule = choices(scheme, keys, rule, mode)?;
    match scheme.family(rule) {
        Family::Foreign(scheme) => foreign::fit(request, scheme, rule),
        Family::Embedded(_) => fit_embedded(request),
    }
}

fn fit_embedded(request: &Request) -> Result<Shape, Error> {
    let mut planner = Planner::new(request)?;
    if let Some(degree) = request.degree {
        if let Some(shape) = planner.at(degree) {
            return Ok(shape);
        }
        let smallest = DEGREES.filter(|k| *k > degree).find(|k| planner.at(*k).is_some());
        return Err(Error::DegreeTooSmall { degree, smallest: smallest.unwrap_or(*DEGREES.end()) });
    }
    let shapes: Vec<_> = DEGREES.filter_map(|degree| planner.at(degree)).collect();
    let choice = match request.goal {
        Goal::Speed => fastest(&shapes),
        Goal::Gas => cheapest_to_verify(&shapes),
    };
    let none = Error::DegreeTooSmall { degree: *DEGREES.start(), smallest: *DEGREES.end() };
    choice.cloned().ok_or(none)
}

fn fastest(shapes: &[Shape]) -> Option<&Shape> {
    // Short proofs first: a wide layout saves little time and pays for each column in every proof.
    let narrow = |shape: &&Shape| shape.layout.advice_columns() <= NARROW_COLUMNS;
    let faster = |a: &&Shape, b: &&Shape| cost(&a.layout).total_cmp(&cost(&b.layout));
    shapes.iter().filter(narrow).min_by(faster).or_else(|| shapes.iter().min_by(faster))
}

/// The shape that is best for a goal, however long its proofs.
pub(crate) fn choose(shapes: &[Shape], goal: Goal) -> Option<&Shape> {
    match goal {
        Goal::Speed => shapes.iter().min_by(|a, b| cost(&a.layout).total_cmp(&cost(&b.layout))),
        Goal::Gas => cheapest_to_verify(shapes),
    }
}

/// The fastest of those with the fewest commitments.
fn cheapest_to_verify(shapes: &[Shape]) -> Option<&Shape> {
    let commitments = |shape: &Shape| Columns::of(&shape.layout).commitments();
    let least = shapes.iter().map(commitments).min()?;
    let cheap = shapes.iter().filter(|shape| commitments(shape) == least);
    cheap.min_by(|a, b| cost(&a.layout).total_cmp(&cost(&b.layout)))
}

/// The prover's time in arbitrary units: `2^k` times what columns and lookups weigh against each
/// other. The weights are estimates; only the order of layouts counts.
///
/// Processor seconds of a proof of 13 of 19 against them, 9.1 µs a unit give or take 3% (degrees by
/// `muster keygen --degree`, seconds of `muster_prover::prove` alone):
///
/// | | degree 14 | degree 15 |
/// |---|---|---|
/// | `schnorr-secp256k1` | 15.2 s | 21.7 s |
/// | `ecdsa-secp256k1`, `--keys address` | 25.7 s | 29.8 s |
fn cost(layout: &Layout) -> f64 {
    let columns = Columns::of(layout);
    let weight = 3.0
        + columns.advice as f64
        + 2.0 * columns.lookups as f64
        + 0.4 * columns.permutation as f64
        + 0.15 * columns.fixed as f64
        + if layout.foreign.is_some() { RELATION_WEIGHT } else { 0.0 };
    weight * f64::from(layout.k).exp2()
}

/// The cheaper mode by the cells that membership takes: all leaves and nodes of the tree against a
/// leaf and a path a slot.
fn cheaper_mode(request: &Request, depth: usize) -> Mode {
    let path_nodes = request.slots * (depth + 1);
    let leaves = request.capacity.div_ceil(LEAF_MEMBERS);
    let set_nodes = leaves.saturating_add(leaves / (request.arity - 1)).min(usize::MAX / 16);
    // A path's level selects a child on the vertical gate, about a third of its hash; a member of
    // the set takes a row of six cells, and so does a slot's padding entry.
    let path_cells = path_nodes * 4;
    let set_cells = set_nodes * 3 + request.capacity.saturating_add(request.slots) / 12;
    if set_cells <= path_cells {
        Mode::WholeSet
    } else {
        Mode::Path
    }
}

/// Shapes of one request, by degree.
struct Planner<'a> {
    request: &'a Request,
    depth: usize,
    mode: Mode,
    usages: HashMap<(usize, usize), Usage>,
}

impl<'a> Planner<'a> {
    fn new(request: &'a Request) -> Result<Self, Error> {
        let depth = depth(request)?;
        let mode = request.mode.unwrap_or_else(|| cheaper_mode(request, depth));
        Ok(Self { request, depth, mode, usages: HashMap::new() })
    }

    /// The narrowest shape of `2^degree` rows.
    fn at(&mut self, degree: u32) -> Option<Shape> {
        if !DEGREES.contains(&degree) {
            return None;
        }
        let rows = (1usize << degree) - reserved_rows(self.request.arity);
        let range_bits = RANGE_BITS.into_iter().find(|bits| 1 << bits <= rows)?;
        let lanes = if self.request.scheme.is_aggregate() { 1 } else { EDWARDS_LANES.len() };
        EDWARDS_LANES[..lanes].iter().find_map(|&lanes| {
            let mut shape = self.shape(degree, range_bits, lanes);
            if least_rows(&shape) > rows {
                return None;
            }
            let usage = self.usages.entry((range_bits, lanes)).or_insert_with(|| shape.usage());
            if usage.edwards_rows >= rows {
                return None;
            }
            // Three rows of a column may stay empty, so that no gate straddles two.
            let vertical_rows = rows.checked_sub(usage.constants + 3).filter(|rows| *rows > 0)?;
            shape.layout.constant_rows = usage.constants;
            shape.layout.vertical_columns = usage.vertical_cells.div_ceil(vertical_rows);
            // A check never straddles two columns; its longest has 32 limbs.
            shape.layout.range_columns = usage.range_cells.div_ceil(rows - 32);
            shape.layout.poseidon = usage
                .poseidon
                .iter()
                .map(|&(width, count, _)| poseidon_layout(width, count, rows))
                .collect::<Option<_>>()?;
            shape.check().is_ok().then_some(shape)
        })
    }

    /// A shape whose column counts are still open.
    fn shape(&self, degree: u32, range_bits: usize, edwards_lanes: usize) -> Shape {
        let Request { scheme, capacity, slots, arity, .. } = *self.request;
        let widths = poseidon_widths(arity).into_iter();
        let poseidon = widths.map(|width| PoseidonLayout { width, columns: 1, lanes: 1 });
        Shape {
            scheme,
            keys: KeyKind::Coordinates,
            rule: None,
            capacity,
            slots: slots.next_multiple_of(2 * edwards_lanes),
            mode: self.mode,
            arity,
            depth: self.depth,
            layout: Layout {
                k: degree,
                vertical_columns: 1,
                range_columns: 1,
                range_bits,
                poseidon: poseidon.collect(),
                edwards_lanes,
                constant_rows: 0,
                ..Layout::default()
            },
        }
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
