#![doc = include_str!("../README.md")]

pub mod child;
pub mod cli;
mod digest;
mod error;
pub mod job;
pub mod metrics;
pub mod runner;
pub mod seal;
pub mod sizing;
pub mod store;
pub mod submit;
pub mod temporal;
pub mod work;
pub mod workshop;

pub use digest::Digest;
pub use error::Error;
