use halo2curves::{
    bn256::{Fr, G1Affine, G1},
    ff::{Field, PrimeField},
    group::{Curve, Group},
    msm::msm_best,
};
use muster_testing::rng;
use proptest::{collection::vec, prelude::*};

use super::Bases;
use crate::{
    tests::{backends, element},
    Backend,
};

fn points(count: usize) -> Vec<G1Affine> {
    let mut rng = rng();
    (0..count).map(|_| G1::random(&mut rng).to_affine()).collect()
}

fn assert_agrees(scalars: &[Fr], bases: &[G1Affine]) {
    let expected = msm_best(scalars, &bases[..scalars.len()]).to_affine();
    for backend in backends() {
        let plain = Bases::plain(backend, bases).multiply(scalars);
        assert_eq!(plain.to_affine(), expected, "plain on {backend:?}");
        let multiples = Bases::with_multiples(backend, bases).multiply(scalars);
        assert_eq!(multiples.to_affine(), expected, "with multiples on {backend:?}");
    }
}

#[test]
fn products_are_those_of_the_library() {
    let mut rng = rng();
    for count in [1, 2, 7, 8, 9, 100, 1023, 1024, 1025, 1 << 12] {
        let bases = points(count);
        let mut scalars: Vec<_> = (0..count).map(|_| Fr::random(&mut rng)).collect();
        assert_agrees(&scalars, &bases);
        let half = -Fr::TWO_INV;
        let edges = [Fr::ZERO, Fr::ONE, -Fr::ONE, half, half - Fr::ONE, half + Fr::ONE];
        for (scalar, edge) in scalars.iter_mut().zip(edges) {
            *scalar = edge;
        }
        assert_agrees(&scalars, &bases);
        assert_agrees(&vec![-Fr::ONE; count], &bases);
        assert_agrees(&vec![Fr::from(7); count], &bases);
        assert_agrees(&vec![Fr::ZERO; count], &bases);
    }
}

/// Points that the formula for two different points does not fit: equal ones, opposite ones, the identity, and
/// sums of which one is the identity.
#[test]
fn points_of_all_kinds() {
    let mut rng = rng();
    let count = 300;
    let scalars: Vec<_> = (0..count).map(|_| Fr::random(&mut rng)).collect();
    let bases = points(count);
    let with = |change: &dyn Fn(usize) -> G1Affine| (0..count).map(change).collect::<Vec<_>>();
    for bases in [
        with(&|_| bases[0]),
        with(&|i| if i % 2 == 0 { bases[0] } else { -bases[0] }),
        with(&|_| G1Affine::default()),
        with(&|i| if i % 3 == 0 { G1Affine::default() } else { bases[i] }),
        with(&|i| if i % 5 == 4 { -bases[i - 1] } else { bases[i] }),
    ] {
        for scalars in [&scalars, &vec![Fr::from(5); count], &vec![-Fr::ONE; count]] {
            assert_agrees(scalars, &bases);
        }
    }
}

/// Scalars that stand side by side as those of a lookup do, of one window and of all, and opposite points
/// among them.
#[test]
fn runs_of_equal_scalars() {
    let mut rng = rng();
    let mut bases = points(1 << 10);
    bases[801] = -bases[800];
    for length in [2, 3, 7, 100, 1023] {
        for values in [[Fr::ZERO, Fr::ONE, -Fr::ONE], [(); 3].map(|()| Fr::random(&mut rng))] {
            let scalars: Vec<_> = (0..1 << 10).map(|i| values[i / length % 3]).collect();
            assert_agrees(&scalars, &bases);
            assert_agrees(&scalars[..1000], &bases);
        }
        let scalars: Vec<_> = (0..1 << 10).map(|i| Fr::from((i / length) as u64)).collect();
        assert_agrees(&scalars, &bases);
    }
}

/// Bits, sixteen bits, and both below zero.
#[test]
fn short_scalars() {
    let bases = points(500);
    for most in [2, 1 << 16] {
        let scalars: Vec<_> = (0..500u64).map(|i| Fr::from(i * 40_503 % most)).collect();
        assert_agrees(&scalars, &bases);
        let negative: Vec<_> = scalars.iter().map(|scalar| -scalar).collect();
        assert_agrees(&negative, &bases);
    }
}

/// Of one point by many scalars, among them none, more than a chunk, and those whose digits are the greatest.
#[test]
fn multiples_of_a_point() {
    let mut rng = rng();
    let half = -Fr::TWO_INV;
    let greatest = (0..32u64).map(|window| Fr::from(256).pow([window]) * Fr::from(128));
    let edges = [Fr::ZERO, Fr::ONE, -Fr::ONE, half, half - Fr::ONE, half + Fr::ONE, greatest.sum()];
    let mut scalars = edges.to_vec();
    scalars.extend((0..300).map(|_| Fr::random(&mut rng)));
    for base in [points(1)[0], G1Affine::default()] {
        let expected: Vec<_> = scalars.iter().map(|scalar| (base * scalar).to_affine()).collect();
        for backend in backends() {
            for count in [0, 1, 7, 127, 128, 129, scalars.len()] {
                let multiples = backend.multiples(&base, &scalars[..count]);
                assert!(multiples == expected[..count], "{count} on {backend:?}");
            }
            assert_eq!(backend.multiples(&base, &[Fr::ZERO; 200]), [G1Affine::default(); 200]);
        }
    }
    Backend::counted().multiples(&points(1)[0], &scalars);
}

#[test]
fn columns_at_once() {
    let bases = points(64);
    let columns: Vec<Vec<Fr>> =
        (0..5u64).map(|column| (0..60).map(|i| Fr::from(i + column).square()).collect()).collect();
    for backend in backends() {
        let bases = Bases::with_multiples(backend, &bases);
        let expected: Vec<G1> = columns.iter().map(|column| bases.multiply(column)).collect();
        assert_eq!(bases.multiply_all(&columns), expected);
    }
}

#[test]
fn nothing_is_the_identity() {
    for backend in backends() {
        assert_eq!(Bases::plain(backend, &points(3)).multiply(&[]), G1::identity());
        assert_eq!(Bases::with_multiples(backend, &[]).multiply(&[]), G1::identity());
    }
}

/// No bound depends on a value.
#[test]
fn bounds_hold() {
    let bases = points(100);
    let scalars: Vec<_> = (0..100).map(|i| Fr::from(i).square().square()).collect();
    Bases::plain(Backend::counted(), &bases).multiply(&scalars);
}

#[test]
#[should_panic(expected = "each scalar has a base")]
fn scalars_are_no_more_than_bases() {
    Bases::plain(Backend::best(), &points(1)).multiply(&[Fr::ONE; 2]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn scalars_of_all_kinds(scalars in vec(element(), 1..80)) {
        assert_agrees(&scalars, &points(scalars.len()));
    }
}
