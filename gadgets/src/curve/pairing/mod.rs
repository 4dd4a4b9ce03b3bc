//! Products of pairings in circuit: whether one is 1.

mod arithmetic;
mod compressed;
mod equations;
mod group;
mod line;
mod point;
mod product;
#[cfg(test)]
#[path = "../../../../schemes/src/curve/pairing/tests/samples.rs"]
pub(crate) mod samples;
#[cfg(test)]
mod tests;
mod transcript;

pub use compressed::AssignedCompressed;
pub use equations::PairingEquations;
pub use group::{AssignedGroupPoint, NotPrime};
pub use point::{AssignedBasePoint, AssignedSubgroupPoint, AssignedTwistPoint};
pub use product::{assert_product_is_one, AssignedArguments, SecondPoint};

/// Width of the permutation that the challenges are squeezed from.
pub const TRANSCRIPT_WIDTH: usize = 17;
