//! The map to BLS12-381 G2: RFC 9380 sections 6.6.2 and 8.8.2, and the isogeny of appendix E.3.

use ff::Field;
use halo2curves::bls12_381::Fq2;
use muster_schemes::field::ExtensionField;
use num_bigint::BigUint;

use super::{
    extension::{assert_sign_of_first, hints, multiply, value, MapInput},
    group::{Point, Sums},
};
use crate::field::foreign::script::{Script, Var};
use muster_gates::foreign::{Form, Source::Result};
use muster_schemes::hash::to_curve::bls12381::{isogenous_g2, psi_factors, PARAMETER};

/// The coordinates of an element.
type Pair = [Var; 2];

/// The point of the curve that an element is mapped to. There is none for elements whose first coordinate is 0, or for which
/// the map or the isogeny has no denominator.
pub(super) fn map(script: &mut Script, element: MapInput<2>) -> [Pair; 2] {
    let u = element.coordinates();
    let (x1, x2) = candidates(script, u);
    let (x, y) = point(script, u, x1, x2);
    assert_sign_of_first(script, element.first(), y[0]);
    image(script, x, y)
}

/// `x1` and `x2` of section 6.6.2. With `t = z·u²` and `v = t² + t` they are `-b/a·(1 + 1/v)` and `t·x1`: there is no
/// `x1` for `v = 0`. Since the equation for `x1` has no solution then, `v` needs no inverse.
fn candidates(script: &mut Script, [u0, u1]: Pair) -> (Pair, Pair) {
    // z = -2 - i
    let t0 = script.result(|at| at(u0) * (2 * at(u1) - 2 * at(u0)) + at(u1) * (2 * at(u1)));
    let t1 = script.result(|at| at(u1) * at(u1) - at(u0) * (at(u0) + 4 * at(u1)));
    let v0 = script.result(|at| at(t0) * at(t0) - at(t1) * at(t1) + at(t0));
    let v1 = script.result(|at| at(t0) * (2 * at(t1)) + at(t1));
    let isogenous = isogenous_g2();
    let v: Fq2 = value(script, [v0, v1]);
    let inverse = v.invert().unwrap_or(Fq2::ZERO);
    let over = isogenous.a.invert().expect("it is not 0");
    let [real, imaginary] = hints(-isogenous.b * over * (Fq2::ONE + inverse));
    // a = 240i and b = 1012(1 + i): 60i·x1·v = -253(1 + i)(v + 1).
    let a = script.free(&real);
    let b = script.hinted(&imaginary, |at| {
        let product = at(a) * (60 * at(v1)) + Result * (60 * at(v0));
        product - 253 * (at(v0) - at(v1)) - 253
    });
    script.assert_zero(|at| {
        let product = at(a) * (60 * at(v0)) - at(b) * (60 * at(v1));
        product + 253 * (at(v0) + at(v1)) + 253
    });
    let x2 = multiply::<Fq2, 2>(script, [t0, t1], [a, b]);
    ([a, b], x2)
}

/// The chosen one of the two candidates, and a `y` of either sign: `y² = x³ + a·x + b`.
///
/// `x1` is chosen if and only if it has a `y`. Where `v` is not 0, `g(x2) = t³·g(x1)`, and `t = z·u²` is not a square,
/// as `z` is not. The group of the curve has an odd order, so neither is 0. Hence exactly one of the two has a root.
fn point(script: &mut Script, u: Pair, x1: Pair, x2: Pair) -> (Pair, Pair) {
    let isogenous = isogenous_g2();
    let first = isogenous.root(&value(script, x1)).is_some();
    let bit = script.hinted(&BigUint::from(first), |_| Result * Result - Result);
    let [x0, x1] =
        [0, 1].map(|i| script.result(|at| at(x2[i]) + at(bit) * (at(x1[i]) - at(x2[i]))));
    let q0 = script.result(|at| at(x0) * at(x0) - at(x1) * at(x1));
    let q1 = script.result(|at| at(x0) * (2 * at(x1)));
    let [x, square]: [Fq2; 2] = [[x0, x1], [q0, q1]].map(|pair| value(script, pair));
    let root = (x * (square + isogenous.a) + isogenous.b).sqrt().unwrap_or(Fq2::ZERO);
    let of_sign = value::<Fq2, 2>(script, u).sign().unwrap_u8() == root.sign().unwrap_u8();
    let [real, imaginary] = hints(if of_sign { root } else { -root });
    // a·x = 240i·x
    let y0 = script.free(&real);
    let y1 = script.hinted(&imaginary, |at| {
        let cube = at(x0) * at(q1) + at(x1) * at(q0);
        at(y0) * (2 * Result) - cube - 240 * at(x0) - 1012
    });
    script.assert_zero(|at| {
        let square = at(y0) * at(y0) - at(y1) * at(y1);
        square - at(x0) * at(q0) + at(x1) * at(q1) + 240 * at(x1) - 1012
    });
    ([x0, x1], [y0, y1])
}

/// The image under the isogeny, by Vélu's formulas. With `m = 1/(x + 6 - 6i)` and `k = m·(9x' - x - 24i·m)`
///
/// ```text
/// x' = (x + 48i·m + 16(1 + i)·m²)/9
/// y' = -y·(1 - 48i·m² - 32(1 + i)·m³)/27 = (2y·k - y)/27
/// ```
///
/// since `16(1 + i)·m² = 9x' - x - 48i·m`. There is no `m` for a point in the kernel.
fn image(script: &mut Script, [x0, x1]: Pair, [y0, y1]: Pair) -> [Pair; 2] {
    let x: Fq2 = value(script, [x0, x1]);
    let six = Fq2::of_integers(&[BigUint::from(6u8), BigUint::from(6u8)]);
    let shifted = x + Fq2 { c0: six.c0, c1: -six.c1 };
    let [real, imaginary] = hints(shifted.invert().unwrap_or(Fq2::ZERO));
    let m0 = script.free(&real);
    let m1 = script
        .hinted(&imaginary, |at| at(x0) * at(m0) + 6 * at(m0) - at(x1) * Result + 6 * Result - 1);
    script.assert_zero(|at| at(x0) * at(m1) + 6 * at(m1) + at(x1) * at(m0) - 6 * at(m0));
    let new_x0 = script.result(|at| {
        let square = at(m0) * (16 * at(m0) - 32 * at(m1)) - at(m1) * (16 * at(m1));
        (at(x0) - 48 * at(m1) + square) / 9
    });
    let new_x1 = script.result(|at| {
        let square = at(m0) * (16 * at(m0) + 32 * at(m1)) - at(m1) * (16 * at(m1));
        (at(x1) + 48 * at(m0) + square) / 9
    });
    let k0 = script.result(|at| {
        let [real, imaginary] =
            [9 * at(new_x0) - at(x0) + 24 * at(m1), 9 * at(new_x1) - at(x1) - 24 * at(m0)];
        at(m0) * real - at(m1) * imaginary
    });
    let k1 = script.result(|at| {
        let [real, imaginary] =
            [9 * at(new_x0) - at(x0) + 24 * at(m1), 9 * at(new_x1) - at(x1) - 24 * at(m0)];
        at(m0) * imaginary + at(m1) * real
    });
    let new_y0 = script.result(|at| (at(y0) * (2 * at(k0)) - at(y1) * (2 * at(k1)) - at(y0)) / 27);
    let new_y1 = script.result(|at| (at(y0) * (2 * at(k1)) + at(y1) * (2 * at(k0)) - at(y1)) / 27);
    [[new_x0, new_x1], [new_y0, new_y1]]
}

/// The multiple, in the group, of the sum of two points, RFC 9380 appendix G.3: with `z = -x` for the curve's parameter
/// `x` that is `z·(z·P - ψ(P) + P) - ψ(P) - P + ψ²(2P)`. There is none if two points with the same first coordinate
/// would be added. The group of the curve has an odd order, so every point has a double.
pub(super) fn sum_in_group(script: &mut Script, points: [Point<2>; 2]) -> Point<2> {
    sum_by(script, points, PARAMETER)
}

/// The same for any `z`. Only that of the curve leads to the group.
pub(super) fn sum_by(script: &mut Script, [first, second]: [Point<2>; 2], z: u64) -> Point<2> {
    let mut sums = Sums::<Fq2>::new(script);
    let point = sums.add(second, first, 1);
    let [multiple, twice] = sums.multiple(point, z);
    let image = opposite_image(sums.script(), point);
    let inner = sums.add(image, multiple, 1);
    let inner = sums.add(inner, point, 1);
    let [outer, _] = sums.multiple(inner, z);
    let outer = sums.add(outer, image, 1);
    let outer = sums.add(outer, point, -1);
    // ψ² takes (x, y) to (c·x, -y) for a cube root of unity c of the prime field.
    let script = sums.script();
    let [root, _] = hints(psi_factors()[0] * conjugate(psi_factors()[0]));
    let root = script.result(|_| Form::from(&root));
    let new_x = twice[0].map(|part| script.result(|at| at(root) * at(part)));
    let result = sums.add(outer, [new_x, twice[1]], -1);
    sums.finish();
    result
}

fn constant(script: &mut Script, element: Fq2) -> Pair {
    hints(element).map(|part| script.result(|_| Form::from(&part)))
}

fn conjugate(element: Fq2) -> Fq2 {
    Fq2 { c0: element.c0, c1: -element.c1 }
}

/// The opposite of the image of a point under `ψ`: the conjugate of each coordinate, times a constant.
fn opposite_image(script: &mut Script, point: Point<2>) -> Point<2> {
    let [x, y] = psi_factors();
    let mut factors = [*x, -*y].into_iter();
    point.map(|[real, imaginary]| {
        let [a, b] = constant(script, factors.next().expect("a factor a coordinate"));
        let new_real = script.result(|at| at(real) * at(a) + at(imaginary) * at(b));
        [new_real, script.result(|at| at(real) * at(b) - at(imaginary) * at(a))]
    })
}
