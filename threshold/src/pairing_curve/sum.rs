//! Σ sᵢPᵢ of public scalars and points, on all threads.

use blst::{blst_p1, blst_p1_affine, blst_p2, blst_p2_affine, MultiPoint};
use group::Group;
use rayon::prelude::*;

use super::{
    endomorphism::{beta, halves, image, HALF_BITS},
    lanes::Lane,
    scalar_bytes, Fr, G1Affine, G1Projective, G2Affine, G2Projective,
};

/// Bits of a scalar.
const BITS: usize = 255;
/// Least number of points for a thread.
const CHUNK: usize = 128;

/// blst's sum of points with scalars of `bits` bits, in as many parts as there are threads.
fn sums<A, P>(points: &[A], scalars: &[u8], bits: usize) -> Vec<P>
where
    A: Sync,
    P: Send,
    [A]: MultiPoint<Output = P>,
{
    let chunk = points.len().div_ceil(rayon::current_num_threads()).max(CHUNK);
    let scalars = scalars.par_chunks(chunk * bits.div_ceil(8));
    points.par_chunks(chunk).zip(scalars).map(|(points, s)| points.mult(s, bits)).collect()
}

fn add_g1(parts: &[blst_p1]) -> G1Projective {
    parts.iter().fold(G1Projective::identity(), |sum, part| {
        let mut point = G1Projective::identity();
        *point.as_mut() = *part;
        sum + point
    })
}

/// Σ sᵢPᵢ in G1. As many scalars as points; not in constant time.
pub fn sum_g1(points: &[G1Affine], scalars: &[Fr]) -> G1Projective {
    assert_eq!(points.len(), scalars.len(), "a scalar a point");
    let beta = beta();
    let images = |point: &G1Affine| {
        let image = G1Affine::from(&image(&Lane::from(point), &beta));
        [*point.as_ref(), *image.as_ref()]
    };
    let raw: Vec<blst_p1_affine> = points.iter().flat_map(images).collect();
    let halves = scalars.iter().flat_map(|scalar| <[u128; 2]>::from(halves(&scalar_bytes(scalar))));
    let bytes: Vec<u8> = halves.flat_map(u128::to_le_bytes).collect();
    add_g1(&sums(&raw, &bytes, HALF_BITS))
}

/// Σ sᵢPᵢ in G1 for scalars of 128 bits.
pub fn sum_g1_short(points: &[G1Affine], scalars: &[u128]) -> G1Projective {
    assert_eq!(points.len(), scalars.len(), "a scalar a point");
    let raw: Vec<blst_p1_affine> = points.iter().map(|point| *point.as_ref()).collect();
    let bytes: Vec<u8> = scalars.iter().flat_map(|scalar| scalar.to_le_bytes()).collect();
    add_g1(&sums(&raw, &bytes, 128))
}

/// Σ sᵢQᵢ in G2. As many scalars as points; not in constant time.
pub fn sum_g2(points: &[G2Affine], scalars: &[Fr]) -> G2Projective {
    assert_eq!(points.len(), scalars.len(), "a scalar a point");
    let raw: Vec<blst_p2_affine> = points.iter().map(|point| *point.as_ref()).collect();
    let bytes: Vec<u8> = scalars.iter().flat_map(scalar_bytes).collect();
    let parts: Vec<blst_p2> = sums(&raw, &bytes, BITS);
    parts.iter().fold(G2Projective::identity(), |sum, part| {
        let mut point = G2Projective::identity();
        *point.as_mut() = *part;
        sum + point
    })
}
