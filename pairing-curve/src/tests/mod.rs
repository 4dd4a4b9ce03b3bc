//! Everything against the plain formula.

use ff::{Field, PrimeField};
use group::{prime::PrimeCurveAffine, Curve, Group};
use rand::{RngCore, SeedableRng};
use rand_chacha::ChaCha20Rng;

use super::{endomorphism, *};

fn rng() -> ChaCha20Rng {
    ChaCha20Rng::seed_from_u64(17)
}

fn points(count: usize) -> Vec<G1Affine> {
    let mut rng = rng();
    let random = || multiply_g1(&G1Projective::generator(), &Fr::random(&mut rng));
    normalize_g1(&std::iter::repeat_with(random).take(count).collect::<Vec<_>>())
}

#[test]
fn halves_make_the_scalar() {
    let edge = [Fr::ZERO, Fr::ONE, -Fr::ONE, endomorphism::lambda(), -endomorphism::lambda()];
    let mut rng = rng();
    for scalar in edge.into_iter().chain((0..200).map(|_| Fr::random(&mut rng))) {
        let (a, b) = endomorphism::halves(&scalar_bytes(&scalar));
        assert_eq!(Fr::from_u128(a) + Fr::from_u128(b) * endomorphism::lambda(), scalar);
    }
}

#[test]
fn lanes_know_every_case() {
    let p = points(2);
    let zero = G1Affine::identity();
    let doubled: G1Affine = (p[0] + p[0].to_curve()).to_affine();
    // Of order three, on the curve but not in the group: its first coordinate is that of the identity's lane.
    let three = G1Affine::from(&Lane { x: Fq::from(0), y: Fq::from(2) });
    let with_three: G1Affine = (p[0].to_curve() + three).to_affine();
    let cases = [
        (p[0], three, with_three),
        (three, p[0], with_three),
        (three, three, -three),
        (three, -three, zero),
        (three, zero, three),
        (p[0], p[1], (p[0].to_curve() + p[1]).to_affine()),
        (p[0], p[0], doubled),
        (p[0], -p[0], zero),
        (p[0], zero, p[0]),
        (zero, p[1], p[1]),
        (zero, zero, zero),
    ];
    let mut lanes: Vec<Lane<_>> = cases.iter().map(|case| Lane::from(&case.0)).collect();
    add_in_lanes(&mut lanes, |i| Lane::from(&cases[i].1));
    for (lane, case) in lanes.iter().zip(&cases) {
        assert_eq!(G1Affine::from(lane), case.2);
    }
}

#[test]
fn transforms_of_bits() {
    let mut rng = rng();
    for size in [1, 2, 4, 8, 16, 3, 12, 11, 33, 66, 19, 57, 76, 228] {
        let transform = Transform::new(size);
        let factor = Fr::random(&mut rng);
        let bits: Vec<u8> = (0..size).map(|_| (rng.next_u32() & 1) as u8).collect();
        let plain: Vec<Fr> = bits.iter().map(|bit| factor * Fr::from(u64::from(*bit))).collect();
        let (mut expected, mut found) = (vec![Fr::ZERO; size], vec![Fr::ZERO; size]);
        transform.forward(&plain, &mut expected);
        transform.forward_bits(&bits, &factor, &mut found);
        assert_eq!(found, expected, "{size}");
        transform.inverse_unscaled(&plain, &mut expected);
        transform.inverse_bits_unscaled(&bits, &factor, &mut found);
        assert_eq!(found, expected, "{size}");
    }
}

#[test]
fn lanes_double() {
    let p = points(2);
    let three = G1Affine::from(&Lane { x: Fq::from(0), y: Fq::from(2) });
    let all = [p[0], G1Affine::identity(), three, p[1]];
    let mut lanes: Vec<Lane<_>> = all.iter().map(Lane::from).collect();
    double_in_lanes(&mut lanes);
    for (lane, point) in lanes.iter().zip(&all) {
        assert_eq!(G1Affine::from(lane), point.to_curve().double().to_affine());
    }
}

#[test]
fn plain_operations_are_those_of_the_field() {
    let mut rng = rng();
    let limit = -Fq::from(1);
    let mut values = vec![Fq::from(0), Fq::from(1), limit, limit - Fq::from(1)];
    values.extend(points(6).iter().map(|point| Lane::from(point).x * Fq::from(rng.next_u64())));
    for a in &values {
        assert_eq!(a.vanishes(), *a == Fq::from(0));
        assert_eq!((a.negated_if(false), a.negated_if(true)), (*a, -*a));
        for b in &values {
            assert_eq!((a.plus(b), a.minus(b)), (*a + b, *a - b));
            let (c, d) = (Fq2::new(*a, *b), Fq2::new(*b, limit));
            assert_eq!((c.plus(&d), c.minus(&d), c.negated_if(true)), (c + d, c - d, -c));
        }
    }
}

#[test]
fn lanes_of_the_other_group() {
    let g = G2Projective::generator();
    let p = normalize_g2(&[g, g.double(), -g]);
    let mut lanes: Vec<Lane<_>> = p.iter().map(Lane::from).collect();
    add_in_lanes(&mut lanes, |_| Lane::from(&p[0]));
    let sums: Vec<G2Affine> = lanes.iter().map(G2Affine::from).collect();
    assert_eq!(sums, normalize_g2(&[g.double(), g.double() + g, G2Projective::identity()]));
}

#[test]
fn differences_are_first_coordinates() {
    let p = points(6);
    let lanes: Vec<_> = p.iter().map(Lane::from).collect();
    let (mut sums, mut minus) = (vec![Default::default(); 5], vec![Default::default(); 5]);
    differences(&lanes[0], &lanes[1..], &mut sums, &mut minus);
    for i in 0..5 {
        let other = p[i + 1].to_curve();
        assert_eq!(Lane::from(&(p[0] + other).to_affine()).x, sums[i]);
        assert_eq!(Lane::from(&(p[0] - other).to_affine()).x, minus[i]);
    }
}

#[test]
fn fixed_bases_multiply() {
    let p = points(1)[0];
    let mut rng = rng();
    let scalars: Vec<Fr> = [Fr::ZERO, Fr::ONE, -Fr::ONE]
        .into_iter()
        .chain((0..5).map(|_| Fr::random(&mut rng)))
        .collect();
    let table = FixedBase::new(&p, 32);
    for (lane, scalar) in table.multiply(&scalars).iter().zip(&scalars) {
        assert_eq!(G1Affine::from(lane), multiply_g1(&p.into(), scalar).to_affine());
    }
    let q = G2Affine::generator();
    for (lane, scalar) in FixedBase::new(&q, 32).multiply(&scalars).iter().zip(&scalars) {
        assert_eq!(G2Affine::from(lane), multiply_g2(&q.into(), scalar).to_affine());
    }
    let small = FixedBase::new(&p, 2);
    let mut sums = vec![Lane::from(&p); 3];
    small.add_multiples(&mut sums, &[0, 0, 255, 255, 0, 1]);
    for (sum, scalar) in sums.iter().zip([1u64, 65536, 257]) {
        assert_eq!(G1Affine::from(sum), multiply_g1(&p.into(), &Fr::from(scalar)).to_affine());
    }
}

#[test]
fn many_products_of_few_points() {
    let p = points(3);
    let mut rng = rng();
    let scalars: Vec<Fr> = [Fr::ZERO, Fr::ONE, -Fr::ONE]
        .into_iter()
        .chain((0..5).map(|_| Fr::random(&mut rng)))
        .collect();
    let digits: Vec<Digits> = scalars.iter().map(Digits::new).collect();
    let all: Vec<(usize, usize)> =
        (0..p.len()).flat_map(|i| (0..scalars.len()).map(move |s| (i, s))).collect();
    for (lane, (i, s)) in Multiples::new(&p).multiply(&all, &digits).iter().zip(&all) {
        assert_eq!(G1Affine::from(lane), multiply_g1(&p[*i].into(), &scalars[*s]).to_affine());
    }
}

#[test]
fn sums_are_sums() {
    let p = points(300);
    let mut rng = rng();
    let scalars: Vec<Fr> = (0..300).map(|_| Fr::random(&mut rng)).collect();
    let plain: G1Projective = p.iter().zip(&scalars).map(|(p, s)| multiply_g1(&p.into(), s)).sum();
    assert_eq!(sum_g1(&p, &scalars), plain);
    assert_eq!(sum_g1(&[], &[]), G1Projective::identity());
    let short: Vec<u128> = (0..300).map(|i| u128::MAX - i).collect();
    let wide: Vec<Fr> = short.iter().map(|s| Fr::from_u128(*s)).collect();
    assert_eq!(sum_g1_short(&p, &short), sum_g1(&p, &wide));
    assert_eq!(sum_points_g1(&p), p.iter().map(G1Projective::from).sum());
    let q = normalize_g2(&[G2Projective::generator(), G2Projective::generator().double()]);
    let expected = multiply_g2(&G2Projective::generator(), &(scalars[0] + scalars[1].double()));
    assert_eq!(sum_g2(&q, &scalars[..2]), expected);
    let many: Vec<G2Projective> =
        scalars.iter().map(|s| multiply_g2(&G2Projective::generator(), s)).collect();
    let square: Fr = scalars.iter().map(|s| *s * s).sum();
    let expected = multiply_g2(&G2Projective::generator(), &square);
    assert_eq!(sum_g2(&normalize_g2(&many), &scalars), expected);
}

#[test]
fn one_point_outside_among_many() {
    let mut p = points(230);
    let seed = [7; 32];
    assert!(all_in_g1(&p, &seed) && all_in_g1(&p[..3], &seed));
    let small = G1Affine::from(&Lane { x: Fq::from(0), y: Fq::from(2) });
    assert!(!all_in_g1(&[small], &seed));
    for place in [0, 100, 229] {
        let good = p[place];
        p[place] = (good.to_curve() + small).to_affine();
        assert!(!all_in_g1(&p, &seed), "{place}");
        // Two whose errors would cancel in a plain sum.
        let other = (place + 1) % 230;
        let kept = p[other];
        p[other] = (kept.to_curve() - small).to_affine();
        assert!(!all_in_g1(&p, &seed), "{place}");
        (p[place], p[other]) = (good, kept);
    }
}

#[test]
fn sums_of_stored_bases() {
    let p = points(100);
    let mut rng = rng();
    let mut scalars: Vec<Fr> = (0..100).map(|_| Fr::random(&mut rng)).collect();
    scalars[..4].copy_from_slice(&[Fr::ZERO, Fr::ONE, -Fr::ONE, -Fr::ONE]);
    let stored = StoredBases::new(&p);
    for (first, count) in [(0, 100), (1, 99), (50, 20), (3, 1)] {
        let expected = sum_g1(&p[first..first + count], &scalars[..count]);
        assert_eq!(stored.sum(first, &scalars[..count]), expected);
    }
    // Equal and opposite points meet in buckets.
    let same = vec![p[0]; 200];
    let mut scalars = vec![Fr::from(3); 200];
    scalars[1..3].fill(-Fr::from(3));
    let expected = multiply_g1(&p[0].into(), &Fr::from(3 * 196));
    assert_eq!(sum_g1(&same, &scalars), expected);
}

#[test]
fn transforms_of_every_odd_part() {
    let mut rng = rng();
    for size in ODD_FACTORS.iter().flat_map(|odd| [1, 2, 4, 8].map(|two| odd * two)) {
        let transform = Transform::new(size);
        let coefficients: Vec<Fr> = (0..size).map(|_| Fr::random(&mut rng)).collect();
        let mut values = vec![Fr::ZERO; size];
        transform.forward(&coefficients, &mut values);
        for (x, value) in transform.roots().iter().zip(&values) {
            let plain = coefficients.iter().rev().fold(Fr::ZERO, |sum, c| sum * x + c);
            assert_eq!(*value, plain, "{size}");
        }
        let mut back = vec![Fr::ZERO; size];
        transform.inverse_unscaled(&values, &mut back);
        let scaled = back.iter().map(|c| *c * transform.scale());
        assert_eq!(scaled.collect::<Vec<_>>(), coefficients);
    }
    assert_eq!(domain_size(2049), 2112);
    assert_eq!(domain_size(49), 57);
    assert_eq!(Transform::new(1 << 5).roots()[1], {
        (5..Fr::S).fold(Fr::ROOT_OF_UNITY, |root, _| root.square())
    });
}

#[test]
fn pairings_that_cancel() {
    let (g, h) = (G1Affine::generator(), G2Affine::generator());
    let s = Fr::from(77);
    let left: G1Affine = multiply_g1(&g.into(), &s).into();
    let right: G2Affine = multiply_g2(&h.into(), &s).into();
    assert!(pairings_cancel(&[(left, h), (-g, right)]));
    assert!(!pairings_cancel(&[(left, h), (g, right)]));
    assert!(pairings_cancel(&[(G1Affine::identity(), h)]));
}
