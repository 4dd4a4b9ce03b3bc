//! The choice of degree and columns.

use std::ops::RangeInclusive;

use muster_gadgets::{membership::translation::MAX_PLACES, signature::instructions::Needs};
use muster_gates::{keccak::TABLE_ROWS, Gates, Layout, PoseidonLayout, Sha2Layout};
use muster_schemes::membership::{min_depth, zero_hashes};

use super::{
    circuit::{record, TranslationInputs},
    commitment::CommitmentKind,
    shape::{TranslationRequest, TranslationShape},
};
use crate::{
    bounds::{poseidon_widths, reserved_rows, SHA256_BITS},
    error::Error,
    layout::{cost, poseidon_layout},
    parts::usable_rows,
};

/// log₂ of the rows.
const DEGREES: RangeInclusive<u32> = 11..=20;
/// Bits of a limb: those of a byte, of which the gadgets cut halves and addresses.
const RANGE_BITS: usize = 8;
/// Most lanes of a hash.
const MAX_LANES: usize = 32;
/// The longest range check in limbs, which does not straddle two columns.
const LONGEST_CHECK: usize = 32;

impl TranslationShape {
    /// The layout for `request` with the fastest proofs, over all degrees or of the requested one.
    ///
    /// # Errors
    ///
    /// [`Error::Places`], [`Error::Tree`], [`Error::DegreeTooSmall`].
    pub fn fit(request: &TranslationRequest) -> Result<Self, Error> {
        fit(request)
    }
}

/// Checks that a shape, which may be from a file, is one that [`TranslationShape::fit`] gives for its degree: it has the
/// columns that are planned for it, and no others.
///
/// # Errors
///
/// [`Error::Places`], [`Error::Tree`], [`Error::Layout`].
pub(super) fn check(shape: &TranslationShape) -> Result<(), Error> {
    let &TranslationShape { commitment, capacity, arity, depth, .. } = shape;
    if depth < least_depth(commitment, capacity, arity)? {
        return Err(Error::Layout("the tree has too few levels"));
    }
    zero_hashes(arity, depth, commitment.scheme().leaf_format())?;
    if !DEGREES.contains(&shape.degree()) {
        return Err(Error::Layout("the degree is below 11 or above 20"));
    }
    let planned = at(shape, shape.degree());
    let is_planned = planned.is_some_and(|planned| planned == *shape);
    is_planned.then_some(()).ok_or(Error::Layout("not the columns of a translation"))
}

fn fit(request: &TranslationRequest) -> Result<TranslationShape, Error> {
    let &TranslationRequest { commitment, capacity, arity, depth, degree } = request;
    let least = least_depth(commitment, capacity, arity)?;
    let depth = depth.map_or(least, |depth| depth.max(least));
    zero_hashes(arity, depth, commitment.scheme().leaf_format())?;
    let open = TranslationShape { commitment, capacity, arity, depth, layout: Layout::default() };
    let shapes = || DEGREES.filter_map(|degree| at(&open, degree));
    let (none, most) = DEGREES.into_inner();
    match degree {
        None => {
            let ranked = shapes().map(|shape| (cost(&shape.layout), shape));
            let best = ranked.min_by(|(a, _), (b, _)| a.total_cmp(b)).map(|(_, shape)| shape);
            best.ok_or(Error::DegreeTooSmall { degree: none, smallest: most })
        }
        Some(degree) => {
            let found = DEGREES.contains(&degree).then(|| at(&open, degree)).flatten();
            found.ok_or_else(|| {
                let mut larger = shapes().filter(|shape| shape.degree() > degree);
                let smallest = larger.next().map_or(most, |shape| shape.degree());
                Error::DegreeTooSmall { degree, smallest }
            })
        }
    }
}

/// The least depth of a tree with so many places.
fn least_depth(commitment: CommitmentKind, capacity: usize, arity: usize) -> Result<usize, Error> {
    if !(1..=MAX_PLACES).contains(&capacity) {
        return Err(Error::Places { capacity, most: MAX_PLACES });
    }
    Ok(min_depth(arity, capacity, commitment.scheme().leaf_format())?)
}

/// The shape with the columns that it needs in `2^degree` rows, whatever layout it has; `None` if it does not fit. What the
/// circuit records does not depend on its columns.
fn at(shape: &TranslationShape, degree: u32) -> Option<TranslationShape> {
    let mut shape = opened(shape, degree);
    let needs = Needs::default();
    let rows = (1usize << degree).checked_sub(reserved_rows(shape.arity, &needs))?;
    let tables = if shape.commitment.needs_keccak() { TABLE_ROWS } else { 1 << RANGE_BITS };
    if tables > rows {
        return None;
    }
    let usage = shape.usage();
    // Three rows of a column may stay empty, since no gate straddles two columns.
    let vertical = rows.checked_sub(usage.constants + 3).filter(|rows| *rows > 0)?;
    shape.layout.constant_rows = usage.constants;
    shape.layout.vertical_columns = usage.vertical_cells.div_ceil(vertical);
    shape.layout.range_columns = usage.range_cells.div_ceil(rows - LONGEST_CHECK);
    let poseidon = usage.poseidon.iter();
    shape.layout.poseidon = poseidon
        .map(|&(width, count, _)| poseidon_layout(width, count, rows))
        .collect::<Option<_>>()?;
    if shape.commitment.needs_keccak() {
        let lanes = usage.keccak_rows.div_ceil(rows)..=MAX_LANES;
        let with = |keccak_lanes| with(&shape, |layout| layout.keccak_lanes = keccak_lanes);
        return lanes.map(with).find(fits);
    }
    let chains = shape.commitment.sha256_chains(shape.capacity);
    let gates = SHA256_BITS.filter_map(|bits| {
        let mut gates = (1..=MAX_LANES).map(|lanes| Sha2Layout { bits, lanes });
        let gate = gates.find(|gate| sha256_rows(*gate, &chains) <= rows)?;
        Some(with(&shape, |layout| layout.sha256 = Some(gate)))
    });
    gates.min_by(|a, b| cost(&a.layout).total_cmp(&cost(&b.layout))).filter(fits)
}

/// Rows that chains of compressions take in each lane of a gate, by its README: those of one length stand side by side, and a step is a
/// word of 32 bits. That the circuit fits is asked of the gate itself.
fn sha256_rows(gate: Sha2Layout, chains: &[(usize, usize)]) -> usize {
    /// Steps of the first value of a chain, and of a compression.
    const STEPS: (usize, usize) = (4, 68);
    let rows = |(count, compressions): &(usize, usize)| {
        let steps = STEPS.0 + STEPS.1 * compressions;
        count.div_ceil(gate.lanes) * steps * 32usize.div_ceil(gate.bits)
    };
    chains.iter().map(rows).sum()
}

/// The gate of SHA-256 with which a circuit is counted.
const OPEN_SHA256: Sha2Layout = Sha2Layout { bits: 4, lanes: 1 };

/// The shape with one column of everything that it needs.
fn opened(shape: &TranslationShape, degree: u32) -> TranslationShape {
    let widths = poseidon_widths(shape.arity, &Needs::default()).into_iter();
    let poseidon = widths.map(|width| PoseidonLayout { width, columns: 1, lanes: 1 });
    let chains = shape.commitment.sha256_chains(shape.capacity);
    let layout = Layout {
        k: degree,
        vertical_columns: 1,
        range_columns: 1,
        range_bits: RANGE_BITS,
        poseidon: poseidon.collect(),
        keccak_lanes: usize::from(shape.commitment.needs_keccak()),
        sha256: (!chains.is_empty()).then_some(OPEN_SHA256),
        ..Layout::default()
    };
    TranslationShape { layout, ..shape.clone() }
}

fn with(shape: &TranslationShape, change: impl FnOnce(&mut Layout)) -> TranslationShape {
    let mut shape = shape.clone();
    change(&mut shape.layout);
    shape
}

/// Whether the circuit fits its columns.
fn fits(shape: &TranslationShape) -> bool {
    let inputs = TranslationInputs::unused(shape);
    let circuit = record(shape, &inputs, Gates::counting(&shape.layout));
    usable_rows(&shape.layout) > 0 && circuit.check_room().is_ok()
}
