//! The low-degree test of SCRAPE (Cascudo, David, ACNS 2017), with the secret as one more point.
//!
//! W + 1 values at x₀ = 0, x₁, …, x_W lie on a polynomial of degree at most t if and only if Σ λᵢ
//! q(xᵢ) Vᵢ = 0 for every q of degree at most W − t − 1: then the sum is a divided difference of
//! order W of f·q, whose degree is W − 1. One degree more would refuse every honest sharing. For a
//! random q, any other vector passes with a probability of 1 over the number of its values.

use ff::{BatchInvert, Field as _};

use super::shape::Shape;
use crate::pairing_curve::{Fr, Transform};

/// Coefficients of q: W − t.
pub(super) fn coefficients(shape: &Shape) -> usize {
    shape.shares() - shape.threshold() + 1
}

/// λᵢ q(xᵢ) for the secret and all shares. `dual` are the λᵢ, those of [`dual_factors`].
pub(super) fn weights(points: &Transform, dual: &[Fr], q: &[Fr]) -> Vec<Fr> {
    let mut padded = q.to_vec();
    // As many coefficients as points, or fewer: W − t is at most W.
    padded.resize(points.size(), Fr::ZERO);
    let mut values = vec![Fr::ZERO; points.size()];
    points.forward(&padded, &mut values);
    let all = std::iter::once(q[0]).chain(values);
    dual.iter().zip(all).map(|(lambda, value)| *lambda * value).collect()
}

/// λᵢ = Π_{k ≠ i} 1 / (xᵢ − xₖ) over the points 0, ω⁰, …, ω^(W−1).
///
/// Over all K roots the product of differences is K / xᵢ; those to absent roots are divided out.
pub(super) fn dual_factors(points: &Transform, shares: usize) -> Vec<Fr> {
    let (present, absent) = points.roots().split_at(shares);
    let order = Fr::from(points.size() as u64);
    let at_zero = present.iter().fold(Fr::ONE, |product, root| product * -*root);
    let missing =
        |root: &Fr| absent.iter().fold(Fr::ONE, |product, other| product * (*root - other));
    // (x − 0) times K / x for each share.
    let mut denominators = vec![order; shares + 1];
    denominators[0] = at_zero;
    denominators.iter_mut().batch_invert();
    let factors = std::iter::once(Fr::ONE).chain(present.iter().map(missing));
    denominators.into_iter().zip(factors).map(|(inverse, factor)| inverse * factor).collect()
}
