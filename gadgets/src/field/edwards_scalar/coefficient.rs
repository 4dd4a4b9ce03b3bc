//! Batching coefficients: odd integers of 128 bits, squeezed in pairs from one field element.

use halo2_base::{
    halo2_proofs::halo2curves::{bn256::Fr, ff::PrimeField},
    utils::{biguint_to_fe, modulus},
    AssignedValue, Context,
    QuantumCell::{self, Constant, Existing, Witness},
};
use num_bigint::{BigInt, BigUint};

use super::{power, LIMB};
use muster_gates::{
    chain::{assert_sum, sum},
    edwards::{AssignedShort, BoundScalar},
    GateContext,
};
use muster_schemes::curve::edwards::halves;

/// Bits of one half of a squeezed element.
const HALF: usize = 128;

/// An integer `low + 2^72·high` with `|low| < 2^72` and `|high| < 2^56`.
#[derive(Clone, Debug)]
pub struct Coefficient {
    pub(super) value: QuantumCell<Fr>,
    pub(super) low: QuantumCell<Fr>,
    pub(super) high: QuantumCell<Fr>,
    pub(super) integer: BigInt,
    /// The scalar of a product that it binds.
    pub(super) scalar: Option<BoundScalar>,
}

impl Coefficient {
    /// The scalar of a short term as an integer: `2·v - (2^128 - 1)`.
    pub fn witness(v: u128) -> BigInt {
        (BigInt::from(v) << 1usize) - (BigInt::from(1) << HALF) + 1
    }

    /// The scalars of a pair of short terms, bound to the halves of `squeezed` as in [`values`],
    /// with their limbs.
    pub fn pair(
        ctx: &mut GateContext,
        squeezed: AssignedValue<Fr>,
        short: &[AssignedShort; 2],
    ) -> [Self; 2] {
        let (values, _) = values(ctx, squeezed, short);
        let halves = halves(squeezed.value());
        [0, 1].map(|i| Self::from_digits(ctx, &short[i], values[i], halves[i]))
    }

    /// Evidence that the scalar of the short term is bound, if the coefficient belongs to one.
    pub fn bound(&self) -> Option<BoundScalar> {
        self.scalar
    }

    /// The parts of `value` below and from `2^72` up, as differences of the running sum.
    fn from_digits(
        ctx: &mut Context<Fr>,
        cells: &AssignedShort,
        value: AssignedValue<Fr>,
        v: u128,
    ) -> Self {
        Self {
            value: Existing(value),
            low: Existing(difference(ctx, cells.end, LIMB, cells.high)),
            high: Existing(difference(ctx, cells.high, HALF - LIMB, cells.start)),
            integer: Self::witness(v),
            scalar: Some(cells.assume_bound()),
        }
    }
}

/// The values of a pair of short terms, bound to the halves of `squeezed`, with the evidence.
///
/// With `zᵢ = 2·vᵢ - (2^128 - 1)` and `0 ≤ vᵢ < 2^128`, both from the digits, constrains
/// `squeezed = 2^128·v₀ + v₁` and `v₀ < ⌊r/2^128⌋`, so the halves are those of the canonical
/// integer. The first coefficient has 125.6 bits of entropy, the second 128. Complete except for a
/// share of `2^-125` of the field.
pub fn values(
    ctx: &mut GateContext,
    squeezed: AssignedValue<Fr>,
    short: &[AssignedShort; 2],
) -> ([AssignedValue<Fr>; 2], [BoundScalar; 2]) {
    let values = short.each_ref().map(|cells| difference(ctx, cells.end, HALF, cells.start));
    let [first, second] = values.map(Existing);
    // 2^128·z₀ + z₁ = 2·squeezed - (2^256 - 1).
    let both = sum(ctx, second, &[(Constant(power(HALF)), first)]);
    let offset = Fr::one() - power(2 * HALF);
    let two = Constant(Fr::from(2));
    assert_sum(ctx, Constant(offset), &[(two, Existing(squeezed))], Existing(both));
    // z₀ + 2·room = 2·largest - (2^128 - 1) with 0 ≤ room < 2^132: v₀ = largest - room.
    let largest: BigUint = (modulus::<Fr>() >> HALF) - 1u8;
    let bits = largest.bits() as usize;
    let [high, _] = halves(squeezed.value());
    let room: Fr = biguint_to_fe::<Fr>(&largest) - Fr::from_u128(high);
    let room = ctx.range.check(Witness(room), bits);
    let end: Fr = biguint_to_fe::<Fr>(&largest).double() + Fr::one() - power(HALF);
    assert_sum(ctx, first, &[(two, Existing(room))], Constant(end));
    (values, short.each_ref().map(AssignedShort::assume_bound))
}

/// `end - 2^shift·start`.
fn difference(
    ctx: &mut Context<Fr>,
    end: AssignedValue<Fr>,
    shift: usize,
    start: AssignedValue<Fr>,
) -> AssignedValue<Fr> {
    let scale = power(shift);
    let value = *end.value() - scale * start.value();
    assert_sum(ctx, Witness(value), &[(Constant(scale), Existing(start))], Existing(end))
}
