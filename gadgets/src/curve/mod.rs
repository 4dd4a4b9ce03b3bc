//! Elliptic curves: the native twin of each stands beside its chip.

pub mod edwards;
pub mod weierstrass;
