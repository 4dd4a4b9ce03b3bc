//! What the tests of this folder take for their inputs.

use curve25519_dalek::{constants::EIGHT_TORSION, EdwardsPoint, Scalar};
use muster_schemes::curve::edwards25519::CURVE;
use num_bigint::BigUint;
use rand::RngCore;
use rand_chacha::ChaCha20Rng;

/// Points of the whole group: a multiple of the generator and one of order 8.
pub(crate) fn random_point(rng: &mut ChaCha20Rng, torsion: usize) -> EdwardsPoint {
    let mut wide = [0; 64];
    rng.fill_bytes(&mut wide);
    EdwardsPoint::mul_base(&Scalar::from_bytes_mod_order_wide(&wide)) + EIGHT_TORSION[torsion]
}

/// The encodings of the eight points of small order, as ZIP 215 reads them: 14 of 32 bytes, of which the
/// canonical ones are first.
pub(crate) fn small_order() -> Vec<[u8; 32]> {
    let mut encodings: Vec<_> = EIGHT_TORSION.iter().map(|t| t.compress().to_bytes()).collect();
    let number = |number: BigUint, sign: bool| {
        let mut bytes = [0; 32];
        let digits = number.to_bytes_le();
        bytes[..digits.len()].copy_from_slice(&digits);
        bytes[31] |= u8::from(sign) << 7;
        bytes
    };
    let p = CURVE.p();
    encodings.extend([
        number(1u8.into(), true),
        number(p - 1u8, true),
        number(p.clone(), false),
        number(p.clone(), true),
        number(p + 1u8, false),
        number(p + 1u8, true),
    ]);
    encodings
}
