//! Powers of two, by which limbs and digits are weighed in every sum of a circuit.

use std::{iter, sync::OnceLock};

use halo2_base::halo2_proofs::halo2curves::{bn256::Fr, ff::Field};

/// How many powers are kept: far more than limbs of any element need.
const KEPT: usize = 512;

/// `2^exponent`.
pub fn power_of_two(exponent: usize) -> Fr {
    static POWERS: OnceLock<Vec<Fr>> = OnceLock::new();
    let make = || iter::successors(Some(Fr::ONE), |power| Some(power.double())).take(KEPT);
    let kept = POWERS.get_or_init(|| make().collect()).get(exponent).copied();
    kept.unwrap_or_else(|| Fr::from(2).pow_vartime([exponent as u64]))
}
