#![doc = include_str!("../README.md")]

pub mod curve;
pub mod decimal;
pub mod field;
#[cfg(feature = "circuit")]
pub mod gate;
#[cfg(all(test, feature = "circuit"))]
mod golden;
pub mod hash;
pub mod membership;
pub mod signature;

/// Whether this build can forge witnesses and drop constraints: only that of tests can.
pub const FORGERY: bool = cfg!(feature = "forgery");
