//! Which method is the fastest: estimates of each one's time, from measured costs of its steps.
//!
//! The unit is a nanosecond of the machine in the README; only ratios matter, and they hold wherever
//! the same code runs. `cargo bench -p muster-benches --bench lagrange` measures all methods.

use super::{Identities, Method};

/// A multiplication in the field, with the loads around it.
const MULTIPLY: f64 = 24.0;
/// A butterfly of a transform: a multiplication and two additions.
const BUTTERFLY: f64 = 31.0;
/// A factor x_j − x_i of the quadratic method.
const DIFFERENCE: f64 = 27.0;
/// A factor of 64 bits at most among several in one: multiplication of integers, sign and overflow.
const SMALL: f64 = 2.2;
/// What a transform of a few values costs beside its butterflies.
const CALL: f64 = 60.0;
/// A signer of a subproduct tree, for the square of log₂ of their number.
const SUBPRODUCT: f64 = 210.0;

/// The method with the least estimate.
pub(super) fn fastest(identities: Identities, signing: usize, signers: usize) -> Method {
    let mut best = (Method::Quadratic, f64::INFINITY);
    for method in Method::ALL.into_iter().filter(|method| method.is_for(identities)) {
        let estimate = estimate(method, signing as f64, signers as f64);
        if estimate < best.1 {
            best = (method, estimate);
        }
    }
    best.0
}

/// Nanoseconds for `t` signers of `n`.
fn estimate(method: Method, t: f64, n: f64) -> f64 {
    let order = power_of_two(n);
    match method {
        // A baseline is not to be chosen.
        Method::Naive => f64::INFINITY,
        Method::Quadratic => t * t * DIFFERENCE + t * 4.0 * MULTIPLY,
        Method::Missing => {
            let at_once = (64.0 / (n + 1.0).log2().max(1.0)).floor().max(1.0);
            t * (n - t) * (SMALL + 2.0 * MULTIPLY / at_once) + t * 6.0 * MULTIPLY
        }
        Method::Values => {
            let degree = power_of_two(n - t);
            let at_once = (64.0 / (n + 1.0).log2().max(1.0)).floor().max(1.0);
            let leaf = degree.min(64.0);
            let leaves = degree * leaf * (SMALL + 2.0 * MULTIPLY / at_once);
            let levels = doublings(leaf, degree, |d| 2.0 * d.log2() + 2.0);
            let reach = (n / degree).ceil() * 2.0 * degree * (2.0 * degree).log2() * BUTTERFLY;
            leaves + degree * levels + reach + t * 4.0 * MULTIPLY
        }
        Method::Subproduct => {
            let degree = power_of_two(t);
            degree * degree.log2().max(1.0).powi(2) * SUBPRODUCT
        }
        Method::AbsentRoots => {
            let degree = power_of_two(order - t);
            tree(degree) + reach(degree, order) + t * 2.0 * MULTIPLY
        }
        Method::PresentRoots => {
            let degree = power_of_two(t);
            tree(degree) + reach(degree, order) + t * 8.0 * MULTIPLY
        }
    }
}

/// A product tree over values at roots of unity.
fn tree(degree: f64) -> f64 {
    let leaf = degree.min(16.0);
    let leaves = leaf / 2.0 * MULTIPLY + leaf.log2() / 2.0 * BUTTERFLY + CALL / leaf;
    degree * (leaves + doublings(leaf, degree, f64::log2))
}

/// What a leaf's share in the levels from `leaf` up to `degree` costs.
fn doublings(leaf: f64, degree: f64, butterflies: impl Fn(f64) -> f64) -> f64 {
    let (mut cost, mut level) = (0.0, leaf);
    while level < degree {
        cost += butterflies(level) * BUTTERFLY + 3.0 * MULTIPLY + 2.0 * CALL / level;
        level *= 2.0;
    }
    cost
}

/// From values at `degree` roots to values at `order` of them.
fn reach(degree: f64, order: f64) -> f64 {
    order * (degree.log2() / 2.0 * BUTTERFLY + MULTIPLY + CALL / degree)
}

fn power_of_two(count: f64) -> f64 {
    count.max(1.0).log2().ceil().exp2()
}
