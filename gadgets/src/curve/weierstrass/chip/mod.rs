//! Points of Weierstrass curves in circuit: tables of multiples, and the sum of many multiples.
//!
//! Everything consists of relations modulo the curve's prime, one per block of the [foreign
//! gate](crate::gate::foreign), and uses the results of the blocks above: the order of the blocks
//! is part of their meaning.

use crate::curve::weierstrass::Curve;

mod equations;
mod glv;
mod multiply;
mod point;
mod ratio;
mod term;
#[cfg(test)]
mod tests;
mod walk;

pub use equations::{Beta, CurveEquations};
pub use glv::{digits, Endomorphism};
pub(crate) use glv::{odd_residue, other_odd_residues};
pub use multiply::{residue, sum_of_multiples};
pub use point::{AssignedPoint, AssignedTable};
pub use ratio::ShortRatio;
pub use term::{offset, Term};
pub use walk::{Meeting, Walk};

/// Digits of a scalar of 128 bits.
pub const SHORT_DIGITS: usize = 32;
/// Digits of a part of a [`ShortRatio`].
pub const fn ratio_digits(curve: Curve) -> usize {
    match curve {
        Curve::Secp256k1 => 17,
        Curve::P256 => 33,
    }
}
/// Digits of half a scalar where the curve has an endomorphism.
pub const HALF_DIGITS: usize = 33;
/// Digits of a scalar.
pub const LONG_DIGITS: usize = 64;
