//! Bases for packs against polynomials at a known τ, and their file.

use std::fs;

use halo2_base::halo2_proofs::{
    halo2curves::{
        bn256::{Fr, G1Affine, G1},
        ff::{Field, PrimeField},
        group::Group,
    },
    poly::commitment::ParamsProver,
};
use muster_testing::rng;
use sha2::{Digest, Sha256};

use super::files::Scratch;
use crate::{
    packs::PackBases, parts::Parts, Origin, ParamsError as E, PointFault, PointName, Srs, SrsCache,
};

fn made(k: u32, tau: Fr) -> Srs {
    Srs::new(Parts::of_secret(k, tau).assembled(), Origin::Insecure)
}

fn secret() -> Fr {
    Fr::random(rng())
}

fn sum<'a>(scalars: &[Fr], points: impl IntoIterator<Item = &'a G1Affine>) -> G1 {
    scalars.iter().zip(points).fold(G1::identity(), |sum, (scalar, point)| sum + point * scalar)
}

/// The coefficients of the polynomial with these values at the powers of the root of unity.
fn interpolated(values: &[Fr], k: u32) -> Vec<Fr> {
    let root = Fr::ROOT_OF_UNITY.pow_vartime([1 << (Fr::S - k)]).invert().unwrap();
    let inverse = Fr::from(values.len() as u64).invert().unwrap();
    let coefficient = |i: u64| {
        let step = root.pow_vartime([i]);
        inverse * values.iter().rev().fold(Fr::ZERO, |sum, value| sum * step + value)
    };
    (0..values.len() as u64).map(coefficient).collect()
}

#[test]
fn a_pack_is_its_polynomial() {
    let mut rng = rng();
    for (k, stride, srs_k) in [(4, 1, 4), (4, 2, 6), (4, 3, 6), (5, 4, 8), (4, 7, 8), (1, 2, 3)] {
        let tau = Fr::random(&mut rng);
        let srs = made(srs_k, tau);
        let bases = PackBases::new(&srs, k, stride).unwrap();
        assert_eq!((bases.k(), bases.stride()), (k, stride as usize));
        let (n, step) = (1 << k, stride as usize);
        // All places, and a pack that leaves the last one out.
        for places in [step, step - 1] {
            let mut coefficients = vec![Fr::ZERO; step * (n + 4)];
            let mut commitment = G1::identity();
            for place in 0..places {
                let values: Vec<_> = (0..n).map(|_| Fr::random(&mut rng)).collect();
                let blinders: Vec<_> = (0..4).map(|_| Fr::random(&mut rng)).collect();
                commitment += sum(&values, &bases.lagrange()[place]);
                commitment += sum(&blinders, &bases.further()[place]);
                for (row, number) in interpolated(&values, k).into_iter().enumerate() {
                    coefficients[place + step * row] += number;
                }
                for (b, blinder) in blinders.into_iter().enumerate() {
                    coefficients[place + step * (n + b)] += blinder;
                    coefficients[place + step * b] -= blinder;
                }
            }
            let at_tau = coefficients.iter().rev().fold(Fr::ZERO, |sum, c| sum * tau + c);
            assert_eq!(commitment, G1::generator() * at_tau, "k = {k}, T = {stride}");
            let powers = srs.params().get_g().iter().chain(srs.further_powers());
            assert_eq!(commitment, sum(&coefficients, powers), "k = {k}, T = {stride}");
        }
    }
}

#[test]
fn a_stride_of_one_is_the_lagrange_basis() {
    let tau = secret();
    let (small, large) = (made(6, tau), made(7, tau));
    let expected = Parts::of_secret(6, tau).g_lagrange.unwrap();
    for srs in [small, large] {
        assert_eq!(PackBases::new(&srs, 6, 1).unwrap().lagrange(), std::slice::from_ref(&expected));
        assert_eq!(srs.downsized(6).unwrap().lagrange(), expected);
    }
}

#[test]
fn one_power_too_few() {
    let tau = secret();
    assert_eq!(PackBases::powers(4, 3), 60);
    let text = PackBases::new(&made(5, tau), 4, 3).unwrap_err().to_string();
    assert!(text.contains("need 60 powers, and the SRS for k = 5 has 36"), "{text}");
    assert!(text.ends_with("muster srs make --degree 6 --insecure-srs"), "{text}");
    let bare = |k, count| {
        let mut parts = Parts::of_secret(k, tau);
        parts.further.truncate(count);
        Srs::new(parts.assembled(), Origin::Insecure)
    };
    assert!(PackBases::new(&bare(5, 4), 5, 1).is_ok());
    let text = PackBases::new(&bare(5, 0), 5, 1).unwrap_err().to_string();
    assert!(text.contains("need 36 powers, and the SRS for k = 5 has 32"), "{text}");
    assert!(text.contains("--degree 5 --insecure-srs --force"), "{text}");
    let short = PackBases::new(&made(7, tau), 2, 17);
    assert!(matches!(short, Err(E::TooFewPowers { needed: 136, found: 132, degree: 8, .. })));
    assert!(matches!(PackBases::new(&made(2, tau), 2, 0), Err(E::Stride)));
    assert!(matches!(PackBases::new(&made(2, tau), 0, 1), Err(E::Degree { k: 0 })));
    assert!(matches!(PackBases::new(&made(2, tau), 28, u32::MAX), Err(E::Degree { .. })));
}

#[test]
fn a_file_is_kept_and_remade() {
    let (scratch, tau) = (Scratch::new(), secret());
    let (cache, srs, larger) = (SrsCache::new(scratch.path()), made(7, tau), made(8, tau));
    let bases = cache.pack_bases(&srs, 4, 3).unwrap();
    let path = cache.pack_bases_path(&srs, 4, 3);
    let good = fs::read(&path).unwrap();
    assert_eq!(PackBases::read(&path, &srs, 4, 3).unwrap(), bases);
    assert_eq!(path, cache.pack_bases_path(&larger, 4, 3), "one file for all sizes of an SRS");
    assert_eq!(PackBases::read(&path, &larger, 4, 3).unwrap(), bases);

    let other = made(7, secret());
    assert_ne!(path, cache.pack_bases_path(&other, 4, 3));
    for (srs, k, stride) in [(&other, 4, 3), (&srs, 3, 3), (&srs, 4, 2)] {
        let refused = PackBases::read(&path, srs, k, stride);
        assert!(matches!(refused, Err(E::Corrupt { .. })), "{refused:?}");
    }

    let line = good.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    let mut damaged: Vec<Vec<u8>> = vec![vec![], good[..good.len() - 1].to_vec()];
    damaged.push([&good[..], &[0]].concat());
    for at in [0, 13, line - 3, line, line + 32, good.len() - 1] {
        let mut bytes = good.clone();
        bytes[at] ^= 1;
        damaged.push(bytes);
    }
    for bytes in damaged {
        fs::write(&path, &bytes).unwrap();
        assert!(PackBases::read(&path, &srs, 4, 3).is_err());
        assert_eq!(cache.pack_bases(&srs, 4, 3).unwrap(), bases);
        assert_eq!(fs::read(&path).unwrap(), good, "remade");
    }
    // No temporary file is left.
    assert_eq!(fs::read_dir(scratch.path()).unwrap().count(), 1);
}

/// Points off the curve are refused even if all digests are right.
#[test]
fn points_are_checked() {
    let (scratch, srs) = (Scratch::new(), made(7, secret()));
    let cache = SrsCache::new(scratch.path());
    cache.pack_bases(&srs, 4, 3).unwrap();
    let path = cache.pack_bases_path(&srs, 4, 3);
    let good = fs::read(&path).unwrap();
    let line = good.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    let old = hex::encode(Sha256::digest(&good[line + 32..]));
    for (index, zeros, fault) in
        [(0, false, PointFault::NotOnCurve), (59, true, PointFault::Identity)]
    {
        let mut body = good[line + 32..].to_vec();
        if zeros {
            body[64 * index..][..64].fill(0);
        } else {
            body.copy_within(64..96, 0);
        }
        let text = String::from_utf8(good[..line].to_vec()).unwrap();
        let text = text.replace(&old, &hex::encode(Sha256::digest(&body)));
        let file = [text.as_bytes(), &Sha256::digest(text.as_bytes()), &body].concat();
        fs::write(&path, file).unwrap();
        let error = PackBases::read(&path, &srs, 4, 3).unwrap_err();
        let E::Point { point, fault: found, .. } = error else { panic!("{error}") };
        assert_eq!((point, found), (PointName::PackBase(index as u64), fault));
    }
}

#[test]
fn makers_at_the_same_time() {
    let (scratch, srs) = (Scratch::new(), made(6, secret()));
    let cache = SrsCache::new(scratch.path());
    let expected = PackBases::new(&srs, 4, 2).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| assert_eq!(cache.pack_bases(&srs, 4, 2).unwrap(), expected));
        }
    });
    let path = cache.pack_bases_path(&srs, 4, 2);
    assert_eq!(PackBases::read(&path, &srs, 4, 2).unwrap(), expected);
}
