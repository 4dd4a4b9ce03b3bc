//! The columns of a lane, and how sums share a cell of them.

use halo2_base::halo2_proofs::{
    halo2curves::{bn256::Fr, ff::Field},
    plonk::{Advice, Column, Expression, VirtualCells},
    poly::Rotation,
};

/// Advice columns of a lane: four bits each of `a`, `e` and `w`, a running sum, and beside it words and
/// carries.
pub(crate) const WIDTH: usize = 14;
pub(super) const A: usize = 0;
pub(super) const E: usize = 4;
pub(super) const W: usize = 8;
pub(super) const ACC: usize = 12;
pub(super) const SIDE: usize = 13;
/// Bits of a word in a row.
pub(super) const BITS: usize = 4;

/// What a carry of 1 stands for.
pub(super) const SHIFT: u64 = 1 << 32;

// At most seven words of 32 bits a sum, a constant and a carry of up to 6: far from 60 bits.
const _: () = assert!((7 + 1 + 6) * SHIFT < 1 << 36);
/// Bits of a word as it is range-checked, in whole lookups of 1 to 16 bits: 45 with lookups of 15.
pub(super) const CHECKED: usize = 45;
const _: () = {
    let mut lookup = 1;
    while lookup <= 16 {
        assert!(32usize.div_ceil(lookup) * lookup <= CHECKED);
        lookup += 1;
    }
};

/// Weight of the sum `i` of the four that are kept in one cell, 60 bits apart.
pub(super) fn slot(i: usize) -> Fr {
    Fr::from(2).pow_vartime([60 * i as u64])
}

pub(super) fn constant(value: u64) -> Expression<Fr> {
    Expression::Constant(Fr::from(value))
}

pub(super) fn one() -> Expression<Fr> {
    constant(1)
}

/// A cell `rotation` rows below.
pub(super) fn advice(
    meta: &mut VirtualCells<Fr>,
    lane: &[Column<Advice>; WIDTH],
    column: usize,
    rotation: i32,
) -> Expression<Fr> {
    meta.query_advice(lane[column], Rotation(rotation))
}
