//! Decoding: canonical, on the curve, and (separately, so that it can be batched) in the subgroup.
//!
//! Many points are tested for the subgroup by sums of them. The cofactor of G1 is odd and its least
//! prime factor 3. With coefficients from {0, 1, 2} that are drawn after the points, a set with a
//! point outside has a sum outside with a probability of at least 2/3: given all other coefficients,
//! two of the point's three multiples differ from the one that would pass. 81 sums let it pass with
//! a probability of 3^-81 < 2^-128. Five sums share one pass over 3^5 buckets.

use ark_bls12_381::Fq;
use rayon::prelude::*;
use sha2::{Digest, Sha256};

use super::{
    lanes::{add_in_lanes, double_in_lanes, Lane},
    sum::Entries,
    G1Affine, G2Affine,
};

/// Bytes of a compressed point of G1.
pub const G1_BYTES: usize = 48;
/// Bytes of a compressed point of G2.
pub const G2_BYTES: usize = 96;
/// Bytes of an uncompressed point of G1.
pub const G1_UNCOMPRESSED_BYTES: usize = 96;

/// What is wrong with a point's bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PointFault {
    /// Not the canonical encoding of a point of the curve.
    #[error("not the encoding of a point of the curve")]
    NotOnCurve,
    /// A point outside the group of prime order.
    #[error("not in the subgroup")]
    NotInSubgroup,
    /// The identity where it has no place.
    #[error("the identity")]
    Identity,
}

/// A point of G1 from ZCash's compressed encoding: canonical, on the curve, in the subgroup.
///
/// # Errors
///
/// [`PointFault::NotOnCurve`] or [`PointFault::NotInSubgroup`].
pub fn decode_g1(bytes: &[u8; G1_BYTES]) -> Result<G1Affine, PointFault> {
    let point = decode_on_curve(bytes)?;
    bool::from(point.is_torsion_free()).then_some(point).ok_or(PointFault::NotInSubgroup)
}

/// A point of G1 from its encoding: canonical and on the curve. Whether it is in the subgroup is left to
/// [`all_in_g1`].
///
/// # Errors
///
/// [`PointFault::NotOnCurve`].
pub fn decode_on_curve(bytes: &[u8; G1_BYTES]) -> Result<G1Affine, PointFault> {
    let point = G1Affine::from_compressed_unchecked(bytes).into_option();
    point.ok_or(PointFault::NotOnCurve)
}

/// A point of G1 from its uncompressed encoding: canonical and on the curve. Whether it is in the subgroup is left to
/// [`all_in_g1`].
pub fn decode_uncompressed_on_curve(bytes: &[u8; G1_UNCOMPRESSED_BYTES]) -> Option<G1Affine> {
    let point = G1Affine::from_uncompressed_unchecked(bytes).into_option();
    point.filter(|point| bool::from(point.is_on_curve()))
}

/// A point of G2, with the rules of [`decode_g1`].
///
/// # Errors
///
/// As [`decode_g1`].
pub fn decode_g2(bytes: &[u8; G2_BYTES]) -> Result<G2Affine, PointFault> {
    let point = G2Affine::from_compressed_unchecked(bytes).into_option();
    let point = point.ok_or(PointFault::NotOnCurve)?;
    bool::from(point.is_torsion_free()).then_some(point).ok_or(PointFault::NotInSubgroup)
}

/// Sums: 3^-81 is below 2^-128.
const SUMS: usize = 81;
/// Sums in a pass.
const SHARED: usize = 5;
/// 3^5.
const BUCKETS: usize = 243;
/// The least number of points for which the sums are faster than a test for each: measured.
const LEAST: usize = 200;

/// Whether all points, which are on the curve, are in the group of prime order. `seed` is a hash of them all.
pub fn all_in_g1(points: &[G1Affine], seed: &[u8; 32]) -> bool {
    let is_in = |point: &G1Affine| bool::from(point.is_torsion_free());
    if points.len() < LEAST {
        return points.par_iter().all(is_in);
    }
    let lanes: Vec<Lane<Fq>> = points.par_iter().map(Lane::from).collect();
    let passes = SUMS.div_ceil(SHARED) as u64;
    (0..passes).into_par_iter().all(|pass| sums(&lanes, seed, pass).iter().all(is_in))
}

/// Five sums with coefficients from a hash.
fn sums(points: &[Lane<Fq>], seed: &[u8; 32], pass: u64) -> Vec<G1Affine> {
    let mut entries = Entries::with_capacity(points.len());
    coefficients(seed, pass).zip(points).for_each(|(bucket, point)| {
        entries.push(u32::from(bucket), *point);
    });
    let buckets = entries.sums(BUCKETS);
    let mut parts = Entries::with_capacity(SHARED * BUCKETS);
    for (bucket, sum) in buckets.iter().enumerate() {
        let mut digits = bucket;
        for place in 0..SHARED as u32 {
            match digits % 3 {
                0 => {}
                digit => parts.push(2 * place + digit as u32 - 1, *sum),
            }
            digits /= 3;
        }
    }
    // For each sum, the points that count once, and those that count twice.
    let parts = parts.sums(2 * SHARED);
    let mut twice: Vec<Lane<Fq>> = parts.iter().skip(1).step_by(2).copied().collect();
    double_in_lanes(&mut twice);
    add_in_lanes(&mut twice, |place| parts[2 * place]);
    twice.iter().map(G1Affine::from).collect()
}

/// Five base-3 digits per point: bytes below 243 of a hash in counter mode.
fn coefficients(seed: &[u8; 32], pass: u64) -> impl Iterator<Item = u8> + '_ {
    let block = move |counter: u64| {
        let mut hash = Sha256::new();
        hash.update(b"muster-pvss-subgroup-v1");
        hash.update(seed);
        hash.update(pass.to_le_bytes());
        hash.update(counter.to_le_bytes());
        <[u8; 32]>::from(hash.finalize())
    };
    (0u64..).flat_map(block).filter(|byte| usize::from(*byte) < BUCKETS)
}
