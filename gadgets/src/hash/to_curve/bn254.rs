//! Points of BN254 G1: the map of RFC 9380 section 6.6.1, and the search of EigenLayer's contracts.

use ff::Field;
use halo2curves::bn256::Fq;
use num_bigint::BigUint;

use super::{
    extension::{assert_sign, hints, value},
    group::{Point, Sums},
};
use crate::field::foreign::script::{CanonicalVar, Script, Var};
use muster_gates::foreign::{Form, Source::Result};
use muster_schemes::field::ExtensionField;
use muster_schemes::hash::to_curve::bn254::Constants;

/// `b` of the curve.
const B: i64 = 3;

/// The point that an element is mapped to. With `s = 4u²` the candidates are, for the constants of the map,
///
/// ```text
/// x1 = c2 - c3·u/(1 + s)
/// x2 = c2 + c3·u/(1 + s)
/// x3 = 1 - 16/3·((1 + s)/(1 - s))²
/// ```
///
/// There is none for elements with `s = 1` or `s = -1`, for which a denominator is 0: neither numerator is 0 there.
pub(super) fn map(script: &mut Script, element: CanonicalVar) -> [Var; 2] {
    let u = element.var();
    let Constants { half, root, .. } = Constants::get();
    let [half, root] = [half, root].map(|constant| {
        let [number] = hints(*constant);
        Form::from(&number)
    });
    let root = script.result(|_| root);
    let s = script.result(|at| at(u) * (4 * at(u)));
    let [at_u, at_s]: [Fq; 2] = [u, s].map(|var| value(script, [var]));
    let over = |element: Fq| element.invert().unwrap_or(Fq::ZERO);
    let [hint] = hints(Constants::get().root * at_u * over(Fq::ONE + at_s));
    let offset = script.hinted(&hint, |at| Result * at(s) + Result - at(root) * at(u));
    let first = script.result(|at| half.clone() - at(offset));
    let second = script.result(|at| half + at(offset));
    let [hint] = hints((Fq::ONE + at_s) * over(Fq::ONE - at_s));
    let ratio = script.hinted(&hint, |at| Result - Result * at(s) - at(s) - 1);
    let third = script.result(|at| (Form::from(3i64) - at(ratio) * (16 * at(ratio))) / 3);
    let is_first = is_on_curve(script, first);
    let is_second = is_on_curve(script, second);
    let other = script.result(|at| at(third) + at(is_second) * (at(second) - at(third)));
    let x = script.result(|at| at(other) + at(is_first) * (at(first) - at(other)));
    let square = script.result(|at| at(x) * at(x));
    let [at_x, at_square]: [Fq; 2] = [x, square].map(|var| value(script, [var]));
    let y = (at_x * at_square + Fq::from(B as u64)).sqrt().unwrap_or(Fq::ZERO);
    let is_odd = |element: Fq| bool::from(element.sign());
    let [hint] = hints(if is_odd(y) == is_odd(at_u) { y } else { -y });
    let y = script.hinted(&hint, |at| Result * Result - at(x) * at(square) - B);
    assert_sign(script, element, y);
    [x, y]
}

/// Whether there is a point with this first coordinate, as a bit. `g(x)` is not 0, since the group has an odd order.
/// Since -1 is not a square, either `g(x)` or its negative is one: a root of one of the two shows which.
fn is_on_curve(script: &mut Script, x: Var) -> Var {
    let square = script.result(|at| at(x) * at(x));
    let right_side = script.result(|at| at(x) * at(square) + B);
    let (root, is_square) = root_of_either(&value(script, [right_side]));
    let [root] = hints(root);
    let bit = script.hinted(&BigUint::from(is_square), |_| Result * Result - Result);
    script.hinted(&root, |at| Result * Result - at(bit) * (2 * at(right_side)) + at(right_side));
    bit
}

/// A root of an element or of its negative, and which it is.
fn root_of_either(element: &Fq) -> (Fq, bool) {
    match Option::<Fq>::from(element.sqrt()) {
        Some(root) => (root, true),
        None => ((-*element).sqrt().unwrap_or(Fq::ZERO), false),
    }
}

/// The first `x` from `start` on that a point has, and of its two `y` the one that is a square. `start` may be any
/// number that represents a residue. There is no witness if `candidates` `x` in a row have no point.
///
/// Each `x` is the one before or 1 more. It is 1 more if and only if that one has no point, which a root of `-g(x)`
/// shows. If it has one, which a root of `g(x)` shows, it stays. The last one stays.
///
/// # Panics
/// If `candidates` is 0.
pub(super) fn find_point(script: &mut Script, start: Var, candidates: usize) -> [Var; 2] {
    assert!(candidates > 0, "a point has a candidate");
    let (mut x, mut root) = (start, start);
    for candidate in 1..=candidates {
        let here = x;
        let square = script.result(|at| at(here) * at(here));
        let right_side = script.result(|at| at(here) * at(square) + B);
        let (either, is_square) = root_of_either(&value(script, [right_side]));
        if candidate < candidates {
            // (x' - x)·(x' - x - 1) = 0
            let [hint] = hints(value::<Fq, 1>(script, [here]) + Fq::from(u64::from(!is_square)));
            x = script.hinted(&hint, |at| {
                Result * Result - Result * (2 * at(here)) + at(here) * at(here) - Result + at(here)
            });
        }
        let [hint] = hints(final_root(&either, is_square));
        let next = x;
        root = script.hinted(&hint, |at| {
            let last = Result * Result - at(right_side);
            if candidate < candidates {
                last + at(right_side) * (2 * (at(next) - at(here)))
            } else {
                last
            }
        });
    }
    let y: Fq = value(script, [root]);
    let [half] = hints(y.sqrt().unwrap_or(Fq::ZERO));
    script.hinted(&half, |at| Result * Result - at(root));
    [x, root]
}

/// Of the two roots of a square, the one that is itself a square.
fn final_root(root: &Fq, is_square: bool) -> Fq {
    if is_square && bool::from(root.sqrt().is_none()) {
        -root
    } else {
        *root
    }
}

/// The sum of two points whose first coordinates differ. There is no sum of others.
pub(super) fn sum(script: &mut Script, [first, second]: [Point<1>; 2]) -> Point<1> {
    let mut sums = Sums::<Fq>::new(script);
    let sum = sums.add(second, first, 1);
    sums.finish();
    sum
}
