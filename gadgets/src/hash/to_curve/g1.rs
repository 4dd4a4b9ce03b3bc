//! BLS12-381 G1: the map to it, RFC 9380 sections 6.6.2 and 8.8.1, with the isogeny of appendix E.2, and its cofactor.

use ff::Field;
use halo2curves::bls12_381::Fq;
use num_bigint::BigUint;

use super::{
    extension::{assert_sign, hints, value},
    group::{AssignedPoint, Point, Sums},
};
use crate::field::foreign::script::{CanonicalVar, Script, Var};
use muster_gates::foreign::{Equation, ForeignChip, Form, Source::Result};
use muster_schemes::{
    field::ExtensionField,
    hash::to_curve::bls12381::{Isogeny, PARAMETER},
};

/// The point of the curve that an element is mapped to. There is none for elements for which the map or the
/// isogeny has no denominator.
pub(super) fn map(script: &mut Script, u: CanonicalVar) -> [Var; 2] {
    let isogenous = &Isogeny::get().curve;
    let [[a], [b]] = [isogenous.a, isogenous.b].map(hints);
    let [first, second] = candidates(script, u.var());
    // As in G2: `g(x2) = t³·g(x1)` where `t` is not a square, and neither is 0, since the group has an odd
    // order.
    let chosen = isogenous.root(&value(script, [first])).is_some();
    let bit = script.hinted(&BigUint::from(chosen), |_| Result * Result - Result);
    let x = script.result(|at| at(second) + at(bit) * (at(first) - at(second)));
    let w = script.result(|at| at(x) * at(x) + Form::from(&a));
    let [at_x, at_w]: [Fq; 2] = [x, w].map(|var| value(script, [var]));
    let root = (at_x * at_w + isogenous.b).sqrt().unwrap_or(Fq::ZERO);
    let [hint] = hints(of_sign(value(script, [u.var()]), root));
    let y = script.hinted(&hint, |at| Result * Result - at(x) * at(w) - Form::from(&b));
    assert_sign(script, u, y);
    image(script, x, y)
}

/// Of the two roots, the one with the sign of `u`.
fn of_sign(u: Fq, root: Fq) -> Fq {
    let is_odd = |element: Fq| bool::from(element.sign());
    if is_odd(u) == is_odd(root) {
        root
    } else {
        -root
    }
}

/// `x1` and `x2` of section 6.6.2. With `t = 11·u²` and `v = t² + t` they are `c + c/v` for `c = -b/a`, and `t·x1`: as `c`
/// is not 0, there is no `c/v` for `v = 0`.
fn candidates(script: &mut Script, u: Var) -> [Var; 2] {
    let isogenous = &Isogeny::get().curve;
    let c = -isogenous.b * isogenous.a.invert().expect("it is not 0");
    let [c] = hints(c);
    let t = script.result(|at| at(u) * (11 * at(u)));
    let v = script.result(|at| at(t) * at(t) + at(t));
    let ratio = script.result(|at| Form::from(&c) / at(v));
    let first = script.result(|at| at(ratio) + Form::from(&c));
    [first, script.result(|at| at(t) * at(first))]
}

/// The image under the isogeny: `121·x'·h² = X(x)` and `1331·y'·h³ = y·Y(x)`. The numerators have no zeros in common
/// with `h`, so a point for which `h` is 0 has no image.
fn image(script: &mut Script, x: Var, y: Var) -> [Var; 2] {
    let isogeny = Isogeny::get();
    let [kernel, numerator, factor] =
        [&isogeny.kernel, &isogeny.x, &isogeny.y].map(|polynomial| evaluate(script, x, polynomial));
    let square = script.result(|at| at(kernel) * at(kernel));
    let cube = script.result(|at| at(kernel) * at(square));
    let new_x = script.result(|at| at(numerator) / (Isogeny::X_FACTOR as i64 * at(square)));
    let product = script.result(|at| at(factor) * at(y));
    let new_y = script.result(|at| at(product) / (Isogeny::Y_FACTOR as i64 * at(cube)));
    [new_x, new_y]
}

/// A polynomial by Horner's rule. Its highest coefficient is 1 and left out; the others are given from the
/// lowest power on.
fn evaluate(script: &mut Script, x: Var, polynomial: &[Fq]) -> Var {
    let (top, lower) = polynomial.split_last().expect("it is no constant");
    let form = |coefficient: &Fq| {
        let [number] = hints(*coefficient);
        Form::from(&number)
    };
    let top = form(top);
    let first = script.result(|at| at(x) + top);
    lower.iter().rev().fold(first, |sum, coefficient| {
        let coefficient = form(coefficient);
        script.result(|at| at(sum) * at(x) + coefficient)
    })
}

/// The multiple, in the group, of the sum of two points: by `1 - x` for the curve's parameter `x`. There is none if two
/// points with the same first coordinate would be added.
pub(super) fn sum_in_group(script: &mut Script, [first, second]: [Point<1>; 2]) -> Point<1> {
    let mut sums = Sums::<Fq>::new(script);
    let point = sums.add(second, first, 1);
    let result = cleared(&mut sums, point);
    sums.finish();
    result
}

/// The multiple of a point by `1 - x`: every such multiple is in the group, and every point of the group is one.
pub(super) fn cleared(sums: &mut Sums<Fq>, point: Point<1>) -> Point<1> {
    let [multiple, _] = sums.multiple(point, PARAMETER);
    sums.add(multiple, point, 1)
}

/// The equations of [`clear_cofactor`].
pub(crate) fn clearing_equations() -> Vec<Equation> {
    let mut script = Script::of_equations(&prime());
    let point = [(); 2].map(|()| [script.unknown()]);
    let mut sums = Sums::<Fq>::new(&mut script);
    cleared(&mut sums, point);
    sums.finish();
    script.equations().to_vec()
}

/// The multiple of a point of the curve by `1 - x`, for the curve's parameter `x`: a point of the group, not the
/// identity. There is none if a multiple on the way meets the point, which does not happen if the order of the point is
/// `r`. The point is assumed to be on the curve.
pub(crate) fn clear_cofactor(chip: &ForeignChip, point: &AssignedPoint<1>) -> AssignedPoint<1> {
    let mut script = Script::new(chip, &prime());
    let point = point.each_ref().map(|[part]| [script.given(part)]);
    let mut sums = Sums::<Fq>::new(&mut script);
    let multiple = cleared(&mut sums, point);
    sums.finish();
    multiple.map(|[part]| [script.limbs(part).clone()])
}

fn prime() -> BigUint {
    &(-Fq::ONE).integers()[0] + 1u8
}
