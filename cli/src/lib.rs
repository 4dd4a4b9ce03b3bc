//! The command line.

mod advice;
mod aggregate;
mod bls_threshold;
mod bridge;
mod check;
mod circuit;
mod command;
mod demo;
mod dkg;
mod export;
mod frost;
mod import;
mod keygen;
mod memory;
mod options;
mod profile;
mod prove;
mod pvss;
mod report;
mod root;
mod sample;
mod schemes;
mod shape;
pub mod simulate;
mod srs;
mod sweep;
mod table;
mod threshold;
mod values;
mod verify;
mod version;

#[cfg(test)]
mod tests;

pub use crate::{apart::begin, output::write_file};
pub use circuit::CircuitArgs;
pub use command::{main, say_instead};
pub use sweep::elsewhere;
