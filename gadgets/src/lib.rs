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
