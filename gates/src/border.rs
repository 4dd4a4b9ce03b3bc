//! What gates pass to halo2, so that a test can drop it: polynomials, lookups and fixed cells.
//!
//! Without debug assertions each function is the method of halo2 that it is named after.

use halo2_base::halo2_proofs::{
    circuit::Region,
    halo2curves::bn256::Fr,
    plonk::{Column, ConstraintSystem, Expression, Fixed, VirtualCells},
};

#[cfg(debug_assertions)]
use super::place::credit;
use super::place::Place;

/// A polynomial and its name.
pub(super) type Constraint = (&'static str, Expression<Fr>);
/// An expression, and the one that it is looked up in.
pub(super) type Lookup = (Expression<Fr>, Expression<Fr>);

/// Adds a gate. Among constraints that share a name, the index says which one is dropped.
#[track_caller]
pub(super) fn create_gate(
    meta: &mut ConstraintSystem<Fr>,
    gate: &str,
    constraints: impl FnOnce(&mut VirtualCells<Fr>) -> Vec<Constraint>,
) {
    let place = Place::all();
    meta.create_gate(gate, |meta| {
        let mut constraints = constraints(meta);
        let names: Vec<_> = constraints.iter().map(|(name, _)| *name).collect();
        for (i, (name, polynomial)) in constraints.iter_mut().enumerate() {
            let part = names[..i].iter().filter(|other| *other == name).count();
            if !place.keeps(name, part) {
                *polynomial = Expression::Constant(Fr::zero());
            }
            #[cfg(debug_assertions)]
            credit::constraint(gate, i, place.key(name, part));
        }
        constraints
    });
}

/// Adds a lookup argument. Each part of the tuple can be dropped; the index after the last part drops the whole lookup.
#[track_caller]
pub(super) fn lookup_any(
    meta: &mut ConstraintSystem<Fr>,
    name: &'static str,
    tuple: impl FnOnce(&mut VirtualCells<Fr>) -> Vec<Lookup>,
) {
    let place = Place::all();
    meta.lookup_any(name, |meta| {
        let tuple = tuple(meta);
        let trivial = (tuple[0].1.clone(), tuple[0].1.clone());
        let is_all = tuple.len() > 1 && !place.keeps(name, tuple.len());
        let kept = tuple.into_iter().enumerate();
        let kept = kept.filter(|(part, _)| place.keeps(name, *part)).map(|(_, lookup)| lookup);
        let kept: Vec<_> = kept.collect();
        if is_all || kept.is_empty() {
            vec![trivial]
        } else {
            kept
        }
    });
}

/// Writes a fixed cell, unless `place` drops those of this name and value. A 0 cannot be dropped: an unwritten cell
/// holds 0 anyway.
pub(super) fn assign_fixed(
    place: Place,
    region: &mut Region<Fr>,
    (column, name): (Column<Fixed>, &'static str),
    row: usize,
    value: Fr,
) {
    // Each value below 8 is dropped by itself; all others are dropped together.
    let values = (0..8).map(Fr::from);
    let part = values.into_iter().position(|small| small == value).unwrap_or(8);
    if part == 0 || place.keeps(name, part) {
        region.assign_fixed(column, row, value);
        #[cfg(debug_assertions)]
        credit::fixed((column.index(), row), place.key(name, part));
    }
}

/// The limb `z - f·z'` of a running sum whose factor `f` is 0 or a power of 2, at most `2^bits`. Where a test drops the
/// check, its factor is -1, and the limb is 0 whatever `z` is.
pub(super) fn limb(
    (z, z_next): (Expression<Fr>, Expression<Fr>),
    factor: Expression<Fr>,
    bits: usize,
) -> Expression<Fr> {
    let limb = z - factor.clone() * z_next;
    if !Place::drops_ranges() {
        return limb;
    }
    // 1 if the factor is -1, and 0 otherwise.
    let dropped = (1..=bits).fold(factor.clone() * -Fr::one(), |dropped, step| {
        let full = Fr::from(1 << step);
        let inverse = (full + Fr::one()).invert().expect("2^b + 1 is not 0");
        dropped * (Expression::Constant(full) - factor.clone()) * inverse
    });
    limb * (Expression::Constant(Fr::one()) - dropped)
}
