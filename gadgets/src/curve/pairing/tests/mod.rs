//! The native side: points, walks and witnesses.

mod native;

use ff::{Field, PrimeField};
use halo2curves::{bls12_381, bn256, group::Curve};
use num_bigint::BigUint;
use rand::{RngCore, SeedableRng};
use rand_chacha::ChaCha20Rng;

use super::{extension::Extension, group::of_coordinates, witness::RawPair, *};

pub(super) fn rng(seed: u64) -> ChaCha20Rng {
    ChaCha20Rng::seed_from_u64(seed)
}

fn number<F: PrimeField>(element: &F) -> BigUint {
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

fn sign<F: Field>(scalar: F, is_negative: bool) -> F {
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
pub(super) fn of_order_three() -> BasePoint {
    [0u8, 2].map(BigUint::from)
}

/// The sum of that and a point of BLS12-381's group.
pub(crate) fn with_torsion(point: &BasePoint) -> BasePoint {
    let [point, torsion] = [point, &of_order_three()]
        .map(|point| of_coordinates::<bls12_381::G1Affine>(point).expect("on the curve"));
    let sum = (point + torsion).to_affine();
    [number(&sum.x), number(&sum.y)]
}

fn small(rng: &mut ChaCha20Rng) -> u64 {
    u64::from(rng.next_u32() >> 1) + 2
}
