//! Sums of points, against halo2curves.

#[cfg(feature = "circuit")]
mod sums;
mod walks;

use halo2curves::{
    bls12_381, bn256,
    group::{Curve, Group},
    CurveAffine,
};
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;

use super::*;

/// So many points of the subgroup.
fn random<C: CurveAffine>(count: usize, seed: u64) -> Vec<C> {
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    (0..count).map(|_| C::Curve::random(&mut rng).to_affine()).collect()
}

fn opposite<C: CurveAffine>(point: &C) -> C {
    (-point.to_curve()).to_affine()
}

fn plus<C: CurveAffine>(a: &C, b: &C) -> C {
    (a.to_curve() + b.to_curve()).to_affine()
}

fn less<C: CurveAffine>(a: &C, b: &C) -> C {
    plus(a, &opposite(b))
}

/// Points of which some are equal, opposite, multiples of each other, or sums of those before.
fn awkward<C: CurveAffine>() -> Vec<Vec<C>> {
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
