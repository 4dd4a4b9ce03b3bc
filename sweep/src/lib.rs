#![doc = include_str!("../README.md")]

mod allowance;
pub mod bls_threshold;
mod csv;
mod error;
mod fill;
pub mod frost;
mod kept;
mod machine;
mod machines;
pub mod memory;
mod plot;
pub mod pool;
mod progress;
pub mod proofs;
pub mod pvss;
mod results;
mod room;
mod seconds;
mod store;
mod table;
#[cfg(test)]
mod tests;

pub use allowance::{name as memory_name, Allowance};
pub use error::Error;
pub use fill::{AtOnce, Task};
pub use kept::Kept;
pub use machine::{Machine, HALO2_AXIOM};
pub use results::{Plot, Results, Row};
use seconds::{median, rounded, MICROSECONDS, NANOSECONDS};
pub use store::{Existing, Store};
pub use table::align;
