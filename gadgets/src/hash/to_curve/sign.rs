//! Signs of elements, RFC 9380 section 4.1.

use crate::field::foreign::script::{CanonicalVar, Script, Var};

/// The input of a map: an element whose first coordinate is canonical, so that it has one sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MapInput<const D: usize> {
    first: CanonicalVar,
    coordinates: [Var; D],
}

impl<const D: usize> MapInput<D> {
    /// The element of these coordinates; the first is constrained to be canonical.
    #[track_caller]
    pub fn new(script: &mut Script, coordinates: [Var; D]) -> Self {
        Self { first: script.assert_canonical(coordinates[0]), coordinates }
    }

    /// The first coordinate.
    pub fn first(&self) -> CanonicalVar {
        self.first
    }

    /// All coordinates.
    pub fn coordinates(&self) -> [Var; D] {
        self.coordinates
    }
}

/// Constrains both elements of a prime field to have the same sign, which is the lowest bit of the least number that
/// represents them: their sum is even. With `p` added a number has the other sign, so both must be canonical.
pub(super) fn assert_sign(script: &mut Script, u: CanonicalVar, y: Var) {
    let [u, y] = [u, script.assert_canonical(y)].map(CanonicalVar::var);
    script.integer(|at| (at(u) + at(y)) / 2);
}

/// The same in a quadratic extension, where the sign is that of the first coordinate unless it is 0. There is no
/// witness for elements whose first coordinate is 0.
pub(super) fn assert_sign_of_first(script: &mut Script, u: CanonicalVar, y: Var) {
    assert_sign(script, u, y);
    let product = script.result(|at| at(u.var()) * at(y));
    script.result(|at| 1 / at(product));
}
