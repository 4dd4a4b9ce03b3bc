#![doc = include_str!("../README.md")]

mod advice;
mod aggregate;
mod bls_threshold;
mod bridge;
mod check;
mod command;
mod demo;
mod dkg;
mod error;
mod export_key;
mod fault;
pub mod files;
mod frost;
mod groups;
mod help;
mod import;
mod keygen;
mod memory;
mod on_chain;
mod options;
mod profile;
pub mod progress;
mod prove;
mod pvss;
mod report;
mod root;
mod sample;
mod schema;
mod schemes;
mod shape;
pub mod simulate;
mod spool;
mod srs;
mod srs_args;
mod store_args;
mod sweep;
mod table;
mod translate;
mod values;
mod verify;
mod verify_key;

#[cfg(test)]
mod tests;

pub use command::{main, say_instead};
pub use error::Error;
pub use fault::{Missing, ProofFault};
pub use keygen::{packs_json, PacksArgs};
pub use shape::CircuitArgs;
pub use srs_args::{srs_of_keys, SrsArgs};
pub use sweep::{RowArgs, SweepArgs};
