#![doc = include_str!("../README.md")]

#[cfg(test)]
extern crate self as muster_gates;

mod base;
mod border;
mod cells;
pub mod chain;
mod chips;
mod circuit;
mod context;
pub mod edwards;
pub mod foreign;
#[cfg(debug_assertions)]
mod forged;
/// The tests' tools, which are made of this crate: a crate that depends on it would see other types.
#[cfg(test)]
#[allow(dead_code, unreachable_pub, unused_imports)]
#[path = "../../forgery/src/lib.rs"]
mod forgery;
pub mod gates;
#[cfg(debug_assertions)]
mod groups;
pub mod keccak;
mod kind;
mod layout;
mod load;
pub mod place;
pub mod poseidon;
pub mod range;
mod repeat;
pub mod set;
pub mod sha2;
pub mod small;
pub mod vertical;

pub use base::BaseContext;
pub use chain::power_of_two;
pub use chips::Chips;
pub use circuit::{broken_constraints, GateCircuit};
pub use context::GateContext;
#[cfg(debug_assertions)]
pub use forged::Forged;
pub use gates::{Gates, GatesConfig};
pub use layout::{Layout, Placement, PoseidonLayout, Sha2Layout, Usage};
pub use repeat::Turns;
pub use set::AssignedMember;
