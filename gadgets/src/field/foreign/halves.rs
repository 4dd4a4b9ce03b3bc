//! Elements of up to 256 bits as two halves of 128 bits.

use halo2_base::{
    halo2_proofs::halo2curves::bn256::Fr,
    utils::{biguint_to_fe, fe_to_biguint},
    AssignedValue, Context,
    QuantumCell::{self, Constant, Existing, Witness},
};
use num_bigint::BigUint;
use num_traits::One;

use muster_gates::{chain, foreign::AssignedLimbs, power_of_two, GateContext};
use muster_schemes::field::foreign::LimbShape;

/// Bits of the low half.
pub const HALF_BITS: usize = 128;

/// The high and the low half of an element's number, both below `2^128`.
///
/// # Panics
/// If an element has more than 256 bits, or a limb more than 128.
pub fn halves(ctx: &mut GateContext, element: &AssignedLimbs) -> [AssignedValue<Fr>; 2] {
    let b = element.shape().limb_bits;
    let middle = fe_to_biguint(element.limbs()[HALF_BITS / b].value());
    let mask = (BigUint::one() << (HALF_BITS % b)) - 1u8;
    halves_of_hint(ctx, element, [&middle & mask, middle >> (HALF_BITS % b)])
}

/// The same with hints of the lower and the upper part of the limb that lies in both halves.
pub(super) fn halves_of_hint(
    ctx: &mut GateContext,
    element: &AssignedLimbs,
    parts: [BigUint; 2],
) -> [AssignedValue<Fr>; 2] {
    let (LimbShape { element_bits, limb_bits: b }, limbs) = (element.shape(), element.limbs());
    assert!(element_bits <= 2 * HALF_BITS, "an element has two halves");
    assert!(b <= HALF_BITS, "the low half has a limb of its own");
    let (middle, low_bits) = (HALF_BITS / b, HALF_BITS % b);
    let scaled = |limb: usize, bits: usize| (Existing(limbs[limb]), Constant(power(bits)));
    let mut low: Vec<_> = (1..middle).map(|limb| scaled(limb, b * limb)).collect();
    let high: Vec<_> =
        (middle + 1..limbs.len()).map(|limb| scaled(limb, b * limb - HALF_BITS)).collect();
    let first = if low_bits == 0 {
        limbs[middle]
    } else {
        let (below, above) = split(ctx, limbs[middle], (low_bits, b), parts);
        low.push((Existing(below), Constant(power(b * middle))));
        above
    };
    let high = sum(ctx, first, &high);
    [high, sum(ctx, limbs[0], &low)]
}

#[track_caller]
fn sum(
    ctx: &mut Context<Fr>,
    first: AssignedValue<Fr>,
    terms: &[chain::Term],
) -> AssignedValue<Fr> {
    if terms.is_empty() {
        first
    } else {
        chain::sum(ctx, Existing(first), terms)
    }
}

/// The lower `bits` bits of a cell below `2^width`, and the others, from hints of both.
fn split(
    ctx: &mut GateContext,
    cell: AssignedValue<Fr>,
    (bits, width): (usize, usize),
    parts: [BigUint; 2],
) -> (AssignedValue<Fr>, AssignedValue<Fr>) {
    let [low, high] = parts.map(|part| Witness(biguint_to_fe(&part)));
    let below = below(ctx, low, bits);
    let above = ctx.range.check(high, width - bits);
    let shifted = [(Constant(power(bits)), Existing(above))];
    chain::assert_sum(ctx, Existing(below), &shifted, Existing(cell));
    (below, above)
}

/// A cell below exactly `2^bits`: since checks cover whole lookups, its multiple that fills the
/// last lookup is checked too.
#[track_caller]
pub fn below(ctx: &mut GateContext, cell: QuantumCell<Fr>, bits: usize) -> AssignedValue<Fr> {
    let checked = ctx.range.check(cell, bits);
    assert_fills_no_lookup(ctx, checked, bits);
    checked
}

/// Shows that a cell that is below `2^bits` in whole lookups is so exactly.
fn assert_fills_no_lookup(ctx: &mut GateContext, checked: AssignedValue<Fr>, bits: usize) {
    let spare = ctx.range.rounded(bits) - bits;
    if spare > 0 {
        let factor = Constant(power(spare));
        let multiple = chain::sum(ctx, Constant(Fr::zero()), &[(factor, Existing(checked))]);
        ctx.range.check(Existing(multiple), bits);
    }
}

/// `2^bits`
pub(crate) fn power(bits: usize) -> Fr {
    power_of_two(bits)
}
