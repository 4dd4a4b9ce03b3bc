//! Scalars split in half by the curve's endomorphism.
//!
//! With x the curve's parameter, φ: (X, Y) ↦ (βX, Y) for a cube root of unity β multiplies points of the
//! subgroup by λ = x² − 1, and the order is λ² + λ + 1 (Gallant, Lambert, Vanstone, CRYPTO 2001).

use std::sync::OnceLock;

use ark_bls12_381::Fq;
use ff::Field;
use group::prime::PrimeCurveAffine;

use super::{lanes::Lane, multiply_g1, Fr, G1Affine};

/// The absolute value of the curve's parameter.
pub(super) const PARAMETER: u64 = 0xd201_0000_0001_0000;
/// Its square; the upper of 128 bits is set.
const SQUARE: u128 = PARAMETER as u128 * PARAMETER as u128;
/// Bits of half a scalar.
pub(super) const HALF_BITS: usize = 128;

/// λ = x² − 1.
pub(super) fn lambda() -> Fr {
    Fr::from(PARAMETER).square() - Fr::ONE
}

/// Quotient and remainder by a digit of 64 bits, in place: most significant digit last.
pub(super) fn divide(digits: &mut [u64; 4]) -> u64 {
    let mut rest = 0u128;
    for digit in digits.iter_mut().rev() {
        let value = rest << 64 | u128::from(*digit);
        *digit = (value / u128::from(PARAMETER)) as u64;
        rest = value % u128::from(PARAMETER);
    }
    rest as u64
}

/// a and b below 2^128 with a + bλ the scalar.
pub(super) fn halves(bytes: &[u8; 32]) -> (u128, u128) {
    let mut digits = [0; 4];
    for (digit, bytes) in digits.iter_mut().zip(bytes.chunks_exact(8)) {
        *digit = bytes.iter().rev().fold(0, |digit, byte| digit << 8 | u64::from(*byte));
    }
    // k = (q x + r₂) x + r₁ = q x² + s, and k is below x⁴, so that q is below x².
    let low = u128::from(divide(&mut digits));
    let rest = low + u128::from(divide(&mut digits)) * u128::from(PARAMETER);
    let quotient = u128::from(digits[1]) << 64 | u128::from(digits[0]);
    // q x² + s = (q + s) + q λ; where q + s reaches x², one λ more on the right makes room.
    let (sum, over) = quotient.overflowing_add(rest);
    let over = u128::from(over | (sum >= SQUARE));
    (sum.wrapping_sub(over * (SQUARE - 1)), quotient + over)
}

/// The cube root of unity that belongs to λ.
pub(super) fn beta() -> Fq {
    static BETA: OnceLock<Fq> = OnceLock::new();
    *BETA.get_or_init(|| {
        // (−1 + √−3) / 2, or its square: the generator tells which.
        let root = ark_ff::Field::sqrt(&-Fq::from(3)).unwrap_or_default();
        let one = (root - Fq::from(1)) / Fq::from(2);
        let generator = G1Affine::generator();
        let multiple = G1Affine::from(multiply_g1(&generator.into(), &lambda()));
        let (point, multiple) = (Lane::from(&generator), Lane::from(&multiple));
        if point.x * one == multiple.x {
            one
        } else {
            one * one
        }
    })
}

/// φ(P) = λP.
pub(super) fn image(point: &Lane<Fq>, beta: &Fq) -> Lane<Fq> {
    Lane { x: point.x * beta, y: point.y }
}
