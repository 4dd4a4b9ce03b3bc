//! The layout of a circuit over foreign fields.

use std::{cell::RefCell, collections::HashMap};

use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, utils::modulus};
use muster_gadgets::{
    gate::{
        foreign::{Block, ForeignLayout},
        keccak::TABLE_ROWS,
        Layout, PoseidonLayout, Usage,
    },
    signature::foreign::equations,
};

use crate::{
    bounds::{poseidon_widths, FOREIGN_COLUMNS, FOREIGN_DEGREES, LOOKUP_BITS},
    builder::usable_rows,
    layout::{choose, poseidon_layout},
    scheme::Foreign,
    shape::{depth, Goal, Request},
    Error, KeyKind, Mode, Rule, Shape,
};

/// Rows that more columns may make unusable.
const SLACK: usize = 16;
/// More rows than a column of range checks loses: those that blind, and at its end fewer than the
/// limbs of a check, which never straddles two columns.
const LOST: usize = 256;

/// The cheapest layout for `request`, or that of the degree asked for.
pub(crate) fn fit(request: &Request, scheme: Foreign, rule: Option<Rule>) -> Result<Shape, Error> {
    let planner = Planner::new(request, scheme, rule)?;
    if let Some(degree) = request.degree {
        let at = |degree| FOREIGN_DEGREES.contains(&degree).then(|| planner.at(degree)).flatten();
        let smallest = || FOREIGN_DEGREES.filter(|k| *k > degree).find(|k| at(*k).is_some());
        return at(degree).ok_or_else(|| Error::DegreeTooSmall {
            degree,
            smallest: smallest().unwrap_or(*FOREIGN_DEGREES.end()),
        });
    }
    let shapes: Vec<_> = FOREIGN_DEGREES.filter_map(|degree| planner.at(degree)).collect();
    let none = Error::DegreeTooSmall {
        degree: *FOREIGN_DEGREES.start(),
        smallest: *FOREIGN_DEGREES.end(),
    };
    choose(&shapes, request.goal).cloned().ok_or(none)
}

/// Shapes of one request, by degree.
struct Planner {
    scheme: Foreign,
    shape: Shape,
    goal: Goal,
    /// By the width of a lookup: limbs, and lookups of a relation.
    limbs: Vec<(usize, ForeignLayout, usize)>,
    /// By the width of a lookup: what the circuit takes. Relations take as many rows as lookups.
    usages: RefCell<HashMap<usize, Usage>>,
}

impl Planner {
    fn new(request: &Request, scheme: Foreign, rule: Option<Rule>) -> Result<Self, Error> {
        let shape = Shape {
            scheme: request.scheme,
            keys: request.keys,
            rule,
            capacity: request.capacity,
            slots: request.slots,
            mode: Mode::Path,
            arity: request.arity,
            depth: depth(request)?,
            layout: Layout::default(),
        };
        let equations = equations(scheme.curve());
        let limbs = LOOKUP_BITS.map(|bits| {
            let limbs = ForeignLayout::new(&modulus::<Fr>(), bits, 1, &equations);
            let lookups = Block::new(modulus::<Fr>(), &limbs, bits).rows();
            (bits, limbs, lookups)
        });
        let limbs = limbs.collect();
        Ok(Self { scheme, shape, goal: request.goal, limbs, usages: RefCell::default() })
    }

    /// The best shape of `2^degree` rows.
    fn at(&self, degree: u32) -> Option<Shape> {
        let shapes: Vec<_> =
            [false, true].into_iter().filter_map(|apart| self.narrowest(degree, apart)).collect();
        choose(&shapes, self.goal).cloned()
    }

    /// The narrowest shape of `2^degree` rows, with range checks below the relations or in columns
    /// of their own: these may save relations more columns than they take.
    fn narrowest(&self, degree: u32, apart: bool) -> Option<Shape> {
        let rows = 1usize << degree;
        let fitting = self.limbs.iter().filter(|(bits, ..)| 1 << bits < rows);
        let &(bits, limbs, lookups) = fitting.min_by_key(|(_, _, lookups)| *lookups)?;
        let mut usages = self.usages.borrow_mut();
        let usage = usages.entry(bits).or_insert_with(|| {
            let layout = layout((&self.shape, self.scheme), degree, (bits, limbs));
            Shape { layout, ..self.shape.clone() }.usage()
        });
        let least = usage.foreign_rows.div_ceil(rows);
        let below = if apart { 0 } else { usage.range_cells };
        (least..=FOREIGN_COLUMNS).find_map(|columns| {
            let block_rows = lookups.div_ceil(columns);
            let taken = usage.foreign_rows / lookups * block_rows + below;
            let limbs = ForeignLayout { columns, ..limbs };
            let mut layout = layout((&self.shape, self.scheme), degree, (bits, limbs));
            if apart {
                layout.range_columns = usage.range_cells.div_ceil(rows.checked_sub(LOST)?);
            }
            self.filled(layout, usage, taken)
        })
    }

    /// The shape with as many columns of the other gates as it takes, if relations and range checks
    /// fit.
    fn filled(&self, layout: Layout, usage: &Usage, taken: usize) -> Option<Shape> {
        if taken >= 1 << layout.k {
            return None;
        }
        let mut shape = Shape { layout, ..self.shape.clone() };
        // More columns of hashes may leave some rows less.
        let rows = usable_rows(&shape.layout).checked_sub(SLACK)?;
        // Three rows of a column may stay empty, so that no gate straddles two.
        let vertical = rows.checked_sub(usage.constants + 3).filter(|rows| *rows > 0)?;
        let tables = if shape.layout.keccak_lanes > 0 { TABLE_ROWS } else { 0 };
        if taken.max(tables) > rows {
            return None;
        }
        shape.layout.constant_rows = usage.constants;
        shape.layout.vertical_columns = usage.vertical_cells.div_ceil(vertical);
        let lanes = |lanes: usize, all: usize| {
            let each = all.div_ceil(shape.slots);
            let fits = |lanes: &usize| shape.slots.div_ceil(*lanes) * each <= rows;
            if lanes == 0 {
                Some(0)
            } else {
                (1..=shape.slots).find(fits)
            }
        };
        shape.layout.keccak_lanes = lanes(shape.layout.keccak_lanes, usage.keccak_rows)?;
        shape.layout.sha256_lanes = lanes(shape.layout.sha256_lanes, usage.sha256_rows)?;
        let poseidon = usage.poseidon.iter();
        shape.layout.poseidon = poseidon
            .map(|&(width, count, _)| poseidon_layout(width, count, rows))
            .collect::<Option<_>>()?;
        (usable_rows(&shape.layout) >= rows && shape.check().is_ok()).then_some(shape)
    }
}

/// A layout whose other columns are still open.
fn layout(
    (shape, scheme): (&Shape, Foreign),
    degree: u32,
    (range_bits, limbs): (usize, ForeignLayout),
) -> Layout {
    let widths = poseidon_widths(shape.arity).into_iter();
    let poseidon = widths.map(|width| PoseidonLayout { width, columns: 1, lanes: 1 });
    Layout {
        k: degree,
        vertical_columns: 1,
        range_columns: 0,
        range_bits,
        poseidon: poseidon.collect(),
        edwards_lanes: 0,
        keccak_lanes: usize::from(shape.keys == KeyKind::Address),
        sha256_lanes: match scheme {
            Foreign::Ecdsa { .. } => 0,
            Foreign::Bip340 => 1,
        },
        constant_rows: 0,
        foreign: Some(limbs),
    }
}
