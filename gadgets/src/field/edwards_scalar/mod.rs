//! Scalars of Baby Jubjub in circuit: integers below `l`, batching coefficients, and relations modulo `l`.

mod coefficient;
mod relation;
#[cfg(test)]
mod tests;

pub use coefficient::{values, Coefficient};
pub use relation::{
    assert_negated_sum, assert_product, negated_sum, odd_representative, product, MAX_BATCH,
};

use std::sync::OnceLock;

use halo2_base::{
    halo2_proofs::halo2curves::bn256::Fr,
    utils::{biguint_to_fe, fe_to_biguint, modulus},
    AssignedValue,
    QuantumCell::{self, Constant, Existing, Witness},
};
use num_bigint::BigUint;

use muster_gates::{chain::assert_sum, power_of_two as power, GateContext};
use muster_schemes::curve::edwards::Scalar;

/// Bits of a limb.
const LIMB: usize = 72;
/// Bits of two limbs: the power of two of the second check.
const TWO_LIMBS: usize = 2 * LIMB;

/// Order `l` of the subgroup.
pub fn order() -> &'static BigUint {
    static ORDER: OnceLock<BigUint> = OnceLock::new();
    ORDER.get_or_init(|| {
        let largest = -<Scalar as ff::Field>::ONE;
        BigUint::from_bytes_le(&largest.to_bytes()) + 1u8
    })
}

/// Limbs 0 and 1 of `l`.
fn order_limbs() -> [BigUint; 2] {
    let mask = (BigUint::from(1u8) << LIMB) - 1u8;
    [order() & &mask, (order() >> LIMB) & mask]
}

/// An integer below a modulus, with its two low limbs of 72 bits.
#[derive(Clone, Debug)]
pub struct AssignedCanonical {
    value: AssignedValue<Fr>,
    limbs: [AssignedValue<Fr>; 2],
    integer: BigUint,
}

impl AssignedCanonical {
    /// The canonical integer of a field element.
    ///
    /// Complete except for a share of `2^-109` of the field: the limb above `2^144` must be below
    /// that of `r`, which saves comparing the lower limbs. The values decomposed here are hashes.
    pub fn of_field(ctx: &mut GateContext, value: AssignedValue<Fr>) -> Self {
        Self::below(ctx, Existing(value), &modulus::<Fr>())
    }

    /// A witnessed integer below the order of the subgroup.
    ///
    /// Complete except for a share of `2^-106` of the integers, for the same reason; the values
    /// decomposed here are responses of signatures, which nobody can choose.
    pub fn below_order(ctx: &mut GateContext, value: Fr) -> Self {
        Self::below(ctx, Witness(value), order())
    }

    /// The integer as a cell.
    pub fn value(&self) -> AssignedValue<Fr> {
        self.value
    }

    /// `value = low + 2^72·mid + 2^144·high` with `high < ⌊bound/2^144⌋`: `value < bound` as an
    /// integer.
    fn below(ctx: &mut GateContext, value: QuantumCell<Fr>, bound: &BigUint) -> Self {
        let range = ctx.range;
        assert_eq!(range.rounded(LIMB), LIMB, "a limb is a whole number of lookups");
        let integer = fe_to_biguint(value.value());
        let mask = (BigUint::from(1u8) << LIMB) - 1u8;
        let largest: BigUint = (bound >> TWO_LIMBS) - 1u8;
        let bits = largest.bits() as usize;
        let limbs = [&integer & &mask, (&integer >> LIMB) & &mask]
            .map(|limb| range.check(Witness(biguint_to_fe(&limb)), LIMB));
        let high: Fr = biguint_to_fe(&(&integer >> TWO_LIMBS));
        let high = range.check(Witness(high), bits);
        // Both are below 2^120, so their sum does not wrap: high ≤ largest.
        let largest: Fr = biguint_to_fe(&largest);
        let room = range.check(Witness(largest - high.value()), bits);
        let one = Constant(Fr::one());
        assert_sum(ctx, Existing(room), &[(one, Existing(high))], Constant(largest));
        let terms = [
            (Constant(power(LIMB)), Existing(limbs[1])),
            (Constant(power(TWO_LIMBS)), Existing(high)),
        ];
        let value = match value {
            Existing(value) => {
                assert_sum(ctx, Existing(limbs[0]), &terms, Existing(value));
                value
            }
            _ => muster_gates::chain::sum(ctx, Existing(limbs[0]), &terms),
        };
        Self { value, limbs, integer }
    }
}
