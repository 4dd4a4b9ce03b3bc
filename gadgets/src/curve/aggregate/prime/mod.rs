//! Points with coordinates in a prime field: the keys of G1.

mod chip;
mod equations;

pub use chip::{sum, Pair};
pub use equations::SumEquations;
