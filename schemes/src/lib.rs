#![doc = include_str!("../README.md")]

pub mod curve;
pub mod decimal;
pub mod field;
pub mod hash;
pub mod membership;
pub mod signature;
