#![doc = include_str!("../README.md")]
// Without debug assertions the gates have nothing that could be forged.
#![cfg(debug_assertions)]

pub mod forger;
mod freedom;
pub mod testing;

pub use freedom::{freedom, Counted};
