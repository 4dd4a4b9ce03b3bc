//! Projective addition for witnesses.
//!
//! Unlike the native curve, this takes any pair of field elements, on the curve or not: the witness
//! generator must also run on an attacker's input, and leave it to the constraints to refuse it.

use halo2_base::halo2_proofs::{
    arithmetic::Field,
    halo2curves::{bn256::Fr, ff::BatchInvert},
};

use muster_schemes::curve::edwards::{COEFF_A, COEFF_D};

/// `(X/Z, Y/Z)`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Projective {
    x: Fr,
    y: Fr,
    z: Fr,
}

impl Projective {
    pub(super) const IDENTITY: Self = Self { x: Fr::ZERO, y: Fr::ONE, z: Fr::ONE };

    pub(super) fn new((x, y): (Fr, Fr)) -> Self {
        Self { x, y, z: Fr::ONE }
    }

    /// Complete addition on a twisted Edwards curve (ePrint 2008/013, section 6).
    pub(super) fn add(&self, other: &Self) -> Self {
        let z = self.z * other.z;
        let (xx, yy) = (self.x * other.x, self.y * other.y);
        let cross = (self.x + self.y) * (other.x + other.y) - xx - yy;
        let bend = Fr::from(COEFF_D) * xx * yy;
        let (minus, plus) = (z.square() - bend, z.square() + bend);
        Self { x: z * minus * cross, y: z * plus * (yy - Fr::from(COEFF_A) * xx), z: minus * plus }
    }

    pub(super) fn double(&self) -> Self {
        self.add(self)
    }
}

/// Affine coordinates of many points; `(0, 0)` for a point with `Z = 0`, which only invalid input
/// gives.
pub(super) fn normalize(points: &[Projective]) -> Vec<(Fr, Fr)> {
    let mut inverses: Vec<Fr> = points.iter().map(|point| point.z).collect();
    inverses.iter_mut().batch_invert();
    points
        .iter()
        .zip(inverses)
        .map(|(point, inverse)| (point.x * inverse, point.y * inverse))
        .collect()
}
