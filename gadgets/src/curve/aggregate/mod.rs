//! Sums of many points of a pairing-friendly curve `y² = x³ + b`, whatever points they are: two relations per point
//! over a prime field, four over a quadratic extension.

pub mod prime;
pub mod quadratic;
#[cfg(test)]
#[path = "../../../../schemes/src/curve/aggregate/tests/samples.rs"]
pub(crate) mod samples;
#[cfg(test)]
mod tests;
