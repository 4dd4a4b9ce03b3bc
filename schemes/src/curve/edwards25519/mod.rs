//! edwards25519 (RFC 8032, section 5.1): its encodings, and its map to a curve in Weierstrass form, over integers.
//!
//! For the witnesses of a circuit and for checks of public data; the time depends on the inputs, so
//! nothing here may touch a secret. Signatures are made and checked by `curve25519-dalek`.

#[cfg(test)]
#[path = "tests/samples.rs"]
pub(crate) mod samples;
#[cfg(test)]
mod tests;

use std::sync::{LazyLock, OnceLock};

use num_bigint::BigUint;
use num_traits::{One, Zero};

use crate::curve::weierstrass::{Affine, Curve};

/// The curve in Weierstrass form.
pub const CURVE: Curve = Curve::Edwards25519;
/// Bits of an encoding that make its y; the one above is the sign.
pub const Y_BITS: usize = 255;

/// `A` and `B` of the Montgomery form `B·v² = u³ + A·u² + u`, with `u = (1 + y)/(1 - y)` and `v = u/x`.
const MONTGOMERY: (i64, i64) = (486_662, -486_664);
/// `x = 9B·u + 3AB` and `y = 27B²·v` are coordinates of the Weierstrass form: with `X = 9B·u` that is
/// `x = X + SHIFT`, and `y = SLOPE·X` divided by the Edwards form's x.
pub const SCALE: i64 = 9 * MONTGOMERY.1;
/// See [`SCALE`].
pub const SHIFT: i64 = 3 * MONTGOMERY.0 * MONTGOMERY.1;
/// See [`SCALE`].
pub const SLOPE: i64 = 3 * MONTGOMERY.1;

/// x and y with `-x² + y² = 1 + d·x²·y²`, both reduced.
pub type Coordinates = (BigUint, BigUint);

fn p() -> &'static BigUint {
    CURVE.p()
}

/// A small integer modulo p.
fn residue(number: i64) -> BigUint {
    let magnitude = BigUint::from(number.unsigned_abs());
    if number < 0 {
        p() - magnitude
    } else {
        magnitude
    }
}

fn less(a: &BigUint, b: &BigUint) -> BigUint {
    (a + (p() - b % p())) % p()
}

/// The inverse, or 0 for 0.
fn inverse(number: &BigUint) -> BigUint {
    (number % p()).modinv(p()).unwrap_or_default()
}

/// `d = -121665/121666`
static D: LazyLock<BigUint> =
    LazyLock::new(|| residue(-121_665) * inverse(&121_666u32.into()) % p());

/// A root `i` of -1: `2^((p - 1)/4)`. `(i, 0)` has order 4, and the sum of it and `(x, y)` is `(i·y, i·x)`.
pub fn root_of_minus_one() -> &'static BigUint {
    static ROOT: OnceLock<BigUint> = OnceLock::new();
    ROOT.get_or_init(|| BigUint::from(2u8).modpow(&((p() - 1u8) >> 2u8), p()))
}

/// The number of an encoding without its top bit, which is not reduced, and that bit.
pub fn parts(encoding: &[u8; 32]) -> (BigUint, bool) {
    let mut number = BigUint::from_bytes_le(encoding);
    let sign = number.bit(Y_BITS as u64);
    number.set_bit(Y_BITS as u64, false);
    (number, sign)
}

/// The point of an encoding as ZIP 215 reads it: any y below 2^255 counts modulo p, and for x = 0 either
/// sign is taken. `None` if there is no x.
pub fn decode(encoding: &[u8; 32]) -> Option<Coordinates> {
    let (y, sign) = parts(encoding);
    let y = y % p();
    let square = &y * &y;
    let (over, under) = (less(&square, &BigUint::one()), (&*D * &square + 1u8) % p());
    // d is not a square, so -1/d is not one either, and the divisor is not 0.
    let x = CURVE.parameters().square_root(&(over * inverse(&under) % p()))?;
    let is_other = x.bit(0) != sign && !x.is_zero();
    Some((if is_other { p() - x } else { x }, y))
}

/// The point in Weierstrass form; `None` for the identity. (0, -1), the point of order 2, has y = 0 there.
pub fn to_weierstrass((x, y): &Coordinates) -> Affine {
    let inverse_of = less(&BigUint::one(), y).modinv(p())?;
    let scaled = residue(SCALE) * (y + 1u8) * inverse_of % p();
    let slope = residue(SLOPE) * inverse(x) % p();
    Some(((&scaled + residue(SHIFT)) % p(), slope * scaled % p()))
}

/// The point in Edwards form, of one in Weierstrass form.
pub fn from_weierstrass(point: &Affine) -> Coordinates {
    let Some((x, y)) = point else { return (BigUint::zero(), BigUint::one()) };
    let scaled = less(x, &residue(SHIFT));
    // u = -1 has no v: B·v² = A - 2 would make d a square.
    let under = inverse(&((&scaled + residue(SCALE)) % p()));
    let edwards_y = less(&scaled, &residue(SCALE)) * under % p();
    (residue(SLOPE) * scaled * inverse(y) % p(), edwards_y)
}
