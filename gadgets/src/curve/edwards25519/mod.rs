//! edwards25519 (RFC 8032, section 5.1): its encodings, and its map to a curve in Weierstrass form.

#[cfg(feature = "circuit")]
pub mod chip;
pub mod native;
#[cfg(test)]
pub(crate) mod tests;

pub use native::{decode, from_weierstrass, to_weierstrass, Coordinates};
