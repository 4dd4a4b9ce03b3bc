//! Sums of many points of a pairing-friendly curve `y² = x³ + b`, whatever points they are: two relations per point
//! over a prime field, four over a quadratic extension.

pub mod native;
#[cfg(feature = "circuit")]
pub mod prime;
#[cfg(feature = "circuit")]
pub mod quadratic;

#[cfg(test)]
mod tests;

pub use native::{Coefficients, SumError, SumWalk};
