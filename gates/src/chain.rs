//! Sums of products on halo2-base's vertical gate, in one column with three cells per product.

use std::{iter, sync::OnceLock};

use halo2_base::{
    halo2_proofs::halo2curves::{bn256::Fr, ff::Field},
    AssignedValue, Context, QuantumCell,
};

use super::vertical::watched;

/// A product `a·b`.
pub type Term = (QuantumCell<Fr>, QuantumCell<Fr>);

/// The sum `start + Σ aᵢ·bᵢ`, in `1 + 3n` cells.
#[track_caller]
pub fn sum(ctx: &mut Context<Fr>, start: QuantumCell<Fr>, terms: &[Term]) -> AssignedValue<Fr> {
    chain(ctx, start, terms, None);
    ctx.get(-1)
}

/// Constrains `start + Σ aᵢ·bᵢ = end`, in `1 + 3n` cells; returns the cell of `start`, which may be
/// a witness.
///
/// # Panics
/// If there is no term.
#[track_caller]
pub fn assert_sum(
    ctx: &mut Context<Fr>,
    start: QuantumCell<Fr>,
    terms: &[Term],
    end: QuantumCell<Fr>,
) -> AssignedValue<Fr> {
    assert!(!terms.is_empty(), "a chain has a gate to constrain its end");
    chain(ctx, start, terms, Some(end));
    ctx.get(-1 - 3 * terms.len() as isize)
}

/// `[start, a₁, b₁, s₁, a₂, b₂, s₂, …]` with a gate on each sum.
#[track_caller]
fn chain(
    ctx: &mut Context<Fr>,
    start: QuantumCell<Fr>,
    terms: &[Term],
    end: Option<QuantumCell<Fr>>,
) {
    let mut partial = *start.value();
    let mut cells = vec![start];
    for (a, b) in terms {
        partial += *a.value() * b.value();
        cells.extend([*a, *b, QuantumCell::Witness(partial)]);
    }
    if let (Some(end), Some(last)) = (end, cells.last_mut()) {
        *last = end;
    }
    let gates = (0..terms.len()).map(|i| 3 * i as isize);
    watched(ctx, |ctx| ctx.assign_region(cells, gates));
}

/// How many powers are kept: far more than limbs of any element need.
const KEPT: usize = 512;

/// `2^exponent`.
pub fn power_of_two(exponent: usize) -> Fr {
    static POWERS: OnceLock<Vec<Fr>> = OnceLock::new();
    let make = || iter::successors(Some(Fr::ONE), |power| Some(power.double())).take(KEPT);
    let kept = POWERS.get_or_init(|| make().collect()).get(exponent).copied();
    kept.unwrap_or_else(|| Fr::from(2).pow_vartime([exponent as u64]))
}
