//! Elliptic curves, each with its native twin beside the chip.

pub mod aggregate;
pub mod edwards25519;
pub mod pairing;
pub mod weierstrass;
