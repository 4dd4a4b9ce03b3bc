//! Sums of many points of a pairing-friendly curve `y² = x³ + b`: two relations a point over a prime field, whatever
//! points they are.

#[cfg(feature = "circuit")]
pub mod chip;
#[cfg(feature = "circuit")]
mod equations;
pub mod native;

#[cfg(test)]
mod tests;

#[cfg(feature = "circuit")]
pub use equations::SumEquations;
pub use native::{Coefficients, SumError, SumWalk};
