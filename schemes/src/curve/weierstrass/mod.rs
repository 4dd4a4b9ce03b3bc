//! Short Weierstrass curves y² = x³ + a·x + b: secp256k1 and P-256, whose orders are prime, and
//! edwards25519 in this form.

mod address;
pub mod native;
mod point;

#[cfg(test)]
mod tests;

pub use address::{Address, AddressError};
pub use native::{Affine, Curve, Parameters};
pub use point::{Point, PointError, NAME_DOMAIN};
