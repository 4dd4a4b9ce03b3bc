//! Pairings: whether a product of them is 1.

#[cfg(feature = "circuit")]
pub mod chip;
mod extension;
mod parameters;
mod polynomial;
mod program;
#[cfg(test)]
pub(crate) mod tests;
mod walk;
mod witness;

pub use extension::Pair;
pub use parameters::{PairingCurve, Parameters, Power, Twist};
pub use program::{Op, Plan, DEGREE};
pub use walk::{is_in_subgroup, is_on_twist, BasePoint, Kind, Step, TwistPoint};
pub use witness::{NotOne, RawPair, Witness};
