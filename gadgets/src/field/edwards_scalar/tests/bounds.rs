//! The inequalities behind each relation, with numbers.

use super::*;

/// The bounds of [`assert_product`]. `D = g·z·c - t - q·l` must be below `r·2^144` in absolute value, and the
/// low limbs with the carry below `r`. A range check rounds up to whole limbs of 8, 9 or 12 bits.
#[test]
fn bounds_of_a_product() {
    let (limb, two) = (power_of_two(LIMB), power_of_two(TWO_LIMBS));
    let g = BigInt::from(8);
    let z = power_of_two(128);
    let t = power_of_two(252);
    let q = &two + power_of_two(PRODUCT_OFFSET);
    let d = &g * &z * r() + &t + &q * l();
    assert!(d < r() * &two, "D vanishes if it does modulo r and modulo 2^144");
    // Low limbs: |z₀| < 2^72, |z₁| < 2^56, limbs of c below 2^72, |t - 2^144·high| < 2^144.
    let z1 = power_of_two(128 - LIMB);
    let first = &limb * &limb;
    let second = &limb * &limb + &z1 * &limb;
    let [l0, l1] = order_limbs().map(BigInt::from);
    let quotient = &limb * (&l0 + &limb * &l1) + &limb * &l0 * &limb;
    let start = power_of_two(PRODUCT_OFFSET) * &l0;
    let sum = &g * (first + second * &limb) + &two + quotient + start;
    assert!(sum < power_of_two(221));
    for bits in [8, 9, 12] {
        let rounded = (PRODUCT_CARRY + 4).div_ceil(bits) * bits;
        assert!(rounded <= PRODUCT_CARRY + 11);
        let carry = power_of_two(rounded) + power_of_two(PRODUCT_CARRY);
        assert!(&sum + carry * &two < r(), "nothing wraps with limbs of {bits} bits");
    }
    // Complete: quotient and carry of honest values are in range.
    assert!((&g * &z * r() + &t) / l() < power_of_two(PRODUCT_OFFSET));
    assert!((sum >> TWO_LIMBS) + 1 < power_of_two(PRODUCT_CARRY));
}

/// The bounds of [`assert_negated_sum`] for a batch of [`MAX_BATCH`].
#[test]
fn bounds_of_a_batch() {
    let (limb, two) = (power_of_two(LIMB), power_of_two(TWO_LIMBS));
    let count = BigInt::from(MAX_BATCH);
    let t = power_of_two(252);
    let terms = &count * power_of_two(128) * l();
    let q = &two + power_of_two(BATCH_OFFSET);
    assert!(&terms + &t + &q * l() < r() * &two);
    let z1 = power_of_two(128 - LIMB);
    let second = &limb * &limb + &z1 * &limb;
    let [l0, l1] = order_limbs().map(BigInt::from);
    let quotient = &limb * (&l0 + &limb * &l1) + &limb * &l0 * &limb;
    let start = power_of_two(BATCH_OFFSET) * &l0;
    let sum = &count * (&limb * &limb + second * &limb) + &two + quotient + start;
    assert!(sum < power_of_two(232));
    for bits in [8, 9, 12] {
        let rounded = (BATCH_CARRY + 4).div_ceil(bits) * bits;
        assert!(rounded <= BATCH_CARRY + 11);
        let carry = power_of_two(rounded) + power_of_two(BATCH_CARRY);
        assert!(&sum + carry * &two < r(), "nothing wraps with limbs of {bits} bits");
    }
    assert!((terms + t) / l() < power_of_two(BATCH_OFFSET));
    assert!((sum >> TWO_LIMBS) + 1 < power_of_two(BATCH_CARRY));
}

/// The bounds of a canonical decomposition and of a squeezed pair.
#[test]
fn bounds_of_decompositions() {
    for bound in [r(), l()] {
        let largest: BigInt = (&bound >> TWO_LIMBS) - 1;
        for bits in [8, 9, 12] {
            let rounded = (largest.bits() as usize).div_ceil(bits) * bits;
            assert!(rounded <= 120 && power_of_two(rounded) * 2 < r());
        }
        assert!((largest + 1) * power_of_two(TWO_LIMBS) <= bound);
    }
    let largest: BigInt = (r() >> 128usize) - 1;
    let bits = largest.bits() as usize;
    for limb in [8, 9, 12] {
        assert!(power_of_two(bits.div_ceil(limb) * limb + 1) + power_of_two(129) < r());
    }
    assert!((largest + 1) * power_of_two(128) <= r());
}
