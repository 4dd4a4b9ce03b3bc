//! Fields of coordinates, in scripts: products, and signs by RFC 9380 section 4.1.

use halo2curves::{bls12_381, bn256};
use num_bigint::BigUint;

use crate::field::foreign::script::{CanonicalVar, Script, Var};
use muster_gates::foreign::Form;
use muster_schemes::field::ExtensionField;

/// A field whose elements have `D` coordinates, in circuit: only here are the forms known in which products are constrained.
pub trait Extension<const D: usize>: ExtensionField {
    /// The forms of a product's coordinates.
    fn multiplied(a: [Form; D], b: [Form; D]) -> [Form; D];

    /// The form minus 1.
    fn minus_one(mut form: [Form; D]) -> [Form; D] {
        form[0] = form[0].clone() - 1;
        form
    }

    /// A small number.
    fn from_small(number: u8) -> Self {
        (0..number).fold(Self::ZERO, |sum, _| sum + Self::ONE)
    }
}

impl Extension<1> for bls12_381::Fq {
    fn multiplied([a]: [Form; 1], [b]: [Form; 1]) -> [Form; 1] {
        [a * b]
    }
}

impl Extension<1> for bn256::Fq {
    fn multiplied([a]: [Form; 1], [b]: [Form; 1]) -> [Form; 1] {
        [a * b]
    }
}

impl Extension<2> for bls12_381::Fq2 {
    fn multiplied([a0, a1]: [Form; 2], [b0, b1]: [Form; 2]) -> [Form; 2] {
        [a0.clone() * b0.clone() - a1.clone() * b1.clone(), a0 * b1 + a1 * b0]
    }
}

/// The element that these names stand for.
pub(super) fn value<F: Extension<D>, const D: usize>(script: &Script, element: [Var; D]) -> F {
    F::of_integers(&element.map(|part| script.value(part).clone()))
}

/// The coordinates of an element, as hints.
pub(super) fn hints<F: Extension<D>, const D: usize>(element: F) -> [BigUint; D] {
    element.integers().try_into().expect("as many coordinates")
}

/// `a·b`.
#[track_caller]
pub(super) fn multiply<F: Extension<D>, const D: usize>(
    script: &mut Script,
    a: [Var; D],
    b: [Var; D],
) -> [Var; D] {
    let mut number = 0..D;
    [(); D].map(|()| {
        let i = number.next().expect("as many coordinates");
        script.result(|at| {
            let [a, b] = [a, b].map(|element| element.map(|part| at(part).into()));
            F::multiplied(a, b)[i].clone()
        })
    })
}

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
