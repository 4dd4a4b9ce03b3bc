//! Points of `blstrs` with scalars of halo2curves.

use blst::{blst_p1, blst_p1_affine, p1_affines, p2_affines, MultiPoint};
use blstrs::{Bls12, G2Prepared, Scalar};
use ff::PrimeField;
use group::Group;
use pairing::{MillerLoopResult, MultiMillerLoop};

use super::{Fr, G1Affine, G1Projective, G2Affine, G2Projective};

/// A scalar as blst takes it: 32 bytes, little-endian, canonical.
pub fn scalar_bytes(scalar: &Fr) -> [u8; 32] {
    scalar.to_repr()
}

/// A scalar from its 32 canonical bytes, little-endian; `None` if they are not below the order.
pub fn scalar(bytes: &[u8; 32]) -> Option<Fr> {
    Fr::from_repr(*bytes).into_option()
}

/// The same bytes as words, lowest first.
pub(super) fn words(bytes: &[u8; 32]) -> [u64; 4] {
    let (words, _) = bytes.as_chunks();
    std::array::from_fn(|place| u64::from_le_bytes(words[place]))
}

/// Divides words, lowest first, in place by a word, and returns what remains.
#[inline]
pub(super) fn divide<const N: usize>(words: &mut [u64; N], divisor: u64) -> u64 {
    let mut rest = 0u128;
    for word in words.iter_mut().rev() {
        let value = rest << 64 | u128::from(*word);
        *word = (value / u128::from(divisor)) as u64;
        rest = value % u128::from(divisor);
    }
    rest as u64
}

fn as_blst(scalar: &Fr) -> Scalar {
    // The same field, and a canonical encoding of it.
    Scalar::from_repr_vartime(scalar.to_repr()).unwrap_or_default()
}

/// s·P, by blst in constant time.
pub fn multiply_g1(point: &G1Projective, scalar: &Fr) -> G1Projective {
    point * as_blst(scalar)
}

/// s·Q, by blst in constant time.
pub fn multiply_g2(point: &G2Projective, scalar: &Fr) -> G2Projective {
    point * as_blst(scalar)
}

/// A point of G1 whose logarithm nobody knows (RFC 9380, `XMD:SHA-256_SSWU_RO`).
pub fn hash_to_g1(message: &[u8], tag: &[u8]) -> G1Affine {
    G1Projective::hash_to_curve(message, tag, &[]).into()
}

/// Affine coordinates of all points with one inversion.
pub fn normalize_g1(points: &[G1Projective]) -> Vec<G1Affine> {
    if points.is_empty() {
        return vec![];
    }
    let raw: Vec<blst_p1> = points.iter().map(|point| *point.as_ref()).collect();
    let from = |raw: &_| {
        let mut point = G1Affine::default();
        *point.as_mut() = *raw;
        point
    };
    p1_affines::from(&raw).as_slice().iter().map(from).collect()
}

/// The same in G2.
pub fn normalize_g2(points: &[G2Projective]) -> Vec<G2Affine> {
    if points.is_empty() {
        return vec![];
    }
    let raw: Vec<_> = points.iter().map(|point| *point.as_ref()).collect();
    let from = |raw: &_| {
        let mut point = G2Affine::default();
        *point.as_mut() = *raw;
        point
    };
    p2_affines::from(&raw).as_slice().iter().map(from).collect()
}

/// The sum of points, in pairs with shared inversions. Not in constant time.
pub fn sum_points_g1(points: &[G1Affine]) -> G1Projective {
    if points.is_empty() {
        return G1Projective::identity();
    }
    let raw: Vec<blst_p1_affine> = points.iter().map(|point| *point.as_ref()).collect();
    let mut sum = G1Projective::identity();
    *sum.as_mut() = raw.as_slice().add();
    sum
}

/// Whether Π e(Pᵢ, Qᵢ) = 1. A pair with the identity counts as one.
pub fn pairings_cancel(pairs: &[(G1Affine, G2Affine)]) -> bool {
    let prepared: Vec<(G1Affine, G2Prepared)> =
        pairs.iter().map(|(p, q)| (*p, G2Prepared::from(*q))).collect();
    let terms: Vec<_> = prepared.iter().map(|(p, q)| (*p, q)).collect();
    prepared_pairings_cancel(&terms)
}

/// The same, with the lines of the points in G2 precomputed, so that they can be kept.
pub fn prepared_pairings_cancel(pairs: &[(G1Affine, &G2Prepared)]) -> bool {
    let terms: Vec<_> = pairs.iter().map(|(p, q)| (p, *q)).collect();
    let product = Bls12::multi_miller_loop(&terms).final_exponentiation();
    bool::from(product.is_identity())
}
