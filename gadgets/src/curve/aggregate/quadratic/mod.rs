//! Points with coordinates in a quadratic extension: the keys of G2.

mod chip;
mod equations;

pub use chip::{sum, Elements, Pair};
pub use equations::SumEquations;
