//! Pairings: whether a product of them is 1.

// Most of it serves the circuit; without one, points are still checked.
#![cfg_attr(not(feature = "circuit"), allow(dead_code))]

#[cfg(feature = "circuit")]
pub mod chip;
mod extension;
mod group;
mod native;
mod parameters;
mod polynomial;
mod program;
#[cfg(test)]
pub(crate) mod tests;
mod walk;
mod witness;

pub use extension::Pair;
pub use group::{is_in_group, is_on_curve};
#[cfg(feature = "circuit")]
pub(crate) use group::{of_coordinates, of_twist_coordinates};
pub use native::product_is_one;
pub(crate) use native::product_of_members_is_one;
pub use parameters::{PairingCurve, Parameters};
pub use walk::{is_in_subgroup, is_on_twist, BasePoint, TwistPoint};
pub use witness::NotOne;
