//! Hashing to G1 of BN254: RFC 9380, with expand_message_xmd over SHA-256 and the map of section 6.6.1.

use std::sync::OnceLock;

use ff::{Field, FromUniformBytes, PrimeField};
use halo2curves::{
    bn256::{Fq, G1Affine, G1},
    CurveAffine,
};
use sha2::{Digest, Sha256};
use subtle::{ConditionallySelectable, ConstantTimeEq};

/// Bytes for one element of the field: 128 bits more than it has.
const ELEMENT: usize = 48;
/// Bytes of a block and of a digest of SHA-256.
const BLOCK: usize = 64;
const DIGEST: usize = 32;

/// The hash of a message: two elements of the field, each mapped to the curve, and their sum. The
/// curve has no cofactor to clear.
///
/// # Panics
///
/// If the tag has more than 255 bytes.
pub fn hash_to_curve(message: &[u8], tag: &[u8]) -> G1 {
    let bytes = expand(message, tag);
    let mut points = bytes.chunks_exact(ELEMENT).map(|chunk| {
        // Big-endian, less than 64 bytes.
        let mut wide = [0; 64];
        wide[..ELEMENT].copy_from_slice(chunk);
        wide[..ELEMENT].reverse();
        map(Fq::from_uniform_bytes(&wide))
    });
    let sum = points
        .by_ref()
        .fold(None::<G1>, |sum, point| Some(sum.map_or(point.into(), |sum| sum + point)));
    sum.unwrap_or_default()
}

/// Section 5.3.1, for two elements.
fn expand(message: &[u8], tag: &[u8]) -> [u8; 2 * ELEMENT] {
    assert!(tag.len() < 256, "a tag of at most 255 bytes");
    let tag_length = [tag.len() as u8];
    let first = Sha256::new()
        .chain_update([0; BLOCK])
        .chain_update(message)
        .chain_update([0, 2 * ELEMENT as u8, 0])
        .chain_update(tag)
        .chain_update(tag_length)
        .finalize();
    let mut bytes = [0; 2 * ELEMENT];
    let mut before = [0; DIGEST];
    for (i, out) in (1u8..).zip(bytes.chunks_exact_mut(DIGEST)) {
        let mixed: Vec<u8> = first.iter().zip(before).map(|(a, b)| a ^ b).collect();
        let digest = Sha256::new()
            .chain_update(mixed)
            .chain_update([i])
            .chain_update(tag)
            .chain_update(tag_length)
            .finalize();
        out.copy_from_slice(&digest);
        before.copy_from_slice(&digest);
    }
    bytes
}

/// Constants of the map for y² = x³ + 3 with Z = 1: g(Z), −Z/2, √(−3 g(Z) Z²), −4 g(Z)/(3 Z²).
struct Constants {
    g: Fq,
    half: Fq,
    root: Fq,
    quotient: Fq,
}

fn constants() -> &'static Constants {
    static CONSTANTS: OnceLock<Constants> = OnceLock::new();
    CONSTANTS.get_or_init(|| {
        let (three, four) = (Fq::from(3), Fq::from(4));
        let g = four;
        let root = (-(three * g)).sqrt().expect("−12 is a square, by the choice of Z");
        // The root of sign 0.
        let root = if bool::from(root.is_odd()) { -root } else { root };
        let third = three.invert().expect("3 is not zero");
        Constants { g, half: -Fq::TWO_INV, root, quotient: -(four * g * third) }
    })
}

/// The map of section 6.6.1, step by step.
fn map(u: Fq) -> G1Affine {
    let Constants { g, half, root, quotient } = constants();
    let z = Fq::ONE;
    let tv1 = u.square() * g;
    let tv2 = Fq::ONE + tv1;
    let tv1 = Fq::ONE - tv1;
    let tv3 = (tv1 * tv2).invert().unwrap_or(Fq::ZERO);
    let tv4 = u * tv1 * tv3 * root;
    let x1 = *half - tv4;
    let x2 = *half + tv4;
    let x3 = (tv2.square() * tv3).square() * quotient + z;
    let curve = |x: &Fq| x.square() * x + Fq::from(3);
    let (y1, y2, y3) = (curve(&x1).sqrt(), curve(&x2).sqrt(), curve(&x3).sqrt());
    let (first, second) = (y1.is_some(), y2.is_some() & !y1.is_some());
    let x = Fq::conditional_select(&x3, &x1, first);
    let x = Fq::conditional_select(&x, &x2, second);
    let y = Fq::conditional_select(&y3.unwrap_or(Fq::ZERO), &y1.unwrap_or(Fq::ZERO), first);
    let y = Fq::conditional_select(&y, &y2.unwrap_or(Fq::ZERO), second);
    let y = Fq::conditional_select(&-y, &y, u.is_odd().ct_eq(&y.is_odd()));
    G1Affine::from_xy(x, y).expect("one of the three is on the curve")
}
