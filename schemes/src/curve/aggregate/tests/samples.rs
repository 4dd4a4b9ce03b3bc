//! What the tests of this folder take for their inputs.

// The tests of the schemes and those of the gadgets each take a part of it.
#![allow(dead_code)]

use halo2curves::{
    group::{Curve, Group},
    CurveAffine,
};
use muster_schemes::curve::aggregate::*;
use muster_schemes::field::ExtensionField;
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;

/// Both coordinates, of a point or of none.
pub(crate) type Affine<C> = [<C as CurveAffine>::Base; 2];

/// So many points of the subgroup.
pub(crate) fn random<C: CurveAffine>(count: usize, seed: u64) -> Vec<C> {
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    (0..count).map(|_| C::Curve::random(&mut rng).to_affine()).collect()
}

pub(crate) fn opposite<C: CurveAffine>(point: &C) -> C {
    (-point.to_curve()).to_affine()
}

pub(crate) fn plus<C: CurveAffine>(a: &C, b: &C) -> C {
    (a.to_curve() + b.to_curve()).to_affine()
}

pub(crate) fn less<C: CurveAffine>(a: &C, b: &C) -> C {
    plus(a, &opposite(b))
}

/// Points of which some are equal, opposite, multiples of each other, or sums of those before.
pub(crate) fn awkward<C: CurveAffine>() -> Vec<Vec<C>> {
    let points = random::<C>(3, 1);
    let [p, q, r] = [points[0], points[1], points[2]];
    let double = plus(&p, &p);
    let sum = plus(&p, &q);
    vec![
        vec![p],
        vec![p, p],
        vec![p, p, p, p],
        vec![p, opposite(&p), q],
        vec![p, q, opposite(&p), opposite(&q), r],
        vec![p, q, sum, sum],
        vec![p, q, opposite(&sum), r],
        vec![p, double, opposite(&double), double],
        random(9, 2),
    ]
}

pub(crate) fn affine<C: CurveAffine>(point: &C) -> Affine<C> {
    let found = Option::<halo2curves::Coordinates<C>>::from(point.coordinates());
    let found = found.expect("not the identity");
    [*found.x(), *found.y()]
}

pub(crate) fn coefficients<F: ExtensionField, const D: usize>(pair: &[F; 2]) -> [Element<D>; 2] {
    pair.each_ref().map(ExtensionField::coefficients)
}

/// The sum of points, coefficient by coefficient.
pub(crate) fn sum_of<C: CurveAffine, const D: usize>(points: &[C]) -> [Element<D>; 2]
where
    C::Base: ExtensionField,
{
    let sum = points.iter().fold(C::Curve::identity(), |sum, point| sum + point);
    coefficients(&affine::<C>(&sum.to_affine()))
}

/// The first start that a walk tries.
pub(crate) fn first_start<C: CurveAffine>() -> C {
    starts().next().expect("there is one")
}

/// Where a chord goes on, if not where it must.
pub(crate) struct Turn<F> {
    /// The number of the addend.
    pub(crate) at: usize,
    /// What is added to the slope, and to the first coordinate of the sum.
    pub(crate) slope: F,
    pub(crate) x: F,
}

/// The chords of a sum from the opposite of any pair on, whatever they meet: where no slope is determined it is `free`.
/// After the turn all goes on as it must.
pub(crate) fn regardless<F: ExtensionField, const D: usize>(
    points: &[[F; 2]],
    start: &[F; 2],
    free: F,
    turn: Option<&Turn<F>>,
) -> SumWalk<D> {
    let [mut x, mut y] = [start[0], -start[1]];
    let mut steps = vec![];
    for (i, [next_x, next_y]) in points.iter().chain([start]).enumerate() {
        let inverse = Option::<F>::from((x - next_x).invert());
        let mut slope = inverse.map_or(free, |inverse| (y - next_y) * inverse);
        let turn = turn.filter(|turn| turn.at == i);
        slope += turn.map_or(F::ZERO, |turn| turn.slope);
        x = slope.square() - x - next_x + turn.map_or(F::ZERO, |turn| turn.x);
        y = slope * (*next_x - x) - next_y;
        steps.push(Step { slope: slope.coefficients(), x: x.coefficients() });
    }
    SumWalk { start: coefficients(start), steps, y: y.coefficients() }
}
