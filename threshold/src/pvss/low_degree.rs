//! The low-degree test of SCRAPE (Cascudo, David, ACNS 2017), with the secret as one more point.
//!
//! W + 1 values at x₀ = 0, x₁, …, x_W lie on a polynomial of degree t at most if and only if
//! Σ λᵢ q(xᵢ) Vᵢ = 0 for every q of degree W − t − 1 at most: then the sum is a divided difference of order
//! W of f·q, whose degree is W − 1. One degree more would refuse every honest sharing. For a random q
//! another vector passes with a probability of 1 over the number of its values.

use ff::Field as _;

use super::session::{Session, Shape};
use crate::pairing_curve::Fr;

/// Coefficients of q: W − t.
pub(super) fn coefficients(shape: &Shape) -> usize {
    shape.shares() - shape.threshold() + 1
}

/// λᵢ q(xᵢ) for the secret and all shares.
pub(super) fn weights(session: &Session, q: &[Fr]) -> Vec<Fr> {
    let points = session.points();
    let mut padded = q.to_vec();
    // As many coefficients as points, or fewer: W − t is at most W.
    padded.resize(points.size(), Fr::ZERO);
    let mut values = vec![Fr::ZERO; points.size()];
    points.forward(&padded, &mut values);
    let all = std::iter::once(q[0]).chain(values);
    session.dual().iter().zip(all).map(|(lambda, value)| *lambda * value).collect()
}
