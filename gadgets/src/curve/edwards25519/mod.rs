//! edwards25519 (RFC 8032, section 5.1): its encodings, and its map to a curve in Weierstrass form.

pub mod chip;
#[cfg(test)]
#[path = "../../../../schemes/src/curve/edwards25519/tests/samples.rs"]
pub(crate) mod samples;
