//! The Lagrange points of a domain: made from the powers of τ, or read from the file that keeps
//! them.

use ff::{Field as _, PrimeField as _};
use group::Group;
use rayon::prelude::*;
use sha2::{Digest, Sha256};

use super::{challenge::Challenger, Error};
use crate::pairing_curve::{
    all_in_g1, decode_uncompressed_on_curve, multiply_g1, normalize_g1, sum_g1, Fr, G1Affine,
    G1Projective, Transform, G1_UNCOMPRESSED_BYTES,
};

const MAGIC: &[u8; 16] = b"muster-pvss-lag1";
/// What comes before the points: the magic bytes, the order of the domain, the reference string's digest and
/// that of the points.
const HEADER: usize = 16 + 4 + 32 + 32;

/// Points with a header and digests.
pub(super) fn to_bytes(points: &[G1Affine], string: &[u8; 32]) -> Vec<u8> {
    let body: Vec<u8> = points.iter().flat_map(G1Affine::to_uncompressed).collect();
    let mut out = MAGIC.to_vec();
    out.extend((points.len() as u32).to_le_bytes());
    out.extend(string);
    out.extend(Sha256::digest(&body));
    out.extend(body);
    out
}

/// Reads what [`to_bytes`] wrote, and checks that the points belong to these powers: the file
/// is not trusted.
pub(super) fn read(
    powers: &[G1Affine],
    transform: &Transform,
    string: &[u8; 32],
    bytes: &[u8],
) -> Result<Vec<G1Affine>, Error> {
    let bad = |reason| Error::Lagrange { reason };
    let (header, body) = bytes.split_at_checked(HEADER).ok_or(bad("too short"))?;
    if header[..16] != MAGIC[..] {
        return Err(bad("not a file of this version"));
    }
    if header[16..20] != (powers.len() as u32).to_le_bytes() || header[20..52] != string[..] {
        return Err(bad("for another domain or reference string"));
    }
    if body.len() != powers.len() * G1_UNCOMPRESSED_BYTES {
        return Err(bad("its length does not match its domain"));
    }
    let digest: [u8; 32] = Sha256::digest(body).into();
    if digest != header[52..] {
        return Err(bad("its digest does not match"));
    }
    let decode = |bytes: &[u8]| bytes.try_into().ok().and_then(decode_uncompressed_on_curve);
    let points: Option<Vec<G1Affine>> =
        body.par_chunks_exact(G1_UNCOMPRESSED_BYTES).map(decode).collect();
    let points = points.ok_or(bad("a point is not on the curve"))?;
    let are_those =
        all_in_g1(&points, &digest) && belong(powers, transform, &points, (string, &digest));
    are_those.then_some(points).ok_or(bad("not the points of this reference string"))
}

/// Whether points are the Lagrange points of these powers: Σ x_a L_a = Σₖ (Σ_a x_a ω^(−ak) / M) τᵏ
/// for factors x of 128 bits from a hash of both. All are in the group of prime order, so other
/// points pass with a probability of 2^-128.
fn belong(
    powers: &[G1Affine],
    transform: &Transform,
    points: &[G1Affine],
    (string, digest): (&[u8; 32], &[u8; 32]),
) -> bool {
    let mut challenger = Challenger::new(string);
    challenger.absorb("lagrange", digest);
    let factors = challenger.factors("factors", points.len());
    let mut coefficients = vec![Fr::ZERO; factors.len()];
    transform.inverse_unscaled(&factors, &mut coefficients);
    coefficients.iter_mut().for_each(|coefficient| *coefficient *= transform.scale());
    sum_g1(points, &factors) == sum_g1(powers, &coefficients)
}

/// L_a(τ) = Σₖ ω^(−ak) τᵏ / M: the inverse transform of the powers, in the group.
pub(super) fn points(powers: &[G1Affine], transform: &Transform) -> Vec<G1Affine> {
    let points: Vec<G1Projective> = powers.iter().map(G1Projective::from).collect();
    let mut values = forward(&points, 1, transform.roots());
    values[1..].reverse();
    let scale = transform.scale();
    let scaled: Vec<G1Projective> =
        values.par_iter().map(|value| multiply_g1(value, &scale)).collect();
    normalize_g1(&scaled)
}

/// The transform of every `stride`-th of the points, by the least prime factor of their number.
fn forward(points: &[G1Projective], stride: usize, roots: &[Fr]) -> Vec<G1Projective> {
    let size = roots.len() / stride;
    if size == 1 {
        return vec![points[0]];
    }
    let factor = (2..=size).find(|factor| size.is_multiple_of(*factor)).unwrap_or(size);
    let part = size / factor;
    let inner = |t: usize| forward(&points[t * stride..], stride * factor, roots);
    let inner: Vec<Vec<G1Projective>> = (0..factor).into_par_iter().map(inner).collect();
    let column = |k: usize| -> Vec<G1Projective> {
        let turn = |t: usize| match t * k {
            0 => inner[t][k],
            _ => multiply_g1(&inner[t][k], &roots[t * k * stride]),
        };
        short_transform(&(0..factor).map(turn).collect::<Vec<_>>(), roots)
    };
    let columns: Vec<Vec<G1Projective>> = (0..part).into_par_iter().map(column).collect();
    let value = |place: usize| columns[place % part][place / part];
    (0..size).map(value).collect()
}

/// A transform of a prime number of points, with sums and differences of opposite ones.
fn short_transform(points: &[G1Projective], roots: &[Fr]) -> Vec<G1Projective> {
    let size = points.len();
    if size == 2 {
        return vec![points[0] + points[1], points[0] - points[1]];
    }
    let unit = roots.len() / size;
    let root = |exponent: usize| roots[exponent % size * unit];
    let half = Fr::TWO_INV;
    let mut out = vec![points.iter().sum(); size];
    let pair = |t: usize| (points[t] + points[size - t], points[t] - points[size - t]);
    let pairs: Vec<_> = (1..=size / 2).map(pair).collect();
    for s in 1..=size / 2 {
        let (mut even, mut odd) = (points[0], G1Projective::identity());
        for (t, (sum, difference)) in (1..).zip(&pairs) {
            let (plus, minus) = (root(t * s), root(size - t * s % size));
            even += multiply_g1(sum, &((plus + minus) * half));
            odd += multiply_g1(difference, &((plus - minus) * half));
        }
        (out[s], out[size - s]) = (even + odd, even - odd);
    }
    out
}
