//! Points of Weierstrass curves in circuit: tables of multiples, and the sum of many multiples.
//!
//! Everything consists of relations modulo the curve's prime, one per block of the [foreign
//! gate](muster_gates::foreign), and uses the results of the blocks above: the order of the blocks
//! is part of their meaning, and a [`Cursor`](muster_gates::foreign::Cursor) keeps it.

use muster_gates::{foreign::ForeignChip, Chips};
use muster_schemes::curve::weierstrass::Curve;

mod equations;
mod glv;
mod multiply;
mod point;
mod ratio;
#[cfg(test)]
mod tests;
mod walk;

pub use equations::{Beta, CurveEquations};
pub use glv::{digits, Endomorphism};
pub(crate) use glv::{other_whole_digits, whole_digits};
pub use multiply::{residue, sum_of_multiples};
pub use point::{AssignedPoint, AssignedTable};
pub use ratio::ShortRatio;
pub use walk::{offset, Meeting, Term, Walk};

/// The chip whose elements are those of the curve's field; elements modulo its order are as long.
///
/// # Panics
/// If the layout has no gate for them.
pub fn chip_of(chips: &Chips, curve: Curve) -> &ForeignChip {
    chips.foreign_of(curve.p().bits() as usize)
}

/// Digits of a scalar of 128 bits.
pub const SHORT_DIGITS: usize = 32;
/// Digits of a part of a [`ShortRatio`].
pub const fn ratio_digits(curve: Curve) -> usize {
    match curve {
        Curve::Secp256k1 => 17,
        Curve::P256 => 33,
        // Its order has 253 bits, and parts of a first vector are below 2^128.
        Curve::Edwards25519 => 32,
    }
}
/// Digits of half a scalar where the curve has an endomorphism.
pub const HALF_DIGITS: usize = 33;
/// Digits of a scalar. With an order just above `2^252`, the odd one of `t` and `t - n` has 63,
/// except for one scalar in `2^127`.
pub const fn long_digits(curve: Curve) -> usize {
    match curve {
        Curve::Secp256k1 | Curve::P256 => 64,
        Curve::Edwards25519 => 63,
    }
}
