//! Multi-exponentiation in G1 with scalars of half the length.
//!
//! With x the curve's parameter, (X, Y) ↦ (βX, Y) for a cube root of unity β multiplies points of the
//! subgroup by λ = x² − 1, and the order is r = λ² + λ + 1 (Gallant, Lambert, Vanstone, CRYPTO 2001).
//! Every scalar is a + bλ with a, b of 128 bits, so that n points with scalars of 255 bits become 2n
//! points with scalars of 128: fewer and wider windows for as many additions.

use std::sync::LazyLock;

use blst::{blst_fp, blst_p1, blst_p1_affine, MultiPoint};
use ff::{Field, PrimeField, WithSmallOrderMulGroup};
use halo2curves::bls12_381::{Fq, Fr};

use crate::field::words;

/// The curve's parameter x, but for its sign.
const PARAMETER: u128 = 0xd201_0000_0001_0000;
/// Its square: the highest of its 128 bits is set.
const SQUARE: u128 = PARAMETER * PARAMETER;

/// Points and their images, and the halves of their scalars in the same order, little-endian.
pub(super) fn split(points: &[blst_p1_affine], scalars: &[Fr]) -> (Vec<blst_p1_affine>, Vec<u8>) {
    let mut all = Vec::with_capacity(2 * points.len());
    all.extend(points.iter().flat_map(|point| [*point, image(point, &BETA)]));
    let halves = scalars.iter().map(halves);
    let bytes = halves.flat_map(|(a, b)| [a.to_le_bytes(), b.to_le_bytes()]).flatten().collect();
    (all, bytes)
}

/// a and b below 2^128 with a + bλ the scalar.
pub(super) fn halves(scalar: &Fr) -> (u128, u128) {
    // k = q x² + s = (q + s) + q λ. If q + s is too long, one λ moves to the second summand.
    let (q, s) = divide(words(&scalar.to_repr()));
    match q.checked_add(s).filter(|sum| *sum < SQUARE) {
        Some(sum) => (sum, q),
        None => (q.wrapping_add(s).wrapping_sub(SQUARE - 1), q + 1),
    }
}

/// Quotient and remainder by x² of a scalar, which is below x⁴: two steps of long division with
/// digits of 64 bits (Knuth, volume 2, algorithm 4.3.1 D).
fn divide(digits: [u64; 4]) -> (u128, u128) {
    let [low, high] = [SQUARE as u64, (SQUARE >> 64) as u64].map(u128::from);
    let mut remainder = u128::from(digits[3]) << 64 | u128::from(digits[2]);
    let mut quotient = 0;
    for digit in [digits[1], digits[0]] {
        // At most 2 too large, since the divisor's highest bit is set.
        let mut guess = (remainder / high).min(u128::from(u64::MAX));
        let mut rest = remainder - guess * high;
        while rest >> 64 == 0 && (rest << 64 | u128::from(digit)) < guess * low {
            guess -= 1;
            rest += high;
        }
        remainder = (rest << 64 | u128::from(digit)).wrapping_sub(guess * low);
        quotient = quotient << 64 | guess;
    }
    (quotient, remainder)
}

/// (βX, Y).
fn image(point: &blst_p1_affine, beta: &Fq) -> blst_p1_affine {
    // Both libraries keep X times 2^384; β comes with a second such factor, which decoding takes off.
    let product = Fq::from_raw_unchecked(point.x.l) * beta;
    blst_p1_affine { x: blst_fp { l: words(&product.to_bytes()) }, y: point.y }
}

/// The cube root of unity that belongs to λ, times 2^384.
static BETA: LazyLock<Fq> = LazyLock::new(|| {
    let factor = Fq::from(2).pow([384]);
    let [one, other] = [Fq::ZETA, Fq::ZETA.square()].map(|root| root * factor);
    // A point tells which of the two it is: the generator, which is the key of the secret 1.
    let mut secret = [0; 32];
    secret[31] = 1;
    let secret = blst::min_pk::SecretKey::from_bytes(&secret);
    let point = secret.expect("1 is a secret key").sk_to_pk().into();
    let multiple: blst_p1 = [point][..].mult(&(SQUARE - 1).to_le_bytes(), 128);
    let found = blst::min_sig::AggregateSignature::from(multiple).to_signature();
    if image(&point, &one) == found.into() {
        one
    } else {
        other
    }
});
