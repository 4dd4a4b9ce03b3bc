//! Values of the domain's polynomials at the point of the opening, and the equation of the quotient there.

use ff::{BatchInvert, Field as _};

use crate::pairing_curve::{Fr, Transform};

/// Values at a point outside the domain.
pub(crate) struct AtPoint {
    /// L_a(ζ).
    pub(crate) lagrange: Vec<Fr>,
    /// 1 / (ζ − ω^a).
    pub(crate) inverses: Vec<Fr>,
    /// ζ^M − 1.
    pub(crate) vanishing: Fr,
}

impl AtPoint {
    /// Nothing for a point of the domain.
    pub(crate) fn new(transform: &Transform, zeta: &Fr) -> Option<Self> {
        let vanishing = ff::Field::pow_vartime(zeta, [transform.size() as u64]) - Fr::ONE;
        if bool::from(vanishing.is_zero()) {
            return None;
        }
        let mut inverses: Vec<Fr> = transform.roots().iter().map(|root| *zeta - root).collect();
        inverses.iter_mut().batch_invert();
        let scale = vanishing * transform.scale();
        let values = transform.roots().iter().zip(&inverses);
        let lagrange = values.map(|(root, inverse)| scale * root * inverse).collect();
        Some(Self { lagrange, inverses, vanishing })
    }
}

/// Whether v_h Z*(ζ) = β (v − Σ 2ʲ vⱼ) + Σ βⱼ vⱼ (vⱼ − 1), for values in the order v, v_h, v₀, ….
pub(crate) fn quotient_holds(
    at: &AtPoint,
    zeta: &Fr,
    beta: &Fr,
    betas: &[Fr],
    evaluations: &[Fr],
) -> bool {
    let (value, quotient, bits) = (evaluations[0], evaluations[1], &evaluations[2..]);
    let sum = bits.iter().rev().fold(Fr::ZERO, |sum, bit| sum.double() + bit);
    let products = bits.iter().zip(betas).map(|(bit, beta)| *beta * bit * (*bit - Fr::ONE));
    let right = *beta * (value - sum) + products.sum::<Fr>();
    // Z* = (ζ^M − 1) / (ζ − 1), and ζ is not 1.
    quotient * at.vanishing == right * (*zeta - Fr::ONE)
}
