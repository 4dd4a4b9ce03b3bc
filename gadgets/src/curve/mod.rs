//! Elliptic curves in circuit; their native twins are in [`muster_schemes::curve`].

pub mod aggregate;
pub mod edwards25519;
pub mod pairing;
pub mod weierstrass;
