//! The endomorphism of BN254: `ζ·(x, y) = (ζx, y)`, with a root of unity of order 3 in either field. It splits a scalar
//! of 254 bits into two of half the length, so that a product takes half the doublings.

use halo2curves::{
    bn256::{Fq, Fr, G1Affine},
    ff::WithSmallOrderMulGroup,
};

use super::scalars::{limbs, Scalar};

/// `b₁` and `b₂` of two short pairs with `aᵢ + ζ·bᵢ = 0` modulo the prime `r`. For the curve's parameter `x`, the pairs
/// are `(−6x² − 2x, 2x + 1)` and `(2x + 1, 6x² + 4x + 1)`.
const SHORT: [u128; 2] = [0x89d3256894d213e3, 0x6f4d8248eeb859fd0be4e1541221250b];

/// `⌊2^254·bᵢ/r⌋`.
const QUOTIENTS: [u128; 2] = [0xb64748cbb1f82cf5, 0x9333bc0529dcf4b494e63f40c03fd959];

/// `scalar = first + ζ·second`, two integers of at most 128 bits.
///
/// That holds for any `c₁` and `c₂` in `second = c₂·b₁ − c₁·b₂`, since `first = scalar + c₂·a₁ − c₁·a₂` makes up for it. With
/// `cᵢ = scalar·bᵢ/r` nothing would be left of either. What is left is what `cᵢ` falls short of that, less than 2, times the
/// short pairs: less than `2·b₂` of both, which is less than `2^128`.
pub(super) fn halves(scalar: &Fr) -> [Scalar; 2] {
    let [_, low, middle, high] = limbs(scalar);
    let top = u128::from(high) << 66 | u128::from(middle) << 2 | u128::from(low >> 62);
    let [c1, c2] = QUOTIENTS.map(|quotient| element(top.carrying_mul(quotient, 0).1));
    let [b1, b2] = SHORT.map(element);
    let second = c2 * b1 - c1 * b2;
    [Scalar::new(&(scalar - second * Fr::ZETA)), Scalar::new(&second)]
}

/// Takes one product, where `Fr::from_u128` takes one for each bit.
const fn element(integer: u128) -> Fr {
    Fr::from_raw([integer as u64, (integer >> 64) as u64, 0, 0])
}

/// `ζ·point`.
pub(super) fn rotated(point: &G1Affine) -> G1Affine {
    G1Affine { x: point.x * Fq::ZETA, y: point.y }
}
