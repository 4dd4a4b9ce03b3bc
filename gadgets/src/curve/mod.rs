//! Elliptic curves, each with its native twin beside the chip.

pub mod edwards;
pub mod weierstrass;
