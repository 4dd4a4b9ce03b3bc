//! Scalars of Baby Jubjub in circuit: integers below `l`, batching coefficients, and relations modulo `l`.

mod canonical;
mod coefficient;
mod relation;
#[cfg(test)]
mod tests;

pub use canonical::AssignedCanonical;
pub use coefficient::{values, Coefficient};
pub use relation::{
    assert_negated_sum, assert_product, negated_sum, odd_representative, product, MAX_BATCH,
};

use std::sync::OnceLock;

use num_bigint::BigUint;

use muster_gates::power_of_two as power;
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
