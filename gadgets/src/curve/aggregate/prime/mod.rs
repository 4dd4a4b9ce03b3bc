//! Points with coordinates in a prime field: the keys of G1.

mod chip;
mod equations;
mod slots;

pub use chip::{sum, Pair};
pub use equations::SumEquations;
#[cfg(test)]
pub(super) use slots::padding_left;
pub use slots::{sum_of_slots, Slot};
