use std::time::Instant;

use halo2_base::halo2_proofs::arithmetic::g_to_lagrange;
use halo2curves::{
    bn256::{Fr, G1Affine, G1},
    ff::{Field, PrimeField, WithSmallOrderMulGroup},
    group::{prime::PrimeCurveAffine, Curve, Group},
    msm::msm_best,
};
use muster_testing::rng;
use proptest::{collection::vec, prelude::*};

use super::{
    products::{halves, rotated},
    round::Point,
    scalars::{cuts, windows, Scalar, Window},
    Bases,
};
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

/// A bucket of more points than are added up together, by itself and between others.
#[test]
fn a_bucket_of_many_points() {
    let step = points(1)[0];
    let multiples = std::iter::successors(Some(G1::generator()), |point| Some(point + step));
    let bases: Vec<_> = multiples.take(10_001).map(|point| point.to_affine()).collect();
    assert_agrees(&vec![Fr::from(7); bases.len()], &bases);
    let scalars = (0..bases.len() as u64).map(|i| Fr::from(if i % 8 == 0 { i / 8 } else { 600 }));
    assert_agrees(&scalars.collect::<Vec<_>>(), &bases);
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

/// Scalars of each length, of either sign: the least and the greatest of it, and few of one length among many of another.
#[test]
fn scalars_of_all_lengths() {
    let bases = points(3 * 254);
    let power = |bits: u64| Fr::from(2).pow([bits]);
    let edges = (0..254).flat_map(|bits| [power(bits), power(bits) - Fr::ONE, -power(bits)]);
    let edges: Vec<_> = edges.collect();
    assert_agrees(&edges, &bases);
    for length in [1, 15, 16, 17, 31, 32, 33, 64, 65, 192, 252, 253] {
        let (least, greatest) = (power(length - 1), power(length) - Fr::ONE);
        let signed = [least, greatest, -least, -greatest];
        let short = (0..600).map(|i| signed[i % 4]);
        assert_agrees(&short.clone().collect::<Vec<_>>(), &bases);
        let few = edges[750..].iter().copied();
        assert_agrees(&short.chain(few).collect::<Vec<_>>(), &bases);
    }
}

/// Windows follow each other from the first bit to the one above the longest scalar, which takes the last carry, and
/// their digits are those of the scalars.
#[test]
fn windows_cover_scalars() {
    let mut rng = rng();
    let power = |bits: u64| Fr::from(2).pow([bits]);
    let limbs = |bits: u64, count: u64| (0..count).map(move |i| power(bits) - Fr::from(1 + i % 7));
    let full: Vec<_> = (0..5000).map(|_| Fr::random(&mut rng)).collect();
    let mixed = limbs(16, 5000).chain(limbs(52, 300)).chain(full[..9].iter().copied()).collect();
    let edges = vec![Fr::ZERO, Fr::ONE, -Fr::ONE, Fr::TWO_INV, -Fr::TWO_INV, power(253)];
    for scalars in [vec![], vec![Fr::ZERO; 9], limbs(13, 20_000).collect(), edges, mixed, full] {
        let scalars: Vec<_> = scalars.iter().map(|it| (*it, Scalar::new(it))).collect();
        let own: Vec<Scalar> = scalars.iter().map(|(_, scalar)| *scalar).collect();
        let windows = cuts(&own);
        let mut end = 0;
        for Window { start, bits } in &windows {
            assert!(*start == end && (1..=16).contains(bits));
            end += bits;
        }
        assert_eq!(end, 1 + own.iter().map(Scalar::bits).max().unwrap_or(0));
        for (expected, scalar) in &scalars {
            let value = windows.iter().rev().fold(Fr::ZERO, |sum, Window { start, bits }| {
                let digit = scalar.digit_from(*start, *bits);
                assert!(digit.unsigned_abs() <= 1 << (bits - 1));
                let own = Fr::from(u64::from(digit.unsigned_abs()));
                sum * power(*bits as u64) + if digit < 0 { -own } else { own }
            });
            assert_eq!(value, *expected);
        }
    }
}

/// Few additions: windows end above many short scalars, and are wider for more scalars.
#[test]
fn windows_are_cut_where_scalars_end() {
    let scalars = |bits: u64, count: u64| (1..=count).map(move |i| Fr::from((1 << bits) - i));
    let cut = |scalars: &[Fr]| cuts(&Scalar::all(scalars));
    let short = (0..8).flat_map(|_| scalars(13, 1 << 13));
    let short: Vec<_> = short.chain(scalars(26, 1 << 6)).collect();
    assert_eq!(cut(&short)[0], Window { start: 0, bits: 14 });
    let few: Vec<_> = scalars(52, 1 << 6).collect();
    let many: Vec<_> = scalars(52, 1 << 14).collect();
    assert!(cut(&many).len() < cut(&few).len());
}

/// Each lies in one line of the caches.
#[test]
fn points_are_aligned() {
    assert_eq!((size_of::<Point>(), align_of::<Point>()), (64, 64));
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

/// Scalars of which a half is as long as can be, or has a digit of each kind.
fn scalars_for_halves() -> Vec<Fr> {
    let mut rng = rng();
    let edges = [Fr::ZERO, Fr::ONE, -Fr::ONE, Fr::ZETA, -Fr::ZETA, Fr::TWO_INV, -Fr::TWO_INV];
    let powers = (0..254).map(|bit| Fr::from(2).pow([bit]));
    let shifted = powers.flat_map(|power| [power, power - Fr::ONE, -power, power * Fr::ZETA]);
    edges.into_iter().chain(shifted).chain((0..300).map(|_| Fr::random(&mut rng))).collect()
}

#[test]
fn halves_are_short() {
    let point = points(1)[0];
    assert_eq!(rotated(&point).to_curve(), point * Fr::ZETA);
    for scalar in scalars_for_halves() {
        let halves = halves(&scalar);
        assert!(windows(&halves, 4) <= 33, "a half of {scalar:?} has more than 128 bits");
        let value = |half: &Scalar| {
            let digits = (0..33).rev().map(|window| half.digit(window, 4));
            let signed = |digit: i32| Fr::from(u64::from(digit.unsigned_abs()));
            digits.fold(Fr::ZERO, |sum, digit| {
                let digit = if digit < 0 { -signed(digit) } else { signed(digit) };
                sum * Fr::from(16) + digit
            })
        };
        assert_eq!(value(&halves[0]) + Fr::ZETA * value(&halves[1]), scalar);
    }
}

/// Each point by its own scalar, among them points and scalars whose products and multiples meet.
#[test]
fn products_of_points() {
    let scalars = scalars_for_halves();
    let mut bases = points(scalars.len());
    let (generator, identity) = (G1Affine::generator(), G1Affine::default());
    let meeting = [generator, -generator, rotated(&generator), generator, identity, bases[0]];
    bases[400..406].copy_from_slice(&meeting);
    bases[..8].fill(identity);
    let expected: Vec<_> = bases.iter().zip(&scalars).map(|(p, s)| (p * s).to_affine()).collect();
    for backend in backends() {
        for count in [0, 1, 7, 8, 9, 300, scalars.len()] {
            let products = backend.products(&bases[..count], &scalars[..count]);
            assert!(products == expected[..count], "{count} on {backend:?}");
        }
        let all = vec![generator; scalars.len()];
        let expected: Vec<_> = scalars.iter().map(|s| (generator * s).to_affine()).collect();
        assert!(backend.products(&all, &scalars) == expected, "of one point on {backend:?}");
    }
    Backend::counted().products(&bases, &scalars);
}

/// The library's transform of points is the reference.
#[test]
fn lagrange_points_are_those_of_the_library() {
    for k in [0, 1, 2, 3, 4, 7, 9] {
        assert_lagrange(&points(1 << k), k);
    }
}

/// Identities, equal points and opposite ones, and such whose sums are the identity at later levels.
#[test]
fn lagrange_points_of_all_kinds() {
    let bases = points(1 << 6);
    let with = |change: &dyn Fn(usize) -> G1Affine| (0..1 << 6).map(change).collect::<Vec<_>>();
    for bases in [
        with(&|_| G1Affine::default()),
        with(&|_| bases[0]),
        with(&|i| if i == 0 { bases[0] } else { G1Affine::default() }),
        with(&|i| if i % 2 == 0 { bases[0] } else { -bases[0] }),
        with(&|i| if i < 32 { bases[i] } else { bases[i - 32] }),
        with(&|i| if i < 32 { bases[i] } else { -bases[i - 32] }),
        with(&|i| if i % 3 == 0 { G1Affine::default() } else { bases[i] }),
        with(&|i| if i % 8 < 4 { bases[i % 4] } else { -bases[i % 4] }),
    ] {
        assert_lagrange(&bases, 6);
    }
    Backend::counted().lagrange(&bases);
}

fn assert_lagrange(monomial: &[G1Affine], k: u32) {
    let expected = g_to_lagrange(monomial.iter().map(|point| point.to_curve()).collect(), k);
    for backend in backends() {
        assert!(backend.lagrange(monomial) == expected, "2^{k} on {backend:?}");
    }
}

/// Prints the seconds of the library and of each back end, in turn, five times. The first two cores:
///
/// ```sh
/// taskset -c 0,1 cargo test --release -p muster-engine --lib measure_lagrange -- --ignored --nocapture
/// ```
#[test]
#[ignore = "it takes minutes, and nothing depends on it"]
fn measure_lagrange() {
    let step = G1::generator();
    for k in [11, 14, 17] {
        let bases = std::iter::successors(Some(step), |point| Some(point + step));
        let bases: Vec<G1> = bases.take(1 << k).collect();
        let mut affine = vec![G1Affine::default(); bases.len()];
        G1::batch_normalize(&bases, &mut affine);
        println!("2^{k}: library, then {:?}", backends());
        for _ in 0..5 {
            let start = Instant::now();
            let expected: Vec<G1Affine> = g_to_lagrange(bases.clone(), k);
            let mut seconds = vec![start.elapsed().as_secs_f64()];
            for backend in backends() {
                let start = Instant::now();
                let made = backend.lagrange(&affine);
                seconds.push(start.elapsed().as_secs_f64());
                assert!(made == expected, "2^{k} on {backend:?}");
            }
            println!("{seconds:.3?}");
        }
    }
}

#[test]
#[should_panic(expected = "a domain has 2^k points")]
fn lagrange_points_are_a_power_of_two() {
    Backend::best().lagrange(&points(3));
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
