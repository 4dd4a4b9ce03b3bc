//! Points with coordinates in a prime field: the keys of G1.

mod chip;
mod equations;
mod slots;

pub use chip::{sum, Pair};
pub use equations::SumEquations;
#[cfg(test)]
pub(super) use slots::{choose, padding_left, rest};
pub use slots::{sum_of_slots, Slot};
