//! The order `l` of the subgroup, and limbs of 72 bits.

use std::sync::OnceLock;

use halo2_base::halo2_proofs::halo2curves::{bn256::Fr, ff::Field};
use num_bigint::BigUint;

use muster_schemes::curve::edwards::Scalar;

/// Bits of a limb.
pub(super) const LIMB: usize = 72;
/// Bits of two limbs: the power of two of the second check.
pub(super) const TWO_LIMBS: usize = 2 * LIMB;

/// Order `l` of the subgroup.
pub fn order() -> &'static BigUint {
    static ORDER: OnceLock<BigUint> = OnceLock::new();
    ORDER.get_or_init(|| {
        let largest = -<Scalar as ff::Field>::ONE;
        BigUint::from_bytes_le(&largest.to_bytes()) + 1u8
    })
}

pub(super) fn power(exponent: usize) -> Fr {
    Fr::from(2).pow_vartime([exponent as u64])
}

/// Limbs 0 and 1 of `l`.
pub(super) fn order_limbs() -> [BigUint; 2] {
    let mask = (BigUint::from(1u8) << LIMB) - 1u8;
    [order() & &mask, (order() >> LIMB) & mask]
}
