//! Scalars in halves by the endomorphism of G1, and in quarters by that of G2.
//!
//! With x the curve's parameter, φ: (X, Y) ↦ (βX, Y) for a cube root of unity β multiplies points of the
//! subgroup by λ = x² − 1, and the order is λ² + λ + 1 (Gallant, Lambert, Vanstone, CRYPTO 2001).
//!
//! With p the field's modulus, the map ψ, the p-th power carried over from the untwisted curve,
//! multiplies points of G2 by p = x modulo r (Galbraith, Scott, EUROCRYPT 2009). So |x|ⁱQ = (−ψ)ⁱ(Q),
//! and a scalar is four digits of 64 bits to base |x|.

use std::sync::LazyLock;

use ark_bls12_381::{Fq, Fq2};
use ark_ff::{Field as _, PrimeField as _};
use ff::Field as _;
use group::prime::PrimeCurveAffine;

use super::{
    lanes::Lane,
    multiply_g1, multiply_g2,
    points::{divide, words},
    Fr, G1Affine, G2Affine,
};

/// The absolute value of the curve's parameter.
const PARAMETER: u64 = 0xd201_0000_0001_0000;
/// Its square; the upper of 128 bits is set.
const SQUARE: u128 = PARAMETER as u128 * PARAMETER as u128;
/// Bits of half a scalar.
pub(super) const HALF_BITS: usize = 128;
/// Bits of a quarter.
pub(super) const QUARTER_BITS: usize = 64;

/// λ = x² − 1.
pub(super) fn lambda() -> Fr {
    Fr::from(PARAMETER).square() - Fr::ONE
}

/// a and b below 2^128 with a + bλ the scalar.
pub(super) fn halves(bytes: &[u8; 32]) -> (u128, u128) {
    let mut digits = words(bytes);
    // k = (q x + r₂) x + r₁ = q x² + s, and k is below x⁴, so that q is below x².
    let low = u128::from(divide(&mut digits, PARAMETER));
    let rest = low + u128::from(divide(&mut digits, PARAMETER)) * u128::from(PARAMETER);
    let quotient = u128::from(digits[1]) << 64 | u128::from(digits[0]);
    // q x² + s = (q + s) + q λ; where q + s reaches x², one λ more on the right makes room.
    let (sum, over) = quotient.overflowing_add(rest);
    let over = u128::from(over | (sum >= SQUARE));
    (sum.wrapping_sub(over * (SQUARE - 1)), quotient + over)
}

/// The cube root of unity that belongs to λ.
static BETA: LazyLock<Fq> = LazyLock::new(|| {
    // (−1 + √−3) / 2, or its square: the generator tells which.
    let root = (-Fq::from(3)).sqrt().unwrap_or_default();
    let one = (root - Fq::from(1)) / Fq::from(2);
    let generator = G1Affine::generator();
    let multiple = G1Affine::from(multiply_g1(&generator.into(), &lambda()));
    let (point, multiple) = (Lane::from(&generator), Lane::from(&multiple));
    if point.x * one == multiple.x {
        one
    } else {
        one * one
    }
});

/// φ(P) = λP.
pub(super) fn image(point: &Lane<Fq>) -> Lane<Fq> {
    Lane { x: point.x * *BETA, y: point.y }
}

/// Factors of both coordinates of ψ after conjugation.
struct Factors {
    x: Fq2,
    y: Fq2,
}

impl Factors {
    fn apply(&self, point: &Lane<Fq2>) -> Lane<Fq2> {
        let conjugate = |value: &Fq2| Fq2::new(value.c0, -value.c1);
        Lane { x: conjugate(&point.x) * self.x, y: conjugate(&point.y) * self.y }
    }
}

static FACTORS: LazyLock<Factors> = LazyLock::new(|| {
    // (1 + u)^((p − 1)/3) and (1 + u)^((p − 1)/2), or their inverses: the generator tells which.
    let power = |divisor: u64| {
        let mut exponent = (-Fq::from(1)).into_bigint().0;
        divide(&mut exponent, divisor);
        Fq2::new(Fq::from(1), Fq::from(1)).pow(exponent)
    };
    let (x, y) = (power(3), power(2));
    let generator = G2Affine::generator();
    let multiple = multiply_g2(&generator.into(), &-Fr::from(PARAMETER));
    let one = Factors { x, y };
    if one.apply(&Lane::from(&generator)) == Lane::from(&G2Affine::from(multiple)) {
        one
    } else {
        Factors { x: x.inverse().unwrap_or_default(), y: y.inverse().unwrap_or_default() }
    }
});

/// Q, |x|Q, |x|²Q and |x|³Q.
pub(super) fn images(point: &Lane<Fq2>) -> [Lane<Fq2>; 4] {
    let next = |point: &Lane<Fq2>| FACTORS.apply(point).negated();
    let second = next(point);
    let third = next(&second);
    [*point, second, third, next(&third)]
}

/// The digits of a scalar, given by its bytes, to base |x|, lowest first.
pub(super) fn quarters(bytes: &[u8; 32]) -> [u64; 4] {
    let mut digits = words(bytes);
    // The order is below x⁴: the fourth quotient is zero.
    std::array::from_fn(|_| divide(&mut digits, PARAMETER))
}
