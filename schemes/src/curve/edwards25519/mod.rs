//! edwards25519 (RFC 8032, section 5.1): its encodings, and its map to a curve in Weierstrass form.

pub mod native;
#[cfg(test)]
pub(crate) mod samples;
#[cfg(test)]
mod tests;

pub use native::{decode, from_weierstrass, to_weierstrass, Coordinates};
