//! Serializers for tests, and small edits that spoil a file.

use std::path::{Path, PathBuf};

use halo2_base::halo2_proofs::{
    halo2curves::{
        bn256::{Bn256, Fq, Fq2, Fr, G1Affine, G2Affine, G1},
        ff::{Field, PrimeField},
        group::Curve,
        serde::SerdeObject,
        CurveAffine,
    },
    poly::{commitment::ParamsProver, kzg::commitment::ParamsKZG},
};
use num_bigint::BigUint;
use tempfile::TempDir;

use crate::{ParamsError, Srs};

/// log₂ of the number of powers in most tests.
pub(super) const K: u32 = 4;
/// Number of powers in most tests.
pub(super) const N: usize = 1 << K;

/// The points of an SRS, free to be spoilt.
#[derive(Clone)]
pub(super) struct Points {
    /// `2^(K+1) − 1` powers, as a .ptau wants.
    pub(super) g: Vec<G1Affine>,
    pub(super) lagrange: Vec<G1Affine>,
    pub(super) g2: G2Affine,
    /// `2^K` powers.
    pub(super) g2_powers: Vec<G2Affine>,
}

impl Points {
    /// From a fresh secret.
    pub(super) fn fresh() -> Self {
        Self::with_tau(Fr::random(muster_testing::rng()))
    }

    /// From a given one.
    pub(super) fn with_tau(tau: Fr) -> Self {
        let power = |i: usize| tau.pow([i as u64]);
        let g: Vec<_> =
            (0..2 * N - 1).map(|i| (G1Affine::generator() * power(i)).to_affine()).collect();
        let g2_powers: Vec<_> =
            (0..N).map(|i| (G2Affine::generator() * power(i)).to_affine()).collect();
        let lagrange = lagrange(tau);
        Self { g, lagrange, g2: g2_powers[0], g2_powers }
    }

    pub(super) fn s_g2(&self) -> G2Affine {
        self.g2_powers[1]
    }
}

/// L_i(τ) = (τⁿ − 1)·ωⁱ / (n·(τ − ωⁱ)), straight from the definition.
fn lagrange(tau: Fr) -> Vec<G1Affine> {
    let omega = Fr::ROOT_OF_UNITY.pow([1 << (Fr::S - K)]);
    let n = Fr::from(N as u64);
    (0..N)
        .map(|i| {
            let root = omega.pow([i as u64]);
            let denominator = Option::<Fr>::from((n * (tau - root)).invert());
            let scalar = (tau.pow([N as u64]) - Fr::ONE) * root * denominator.unwrap_or_default();
            (G1Affine::generator() * scalar).to_affine()
        })
        .collect()
}

pub(super) fn raw(points: &Points) -> Vec<u8> {
    let mut bytes = K.to_le_bytes().to_vec();
    points.g[..N].iter().chain(&points.lagrange).for_each(|p| bytes.extend(p.to_raw_bytes()));
    bytes.extend(points.g2.to_raw_bytes());
    bytes.extend(points.s_g2().to_raw_bytes());
    bytes
}

pub(super) fn ptau(points: &Points) -> Vec<u8> {
    let mut header = 32u32.to_le_bytes().to_vec();
    header.extend(modulus().to_bytes_le());
    header.extend(K.to_le_bytes());
    header.extend((K + 3).to_le_bytes());
    let g1 = points.g.iter().flat_map(|p| p.to_raw_bytes()).collect();
    let g2 = points.g2_powers.iter().flat_map(|p| p.to_raw_bytes()).collect();
    sections(&[(1, header), (2, g1), (3, g2), (7, vec![9; 77])])
}

pub(super) fn sections(sections: &[(u32, Vec<u8>)]) -> Vec<u8> {
    let mut bytes = b"ptau".to_vec();
    bytes.extend(1u32.to_le_bytes());
    bytes.extend((sections.len() as u32).to_le_bytes());
    for (kind, content) in sections {
        bytes.extend(kind.to_le_bytes());
        bytes.extend((content.len() as u64).to_le_bytes());
        bytes.extend(content);
    }
    bytes
}

/// Offset of the content of section 2 in the output of [`ptau`].
pub(super) const PTAU_G1: usize = 12 + 12 + 44 + 12;
/// Offset of the content of section 3.
pub(super) const PTAU_G2: usize = PTAU_G1 + (2 * N - 1) * 64 + 12;

pub(super) fn point_g1(points: &[G1Affine]) -> Vec<u8> {
    points.iter().flat_map(|p| flagged(big_endian(&p.x), integer(&p.y) > integer(&-p.y))).collect()
}

pub(super) fn point_g2(points: &[G2Affine]) -> Vec<u8> {
    let larger = |y: &Fq2| {
        let key = |y: &Fq2| (integer(&y.c1), integer(&y.c0));
        key(y) > key(&-y)
    };
    let encode = |p: &G2Affine| {
        let mut x = big_endian(&p.x.c1);
        x.extend(big_endian(&p.x.c0));
        flagged(x, larger(&p.y))
    };
    points.iter().flat_map(encode).collect()
}

fn flagged(mut bytes: Vec<u8>, larger: bool) -> Vec<u8> {
    bytes[0] |= if larger { 0b1100_0000 } else { 0b1000_0000 };
    bytes
}

fn integer(x: &Fq) -> BigUint {
    BigUint::from_bytes_le(&x.to_repr())
}

fn big_endian(x: &Fq) -> Vec<u8> {
    x.to_repr().iter().rev().copied().collect()
}

/// q, from its hexadecimal constant.
pub(super) fn modulus() -> BigUint {
    BigUint::parse_bytes(Fq::MODULUS.trim_start_matches("0x").as_bytes(), 16).unwrap()
}

/// Adds q to the 32-byte little-endian number at `at`.
pub(super) fn add_modulus(bytes: &mut [u8], at: usize) {
    let sum = BigUint::from_bytes_le(&bytes[at..at + 32]) + modulus();
    let mut sum = sum.to_bytes_le();
    sum.resize(32, 0);
    bytes[at..at + 32].copy_from_slice(&sum);
}

/// A point of the twist that is on the curve but not in G2.
pub(super) fn outside_subgroup() -> G2Affine {
    // The cofactor is huge: the first x that gives a point gives one outside.
    (1u64..)
        .find_map(|i| {
            let x = Fq2::new(Fq::from(i), Fq::ONE);
            let y = Option::<Fq2>::from((x.square() * x + G2Affine::b()).sqrt())?;
            Option::from(G2Affine::from_xy(x, y))
        })
        .unwrap()
}

/// A directory and files in it.
pub(super) struct Scratch(TempDir);

impl Scratch {
    pub(super) fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    pub(super) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(super) fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }

    /// Names of all files, hidden ones as well.
    pub(super) fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.path()).unwrap();
        let mut names: Vec<_> =
            entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

/// The error of a refusal, whose message must name the file.
pub(super) fn refusal(result: Result<Srs, ParamsError>, path: &Path) -> ParamsError {
    let error = result.map(|srs| srs.digest()).unwrap_err();
    let name = path.file_name().unwrap().to_str().unwrap();
    assert!(error.to_string().contains(name), "{error}");
    error
}

pub(super) fn assert_same_points(params: &ParamsKZG<Bn256>, points: &Points) {
    let n = params.get_g().len();
    assert_eq!(params.get_g(), &points.g[..n]);
    assert_eq!(params.g2(), points.g2);
    assert_eq!(params.s_g2(), points.s_g2());
}

/// A G1 point that no SRS holds at a random place.
pub(super) fn stray() -> G1Affine {
    (G1::generator() * Fr::random(muster_testing::rng())).to_affine()
}
