//! Scalars in quarters by the endomorphism of G2.
//!
//! With p the field's modulus and x the curve's parameter, the map ψ, the p-th power carried over
//! from the untwisted curve, multiplies points of G2 by p = x modulo r (Galbraith, Scott, EUROCRYPT
//! 2009). So |x|ⁱQ = (−ψ)ⁱ(Q), and a scalar is four digits of 64 bits to base |x|.

use std::sync::OnceLock;

use ark_bls12_381::{Fq, Fq2};
use ark_ff::{Field, PrimeField};
use group::prime::PrimeCurveAffine;

use super::{
    endomorphism::{divide, PARAMETER},
    lanes::Lane,
    multiply_g2, Fr, G2Affine,
};

/// Bits of a quarter.
pub(super) const BITS: usize = 64;

/// Factors of both coordinates after conjugation.
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

fn factors() -> &'static Factors {
    static FACTORS: OnceLock<Factors> = OnceLock::new();
    FACTORS.get_or_init(|| {
        // (1 + u)^((p − 1)/3) and (1 + u)^((p − 1)/2), or their inverses: the generator tells
        // which.
        let power = |divisor: u64| {
            let mut exponent = (-Fq::from(1)).into_bigint().0;
            let mut rest = 0u128;
            for digit in exponent.iter_mut().rev() {
                let value = rest << 64 | u128::from(*digit);
                *digit = (value / u128::from(divisor)) as u64;
                rest = value % u128::from(divisor);
            }
            Fq2::new(Fq::from(1), Fq::from(1)).pow(exponent)
        };
        let (x, y) = (power(3), power(2));
        let generator = G2Affine::generator();
        let multiple = multiply_g2(&generator.into(), &-Fr::from(PARAMETER));
        let expected = Lane::from(&G2Affine::from(multiple));
        let one = Factors { x, y };
        if one.apply(&Lane::from(&generator)) == expected {
            one
        } else {
            Factors { x: x.inverse().unwrap_or_default(), y: y.inverse().unwrap_or_default() }
        }
    })
}

/// Q, |x|Q, |x|²Q and |x|³Q.
pub(super) fn images(point: &Lane<Fq2>) -> [Lane<Fq2>; 4] {
    let next = |point: &Lane<Fq2>| {
        let image = factors().apply(point);
        Lane { x: image.x, y: -image.y }
    };
    let second = next(point);
    let third = next(&second);
    [*point, second, third, next(&third)]
}

/// The digits of a scalar, given by its bytes, to base |x|, lowest first.
pub(super) fn quarters(bytes: &[u8; 32]) -> [u64; 4] {
    let mut digits = [0; 4];
    for (digit, bytes) in digits.iter_mut().zip(bytes.chunks_exact(8)) {
        *digit = bytes.iter().rev().fold(0, |digit, byte| digit << 8 | u64::from(*byte));
    }
    // The order is below x⁴: the fourth quotient is zero.
    std::array::from_fn(|_| divide(&mut digits))
}
