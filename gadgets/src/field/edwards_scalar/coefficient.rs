//! Batching coefficients: odd integers of 128 bits, squeezed in pairs from one field element.

use halo2_base::{
    halo2_proofs::halo2curves::bn256::Fr,
    utils::{bigint_to_fe, biguint_to_fe, fe_to_biguint, modulus},
    AssignedValue, Context,
    QuantumCell::{self, Constant, Existing, Witness},
};
use num_bigint::{BigInt, BigUint};

use super::{power, LIMB};
use crate::gate::{
    chain::{assert_sum, sum},
    edwards::AssignedShort,
    Chips,
};

/// Bits of one half of a squeezed element.
const HALF: usize = 128;

/// An integer `low + 2^72·high` with `|low| < 2^72` and `|high| < 2^56`.
#[derive(Clone, Debug)]
pub struct Coefficient {
    pub(super) value: QuantumCell<Fr>,
    pub(super) low: QuantumCell<Fr>,
    pub(super) high: QuantumCell<Fr>,
    pub(super) integer: BigInt,
}

/// The halves of a squeezed element, the high one first, as
/// [`ShortScalar`](crate::gate::edwards::ShortScalar) takes them.
pub fn split(squeezed: Fr) -> [u128; 2] {
    let digits = fe_to_biguint(&squeezed).to_u64_digits();
    let digit = |i: usize| u128::from(digits.get(i).copied().unwrap_or(0));
    [digit(3) << 64 | digit(2), digit(1) << 64 | digit(0)]
}

impl Coefficient {
    /// The integer 1.
    pub fn one() -> Self {
        let [one, zero] = [1, 0].map(|c| Constant(Fr::from(c)));
        Self { value: one, low: one, high: zero, integer: 1.into() }
    }

    /// The scalar of a short term as an integer: `2·v - (2^128 - 1)`.
    pub fn witness(v: u128) -> BigInt {
        (BigInt::from(v) << 1usize) - (BigInt::from(1) << HALF) + 1
    }

    /// The scalars of a pair of short terms, bound to be the halves of `squeezed`.
    ///
    /// With `zᵢ = 2·vᵢ - (2^128 - 1)` and `0 ≤ vᵢ < 2^128`, both from the digits, constrains
    /// `squeezed = 2^128·v₀ + v₁` and `v₀ < ⌊r/2^128⌋`, so the halves are those of the canonical
    /// integer. The first coefficient has 125.6 bits of entropy, the second 128. Complete but for a
    /// share of `2^-125` of the field.
    pub fn pair(
        ctx: &mut Context<Fr>,
        chips: &Chips,
        squeezed: AssignedValue<Fr>,
        short: &[AssignedShort; 2],
    ) -> [Self; 2] {
        let halves = split(*squeezed.value());
        let pair = [0, 1].map(|i| Self::from_digits(ctx, &short[i], halves[i]));
        let [first, second] = [pair[0].value, pair[1].value];
        // 2^128·z₀ + z₁ = 2·squeezed - (2^256 - 1).
        let both = sum(ctx, second, &[(Constant(power(HALF)), first)]);
        let offset = Fr::one() - power(2 * HALF);
        let two = Constant(Fr::from(2));
        assert_sum(ctx, Constant(offset), &[(two, Existing(squeezed))], Existing(both));
        // z₀ + 2·room = 2·largest - (2^128 - 1) with 0 ≤ room < 2^132: v₀ = largest - room.
        let largest: BigUint = (modulus::<Fr>() >> HALF) - 1u8;
        let bits = largest.bits() as usize;
        let room: Fr = biguint_to_fe::<Fr>(&largest) - <Fr as ff::PrimeField>::from_u128(halves[0]);
        let room = chips.range.check(Witness(room), bits);
        let end: Fr = biguint_to_fe::<Fr>(&largest).double() + Fr::one() - power(HALF);
        assert_sum(ctx, first, &[(two, Existing(room))], Constant(end));
        pair
    }

    /// `z`, and its parts below and from `2^72` up, as differences of the running sum.
    fn from_digits(ctx: &mut Context<Fr>, cells: &AssignedShort, v: u128) -> Self {
        let integer = Self::witness(v);
        let mut difference = |end: AssignedValue<Fr>, shift: usize, start: AssignedValue<Fr>| {
            let scale = power(shift);
            let value = *end.value() - scale * start.value();
            let terms = [(Constant(scale), Existing(start))];
            Existing(assert_sum(ctx, Witness(value), &terms, Existing(end)))
        };
        let value = difference(cells.end, HALF, cells.start);
        debug_assert_eq!(*value.value(), bigint_to_fe::<Fr>(&integer));
        Self {
            value,
            low: difference(cells.end, LIMB, cells.high),
            high: difference(cells.high, HALF - LIMB, cells.start),
            integer,
        }
    }
}
