//! The ways to compute the coefficients, and which one is the fastest.
//!
//! Times are estimated from measured costs of the steps. The unit is a nanosecond of the machine in
//! the README; only ratios matter, and they hold wherever the same code runs. `cargo bench -p
//! muster-benches --bench lagrange` measures all methods.

use crate::bls::signers::Identities;

/// A way to compute the coefficients.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Method {
    /// Each coefficient by its formula, with its own inversion: t² steps. The baseline.
    Naive,
    /// The same with one inversion for all.
    Quadratic,
    /// [`Identities::Consecutive`]: factorials, and products over the missing signers.
    Missing,
    /// [`Identities::Consecutive`]: factorials, and a tree over values at consecutive integers.
    Values,
    /// Subproduct tree and multipoint evaluation, at any points.
    Subproduct,
    /// [`Identities::RootsOfUnity`]: the polynomial over the absentees by transforms.
    AbsentRoots,
    /// [`Identities::RootsOfUnity`]: the derivative of the polynomial over the signers.
    PresentRoots,
}

impl Method {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Naive,
        Self::Quadratic,
        Self::Missing,
        Self::Values,
        Self::Subproduct,
        Self::AbsentRoots,
        Self::PresentRoots,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Naive => "naive",
            Self::Quadratic => "quadratic",
            Self::Missing => "missing",
            Self::Values => "values",
            Self::Subproduct => "subproduct",
            Self::AbsentRoots => "absent-roots",
            Self::PresentRoots => "present-roots",
        }
    }

    /// Whether it works for these identities.
    pub fn is_for(self, identities: Identities) -> bool {
        match self {
            Self::Naive | Self::Quadratic | Self::Subproduct => true,
            Self::Missing | Self::Values => identities == Identities::Consecutive,
            Self::AbsentRoots | Self::PresentRoots => identities == Identities::RootsOfUnity,
        }
    }

    /// The method with the least estimated time for `signing` of `signers`.
    pub fn fastest(identities: Identities, signing: usize, signers: usize) -> Self {
        let methods = Self::ALL.into_iter().filter(|method| method.is_for(identities));
        let time = |method: &Self| estimate(*method, signing as f64, signers as f64);
        methods.min_by(|a, b| time(a).total_cmp(&time(b))).unwrap_or(Self::Quadratic)
    }
}

/// A multiplication in the field, with the loads around it.
const MULTIPLY: f64 = 24.0;
/// An inversion.
const INVERT: f64 = 9500.0;
/// A butterfly of a transform: a multiplication, some of them by one, and two additions.
const BUTTERFLY: f64 = 29.0;
/// A factor x_j − x_i of the quadratic method.
const DIFFERENCE: f64 = 28.0;
/// One of several small factors in 64 bits: integer multiplication, sign and overflow.
const SMALL: f64 = 1.2;
/// Such a word of 64 bits, made a field element and multiplied. Not all words are full.
const PACKED: f64 = 40.0;
/// What a transform of a few values costs besides its butterflies.
const CALL: f64 = 60.0;
/// A signer in a subproduct tree, to be multiplied by the squared log₂ of their number.
const SUBPRODUCT: f64 = 125.0;

/// Nanoseconds for `t` signers of `n`.
fn estimate(method: Method, t: f64, n: f64) -> f64 {
    let order = power_of_two(n);
    match method {
        // The baseline is never chosen.
        Method::Naive => f64::INFINITY,
        Method::Quadratic => INVERT + t * t * DIFFERENCE + t * 4.0 * MULTIPLY,
        Method::Missing => INVERT + t * (n - t) * small(n) + t * 4.0 * MULTIPLY,
        Method::Values => {
            let degree = power_of_two(n - t);
            let leaf = degree.min(64.0);
            let levels = doublings(leaf, degree, |d| 2.0 * d.log2() + 2.0, 3.0);
            // One transform for all blocks, one back for each, and one of the kernel from the second on.
            let blocks = ((n + 1.0 - degree) / degree).ceil().max(0.0);
            let reach = 2.0 * blocks * degree * (2.0 * degree).log2() * BUTTERFLY;
            INVERT + degree * (leaf * small(n) + levels) + reach + t * 4.0 * MULTIPLY
        }
        Method::Subproduct => {
            let degree = power_of_two(t);
            INVERT + degree * degree.log2().max(1.0).powi(2) * SUBPRODUCT
        }
        Method::AbsentRoots => {
            let degree = power_of_two(order - t);
            tree(degree) + reach(degree, order) + t * 2.0 * MULTIPLY
        }
        Method::PresentRoots => {
            let degree = power_of_two(t);
            INVERT + tree(degree) + reach(degree, order) + t * 8.0 * MULTIPLY
        }
    }
}

/// A factor of a product of small integers, up to n.
fn small(n: f64) -> f64 {
    SMALL + PACKED / (64.0 / (n + 1.0).log2().max(1.0)).floor().max(1.0)
}

/// A product tree over values at roots of unity.
fn tree(degree: f64) -> f64 {
    let leaf = degree.min(16.0);
    let leaves = leaf / 2.0 * MULTIPLY + leaf.log2() / 2.0 * BUTTERFLY + CALL / leaf;
    degree * (leaves + doublings(leaf, degree, f64::log2, 2.0))
}

/// What a leaf's share in the levels from `leaf` up to `degree` costs.
fn doublings(leaf: f64, degree: f64, butterflies: impl Fn(f64) -> f64, products: f64) -> f64 {
    let (mut cost, mut level) = (0.0, leaf);
    while level < degree {
        cost += butterflies(level) * BUTTERFLY + products * MULTIPLY + 2.0 * CALL / level;
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
