//! The custom gates, and the columns that a circuit is built from.
//!
//! Everything outside this folder speaks halo2-base's [`Context`](halo2_base::Context) and
//! [`AssignedValue`](halo2_base::AssignedValue). Each gate is a chip that records work and a
//! [`VirtualRegionManager`](halo2_base::virtual_region::manager::VirtualRegionManager) that writes the recorded rows to real columns.

mod border;
mod cells;
pub mod chain;
mod chips;
mod circuit;
pub mod edwards;
pub mod foreign;
#[cfg(any(test, feature = "forgery"))]
pub mod forger;
#[cfg(any(test, feature = "forgery"))]
mod forgery;
mod gates;
pub mod keccak;
mod kind;
mod lanes_or_gate;
mod layout;
mod load;
mod member;
mod one_or_more;
mod place;
pub mod poseidon;
pub mod range;
pub mod set;
pub mod sha2;
mod sha2_layout;
pub mod small;
#[cfg(test)]
pub(crate) mod testing;
pub mod vertical;

pub use chips::Chips;
pub use circuit::GateCircuit;
#[cfg(any(test, feature = "forgery"))]
pub use forgery::{freedom, Forged};
pub use gates::{Gates, GatesConfig};
pub use layout::{Layout, Placement, PoseidonLayout, Usage};
pub use member::AssignedMember;
pub use sha2_layout::Sha2Layout;
