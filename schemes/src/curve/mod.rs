//! Elliptic curves.

pub mod aggregate;
pub mod edwards;
pub mod edwards25519;
pub mod pairing;
pub mod weierstrass;
