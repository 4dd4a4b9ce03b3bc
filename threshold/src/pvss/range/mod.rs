//! The range proof: DeKART's univariate form with bits, over a hiding KZG commitment.
//!
//! A commitment has f(ω^a) = z_a and f(1) = 0. With random values r, rⱼ at 1, f̂ = f + r·L₀ and fⱼ
//! with the bits of z at ω^a, the equations f̂ = Σ 2ʲ fⱼ and fⱼ (fⱼ − 1) = 0 all hold on the domain
//! except at 1. This is shown by the following h being a polynomial:
//!
//! ```text
//! h = [β (f̂ − Σ 2ʲ fⱼ) + Σ βⱼ fⱼ (fⱼ − 1)] / Z*,   Z* = (X^M − 1) / (X − 1)
//! ```
//!
//! It is opened at one point ζ, together with f̂ and all fⱼ.

mod prove;

use ff::{BatchInvert, Field as _};

use crate::pairing_curve::{Fr, Transform};

pub(super) use prove::{random_scalars, RangeProver};

/// Values at a point outside the domain.
pub(super) struct AtPoint {
    /// L_a(ζ).
    pub(super) lagrange: Vec<Fr>,
    /// 1 / (ζ − ω^a).
    pub(super) inverses: Vec<Fr>,
    /// ζ^M − 1.
    pub(super) vanishing: Fr,
}

impl AtPoint {
    /// Nothing for a point of the domain.
    pub(super) fn new(transform: &Transform, zeta: &Fr) -> Option<Self> {
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
pub(super) fn quotient_holds(
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
