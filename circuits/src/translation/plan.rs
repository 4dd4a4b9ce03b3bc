//! The choice of degree and columns.

use std::{iter, ops::RangeInclusive};

use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, utils::modulus};
use muster_gadgets::signature::instructions::Needs;
use muster_gates::{
    foreign::{Block, ForeignLayout},
    keccak::TABLE_ROWS,
    Gates, Layout, PoseidonLayout, Sha2Layout, Usage,
};
use muster_schemes::membership::{min_depth, zero_hashes, KeyFormat, LeafFormat};

use super::{
    circuit::{record, TranslationInputs},
    commitment::CommitmentKind,
    shape::{TranslationRequest, TranslationShape},
};
use crate::{
    bounds::{poseidon_widths, reserved_rows, FOREIGN_COLUMNS, SHA256_BITS},
    error::Error,
    layout::{cost, poseidon_layout},
    limbs,
    parts::usable_rows,
};

/// log₂ of the rows.
const DEGREES: RangeInclusive<u32> = 11..=20;
/// Bits of a limb: those of a byte, of which the gadgets cut halves and addresses.
const RANGE_BITS: usize = 8;
/// Bits of a limb of a circuit with relations, if it has enough rows: relations take fewer lookups.
const WIDE_RANGE_BITS: usize = 16;
/// Both.
#[cfg(test)]
pub(crate) const RELATION_BITS: [usize; 2] = [RANGE_BITS, WIDE_RANGE_BITS];
/// Rows that relations leave empty beside those that others do: their constraints reach further up.
const RELATION_ROWS: usize = 64;
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
    let (none, most) = DEGREES.into_inner();
    match degree {
        None => {
            fastest(DEGREES, &open).ok_or(Error::DegreeTooSmall { degree: none, smallest: most })
        }
        Some(degree) => {
            let asked = DEGREES.filter(|other| *other == degree);
            fastest(asked, &open).ok_or_else(|| {
                let mut larger = DEGREES.filter(|other| *other > degree);
                let smallest = larger.find(|larger| at(&open, *larger).is_some());
                Error::DegreeTooSmall { degree, smallest: smallest.unwrap_or(most) }
            })
        }
    }
}

/// The shape with the fastest proofs of those of `degrees`; `None` if none fits.
fn fastest(
    degrees: impl Iterator<Item = u32>,
    open: &TranslationShape,
) -> Option<TranslationShape> {
    let mut counted = vec![];
    let shapes =
        degrees.flat_map(|degree| candidates(open, degree, &mut counted).unwrap_or_default());
    let mut ranked: Vec<_> = shapes.map(|shape| (cost(&shape.layout), shape)).collect();
    ranked.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    // To fill a circuit takes long: only those that none before them makes needless.
    ranked.into_iter().map(|(_, shape)| shape).find(fits)
}

/// The least depth of a tree with so many places.
fn least_depth(commitment: CommitmentKind, capacity: usize, arity: usize) -> Result<usize, Error> {
    let most = commitment.max_places();
    let has_places = (1..=most).contains(&capacity);
    if commitment.is_of_seats() && !(has_places && capacity.is_power_of_two()) {
        return Err(Error::NoCommittee { seats: capacity, most });
    }
    if !has_places {
        return Err(Error::Places { capacity, most });
    }
    Ok(min_depth(arity, capacity, commitment.scheme().leaf_format())?)
}

/// The shape with the columns that it needs in `2^degree` rows, whatever layout it has; `None` if it does not fit.
fn at(shape: &TranslationShape, degree: u32) -> Option<TranslationShape> {
    fastest(iter::once(degree), shape)
}

/// What the circuit takes, by the open layout that it was counted with. What it records does not depend on its columns.
type Counted = Vec<(Layout, Usage)>;

/// Shapes with the columns that the circuit seems to need in `2^degree` rows, whatever layout it has; `None` if no columns can hold it.
fn candidates(
    shape: &TranslationShape,
    degree: u32,
    counted: &mut Counted,
) -> Option<Vec<TranslationShape>> {
    let mut shape = opened(shape, degree);
    let reserved = reserved_rows(shape.arity, &needs(&shape));
    let beside = if shape.layout.foreign.is_empty() { 0 } else { RELATION_ROWS };
    let rows = (1usize << degree).checked_sub(reserved + beside)?;
    let table = 1 << shape.layout.range_bits;
    let tables = if shape.commitment.needs_keccak() { TABLE_ROWS } else { table };
    if tables > rows {
        return None;
    }
    let chains = shape.commitment.sha256_chains(shape.capacity);
    let lanes = |bits| {
        let mut gates = (1..=MAX_LANES).map(|lanes| Sha2Layout { bits, lanes });
        gates.find(|gate| sha256_rows(*gate, &chains) <= rows)
    };
    // To count a circuit takes long: not one whose hashes have no room.
    let hashes: Vec<_> = SHA256_BITS.filter_map(lanes).collect();
    if hashes.is_empty() {
        return None;
    }
    let usage = usage(&shape, counted);
    // Three rows of a column may stay empty, since no gate straddles two columns.
    let vertical = rows.checked_sub(usage.constants + 3).filter(|rows| *rows > 0)?;
    shape.layout.constant_rows = usage.constants;
    shape.layout.vertical_columns = usage.vertical_cells.div_ceil(vertical);
    shape.layout.range_columns = usage.range_cells.div_ceil(rows - LONGEST_CHECK);
    let poseidon = usage.poseidon.iter();
    shape.layout.poseidon = poseidon
        .map(|&(width, count, _)| poseidon_layout(width, count, rows))
        .collect::<Option<_>>()?;
    if let [open] = &shape.layout.foreign[..] {
        let block = |layout: &ForeignLayout| {
            Block::new(modulus::<Fr>(), layout, shape.layout.range_bits).rows()
        };
        let relations = usage.foreign_rows[0] / block(open);
        let with = |columns| ForeignLayout { columns, ..open.clone() };
        let mut gates = (1..=FOREIGN_COLUMNS).map(with);
        let gate = gates.find(|gate| relations * block(gate) <= rows)?;
        shape.layout.foreign = vec![gate];
    }
    if shape.commitment.needs_keccak() {
        let lanes = usage.keccak_rows.div_ceil(rows)..=MAX_LANES;
        let with = |keccak_lanes| with(&shape, |layout| layout.keccak_lanes = keccak_lanes);
        return Some(lanes.map(with).collect());
    }
    if chains.is_empty() {
        return Some(vec![shape]);
    }
    let gates = hashes.into_iter().map(|gate| with(&shape, |layout| layout.sha256 = Some(gate)));
    let best = gates.min_by(|a, b| cost(&a.layout).total_cmp(&cost(&b.layout)));
    Some(best.into_iter().collect())
}

/// What the circuit of an open shape takes.
fn usage(shape: &TranslationShape, counted: &mut Counted) -> Usage {
    let layout = Layout { k: 0, ..shape.layout.clone() };
    let known = counted.iter().find(|(other, _)| *other == layout).map(|(_, usage)| usage.clone());
    known.unwrap_or_else(|| {
        let usage = shape.usage();
        counted.push((layout, usage.clone()));
        usage
    })
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

/// What the commitment, or leaves of whole keys, need: the gate that hashes them.
fn needs(shape: &TranslationShape) -> Needs {
    let poseidon = match shape.commitment.scheme().leaf_format() {
        LeafFormat::Names => shape.commitment.poseidon_width(),
        LeafFormat::Keys(_) => Some(KeyFormat::WIDTH),
    };
    Needs { poseidon, ..Needs::default() }
}

/// The gate of SHA-256 with which a circuit is counted.
const OPEN_SHA256: Sha2Layout = Sha2Layout { bits: 4, lanes: 1 };

/// The shape with one column of everything that it needs.
fn opened(shape: &TranslationShape, degree: u32) -> TranslationShape {
    let widths = poseidon_widths(shape.arity, &needs(shape)).into_iter();
    let poseidon = widths.map(|width| PoseidonLayout { width, columns: 1, lanes: 1 });
    let chains = shape.commitment.sha256_chains(shape.capacity);
    let equations = shape.commitment.equations();
    let is_wide = !equations.is_empty() && degree > WIDE_RANGE_BITS as u32;
    let range_bits = if is_wide { WIDE_RANGE_BITS } else { RANGE_BITS };
    let foreign = (!equations.is_empty()).then(|| limbs::foreign(range_bits, 1, &equations));
    let layout = Layout {
        k: degree,
        vertical_columns: 1,
        range_columns: 1,
        range_bits,
        foreign: foreign.into_iter().collect(),
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

/// Whether the circuit fits its columns. Of gates that take cells in turn the columns are made for the count, which a test
/// compares with circuits; how chains of a hash and blocks of relations are packed is asked of the gates.
fn fits(shape: &TranslationShape) -> bool {
    let Layout { keccak_lanes, sha256, foreign, .. } = &shape.layout;
    let is_packed = *keccak_lanes > 0 || sha256.is_some() || !foreign.is_empty();
    usable_rows(&shape.layout) > 0 && (!is_packed || has_room(shape))
}

/// The same by a circuit that is filled.
pub(crate) fn has_room(shape: &TranslationShape) -> bool {
    let inputs = TranslationInputs::unused(shape);
    record(shape, &inputs, Gates::counting(&shape.layout)).fits()
}
