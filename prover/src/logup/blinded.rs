//! Polynomials with random multiples of `Xⁿ − 1`, and numbers on both sides of the border to the verifier.

use halo2_base::halo2_proofs::halo2curves::{
    bn256::{Fq, Fr, G1Affine},
    ff::{Field, PrimeField},
    group::prime::PrimeCurveAffine,
    CurveAffine,
};
use muster_verifier::{scalar_from_bytes, scalar_to_bytes, Scalar};

use crate::polynomial::Numbers;

/// How many coefficients of the multiple of `Xⁿ − 1` are random.
pub(super) const BLINDERS: usize = 4;

/// A polynomial `f + b·(Xⁿ − 1)`: the values of a column or the coefficients of `f`, and those of `b`, of which there are [`BLINDERS`] or
/// none.
#[derive(Clone, Debug)]
pub(super) struct Blinded {
    pub(super) numbers: Numbers,
    pub(super) blinders: Numbers,
}

impl Blinded {
    /// A column that hides by its own rows, or hides nothing.
    pub(super) fn plain(numbers: Numbers) -> Self {
        Self { numbers, blinders: vec![] }
    }
}

/// A number, big-endian.
pub(crate) fn to_bytes(number: &Fr) -> [u8; 32] {
    let mut bytes = number.to_repr();
    bytes.reverse();
    bytes
}

/// The verifier's number.
pub(crate) fn scalar(number: &Fr) -> Scalar {
    scalar_from_bytes(&to_bytes(number)).expect("a number of the same field")
}

/// The prover's number.
pub(crate) fn number(scalar: &Scalar) -> Fr {
    let mut bytes = scalar_to_bytes(scalar);
    bytes.reverse();
    Fr::from_repr(bytes).expect("a number of the same field")
}

/// A point as keys have it: both coordinates, big-endian. The identity is all zeros.
pub(crate) fn point_bytes(point: &G1Affine) -> [u8; 64] {
    let mut bytes = [0; 64];
    if let Some(coordinates) = point.coordinates().into_option() {
        for (half, coordinate) in bytes.chunks_mut(32).zip([coordinates.x(), coordinates.y()]) {
            half.copy_from_slice(&coordinate.to_repr());
            half.reverse();
        }
    }
    bytes
}

/// A point as proofs have it: its `x`, big-endian, and in the highest bit whether `y` is odd.
///
/// # Panics
///
/// If it is the identity: what hides columns makes it as unlikely as guessing τ.
pub(super) fn compressed(point: &G1Affine) -> [u8; 32] {
    let coordinates = point.coordinates().into_option().expect("commitments are hidden");
    let mut bytes = coordinates.x().to_repr();
    bytes.reverse();
    bytes[0] |= u8::from(bool::from(coordinates.y().is_odd())) << 7;
    bytes
}

/// The point with these bytes, if there is one. The identity is all zeros.
pub(crate) fn point(bytes: &[u8; 64]) -> Option<G1Affine> {
    if *bytes == [0; 64] {
        return Some(G1Affine::identity());
    }
    let coordinate = |half: &[u8]| {
        let mut repr = <Fq as PrimeField>::Repr::default();
        repr.as_mut().copy_from_slice(half);
        repr.as_mut().reverse();
        Fq::from_repr(repr).into_option()
    };
    let (x, y) = bytes.split_at(32);
    G1Affine::from_xy(coordinate(x)?, coordinate(y)?).into_option()
}

/// The value at `point` of a short polynomial.
pub(super) fn value_of(coefficients: &[Fr], point: Fr) -> Fr {
    coefficients.iter().rev().fold(Fr::ZERO, |sum, coefficient| sum * point + coefficient)
}
