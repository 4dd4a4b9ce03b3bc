#![doc = include_str!("../README.md")]

pub mod bls_threshold;
mod error;
mod fill;
pub mod frost;
mod machine;
pub mod memory;
mod plot;
pub mod pool;
mod progress;
pub mod proofs;
pub mod pvss;
mod report;
mod results;
mod store;
#[cfg(test)]
mod tests;

pub use error::Error;
pub use fill::AtOnce;
pub use machine::{Machine, HALO2_AXIOM};
pub use memory::{name as memory_name, Allowance};
pub use results::{align, Bar, Kept, PlotOf, Results, Row};
pub use store::{Existing, Store};

/// Steps of a second, for times of milliseconds and more.
const MICROSECONDS: f64 = 1e6;
/// Steps of a second, for short times that are repeated many times.
const NANOSECONDS: f64 = 1e9;

/// The median of some seconds, in whole steps: our clocks cannot resolve further digits. Zero if there are none.
fn median(mut seconds: Vec<f64>, steps: f64) -> f64 {
    seconds.sort_by(f64::total_cmp);
    let (low, high) = (seconds.len().saturating_sub(1) / 2, seconds.len() / 2);
    let at = |place: usize| seconds.get(place).copied().unwrap_or_default();
    rounded((at(low) + at(high)) / 2.0, steps)
}

/// Seconds in whole steps.
fn rounded(seconds: f64, steps: f64) -> f64 {
    (seconds * steps).round() / steps
}
