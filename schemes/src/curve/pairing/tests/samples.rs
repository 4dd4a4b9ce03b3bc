//! What the tests of this folder take for their inputs.

// The tests of the schemes and those of the gadgets each take a part of it.
#![allow(dead_code)]

use ff::{Field, PrimeField};
use halo2curves::{
    bls12_381, bn256,
    group::{Curve, Group},
    CurveAffine,
};
use muster_schemes::curve::pairing::{
    extension::Extension,
    group::{of_coordinates, of_twist_coordinates},
    parameters::Twist,
    witness::RawPair,
    *,
};
use muster_schemes::field::ExtensionField;
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use rand::{RngCore, SeedableRng};
use rand_chacha::ChaCha20Rng;

pub(crate) fn rng(seed: u64) -> ChaCha20Rng {
    ChaCha20Rng::seed_from_u64(seed)
}

pub(crate) fn number<F: PrimeField>(element: &F) -> BigUint {
    BigUint::from_bytes_le(element.to_repr().as_ref())
}

/// Multiples of both generators, by small numbers or negative ones.
pub(crate) fn point(curve: PairingCurve, factor: u64, is_negative: bool) -> BasePoint {
    match curve {
        PairingCurve::Bn254 => {
            let factor = sign(bn256::Fr::from(factor), is_negative);
            let point = (bn256::G1Affine::generator() * factor).to_affine();
            [number(&point.x), number(&point.y)]
        }
        PairingCurve::Bls12381 => {
            let factor = sign(bls12_381::Fr::from(factor), is_negative);
            let point = (bls12_381::G1Affine::generator() * factor).to_affine();
            [number(&point.x), number(&point.y)]
        }
    }
}

pub(crate) fn twist_point(curve: PairingCurve, factor: u64) -> TwistPoint {
    match curve {
        PairingCurve::Bn254 => {
            let point = (bn256::G2Affine::generator() * bn256::Fr::from(factor)).to_affine();
            [point.x, point.y].map(|x| [number(&x.c0), number(&x.c1)])
        }
        PairingCurve::Bls12381 => {
            let point =
                (bls12_381::G2Affine::generator() * bls12_381::Fr::from(factor)).to_affine();
            [point.x, point.y].map(|x| [number(&x.c0), number(&x.c1)])
        }
    }
}

pub(crate) fn sign<F: Field>(scalar: F, is_negative: bool) -> F {
    if is_negative {
        -scalar
    } else {
        scalar
    }
}

/// `e(abP, Q)·e(-aP, bQ)`, the first point of the twist fixed.
pub(crate) fn product(curve: PairingCurve, a: u64, b: u64) -> [RawPair; 2] {
    [
        RawPair { p: point(curve, a * b, false), q: twist_point(curve, 1), is_fixed: true },
        RawPair { p: point(curve, a, true), q: twist_point(curve, b), is_fixed: false },
    ]
}

/// A point of the twist that is not in the subgroup: that of the smallest number that is its first coordinate.
pub(crate) fn outside(curve: PairingCurve) -> TwistPoint {
    let parameters = curve.parameters();
    let field = Extension(&parameters.p);
    let [one, u] = [[1u8, 0], [0, 1]].map(|parts| parts.map(BigUint::from));
    let point = |x: u64| {
        let x = [x.into(), BigUint::ZERO];
        let square = field.add(&field.mul(&field.mul(&x, &x), &x), &parameters.twist_b);
        // A root where p is 3 modulo 4 (Adj and Rodríguez-Henríquez, ePrint 2012/685, algorithm 9).
        let power = field.pow(&square, &((&parameters.p - 3u8) / 4u8));
        let half = field.mul(&power, &square);
        let y = if field.mul(&power, &half) == field.negate(&one) {
            field.mul(&u, &half)
        } else {
            let shifted = field.add(&field.mul(&power, &half), &one);
            field.mul(&field.pow(&shifted, &((&parameters.p - 1u8) / 2u8)), &half)
        };
        [x, y]
    };
    let mut points = (1..).map(point);
    points.find(|point| is_on_twist(parameters, point)).expect("every other number is one")
}

/// A point of BLS12-381 of order 3: the tangent at `x = 0` meets the curve there alone.
pub(crate) fn of_order_three() -> BasePoint {
    [0u8, 2].map(BigUint::from)
}

/// The sum of that and a point of BLS12-381's group.
pub(crate) fn with_torsion(point: &BasePoint) -> BasePoint {
    let [point, torsion] = [point, &of_order_three()]
        .map(|point| of_coordinates::<bls12_381::G1Affine>(point).expect("on the curve"));
    let sum = (point + torsion).to_affine();
    [number(&sum.x), number(&sum.y)]
}

/// The smallest prime that divides the cofactor of the twist.
pub(crate) fn smallest_torsion(curve: PairingCurve) -> u64 {
    match curve {
        PairingCurve::Bn254 => 10069,
        PairingCurve::Bls12381 => 13,
    }
}

/// The sum of a point of the twist and one of that order.
pub(crate) fn with_twist_torsion(curve: PairingCurve, point: &TwistPoint) -> TwistPoint {
    match curve {
        PairingCurve::Bn254 => torsion_added::<bn256::G2Affine>(curve, point),
        PairingCurve::Bls12381 => torsion_added::<bls12_381::G2Affine>(curve, point),
    }
}

pub(crate) fn torsion_added<C>(curve: PairingCurve, point: &TwistPoint) -> TwistPoint
where
    C: CurveAffine<Base: ExtensionField>,
{
    let [point, outside] = [point, &outside(curve)]
        .map(|point| of_twist_coordinates::<C>(point).expect("on the twist").to_curve());
    // By doublings and additions, whatever the order of the point.
    let multiple = |point: &C::CurveExt, factor: &BigUint| {
        (0..factor.bits()).rev().fold(C::CurveExt::identity(), |sum, bit| {
            let sum = sum.double();
            if factor.bit(bit) {
                sum + point
            } else {
                sum
            }
        })
    };
    let prime = BigUint::from(smallest_torsion(curve));
    let mut others = twist_order(curve.parameters()).magnitude().clone();
    while &others % &prime == BigUint::ZERO {
        others /= &prime;
    }
    let (mut torsion, mut next) = (C::CurveExt::identity(), multiple(&outside, &others));
    while !bool::from(next.is_identity()) {
        (torsion, next) = (next, multiple(&next, &prime));
    }
    assert!(!bool::from(torsion.is_identity()), "the point outside has a component of that order");
    let sum = (point + torsion).to_affine();
    let coordinates = sum.coordinates().expect("no sum of these is the identity");
    [coordinates.x(), coordinates.y()].map(ExtensionField::coefficients)
}

pub(crate) fn small(rng: &mut ChaCha20Rng) -> u64 {
    u64::from(rng.next_u32() >> 1) + 2
}

/// The trace of the curve: `p + 1 - t` is the order of its points over `Fp`.
pub(crate) fn trace(parameters: &Parameters) -> BigInt {
    let order = match parameters.twist {
        Twist::Divided => BigInt::from(parameters.r.clone()),
        // The cofactor (draft-irtf-cfrg-pairing-friendly-curves, section 4.2.1).
        Twist::Multiplied => {
            let cofactor = BigInt::parse_bytes(b"396c8c005555e1568c00aaab0000aaab", 16);
            cofactor.expect("hexadecimal digits") * BigInt::from(parameters.r.clone())
        }
    };
    BigInt::from(parameters.p.clone()) + 1 - order
}

/// The order of the twist: its points are `r` times the cofactor.
pub(crate) fn twist_order(parameters: &Parameters) -> BigInt {
    let (p, t) = (BigInt::from(parameters.p.clone()), trace(parameters));
    // Of the six twists over Fp² the one with a multiple of r (Hess, Smart and Vercauteren, ePrint 2006/110).
    let t2: BigInt = t.pow(2) - &p * 2;
    let third: BigInt = (p.pow(2) * 4u8 - t2.pow(2)) / BigInt::from(3);
    let f = third.sqrt();
    let three_f: BigInt = f * 3u8;
    let orders =
        [&t2 + &three_f, &t2 - &three_f].map(|twice: BigInt| p.pow(2) + 1u8 - (twice >> 1u8));
    let r = BigInt::from(parameters.r.clone());
    orders.into_iter().find(|order| order.is_multiple_of(&r)).expect("one of them")
}
