//! Pairings: whether a product of them is 1.

// Most of it serves the circuit; without one, points are still checked.

pub mod extension;
pub mod group;
mod native;
pub mod parameters;
pub mod polynomial;
pub mod program;
#[cfg(test)]
pub(crate) mod samples;
#[cfg(test)]
mod tests;
pub mod walk;
pub mod witness;

pub use extension::Pair;
pub use group::{is_in_group, is_on_curve};
pub use native::product_is_one;
pub(crate) use native::product_of_members_is_one;
pub use parameters::{PairingCurve, Parameters};
pub use walk::{is_in_subgroup, is_on_twist, BasePoint, TwistPoint};
pub use witness::NotOne;
