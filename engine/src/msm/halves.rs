//! The endomorphism of BN254: `ζ·(x, y) = (ζx, y)`, with a root of unity of order 3 in either field. It makes a scalar of
//! 254 bits two of half the length, and so a product of half the doublings.

use halo2curves::{
    bn256::{Fq, Fr, G1Affine},
    ff::{PrimeField, WithSmallOrderMulGroup},
};

use super::scalars::{limbs, Scalar};

/// For the curve's parameter `x`: `b₁ = 2x + 1` and `b₂ = 6x² + 4x + 1`. `b₁ = −ζ·a₁` and `b₂ = −ζ·a₂` modulo the prime, for
/// integers `aᵢ` of 127 bits or less.
const SHORT: [u128; 2] = [0x89d3256894d213e3, 0x6f4d8248eeb859fd0be4e1541221250b];

/// `⌊2^254·bᵢ/r⌋`, where `r` is the prime.
const QUOTIENTS: [u128; 2] = [0xb64748cbb1f82cf5, 0x9333bc0529dcf4b494e63f40c03fd959];

/// `scalar = first + ζ·second`, two integers of at most 128 bits.
///
/// That holds for any `c₁` and `c₂` in `second = c₂·b₁ − c₁·b₂`, since `first` makes up for it. Both are short because `cᵢ` is
/// `scalar·bᵢ/r` but for less than 3: what is left are less than three of the short integers.
pub(super) fn halves(scalar: &Fr) -> [Scalar; 2] {
    let [_, low, middle, high, _] = limbs(scalar);
    let top = u128::from(high) << 66 | u128::from(middle) << 2 | u128::from(low >> 62);
    let [c1, c2] = QUOTIENTS.map(|quotient| Fr::from_u128(top.carrying_mul(quotient, 0).1));
    let [b1, b2] = SHORT.map(Fr::from_u128);
    let second = c2 * b1 - c1 * b2;
    [Scalar::new(&(scalar - second * Fr::ZETA)), Scalar::new(&second)]
}

/// `ζ·point`.
pub(super) fn rotated(point: &G1Affine) -> G1Affine {
    G1Affine { x: point.x * Fq::ZETA, y: point.y }
}
