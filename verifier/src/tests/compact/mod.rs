//! Tests of the format `compact`, which share the files of `vectors/compact`.

mod decider;
pub(crate) mod file;
mod fill;
mod key;
mod needed;
mod packing;
mod proof;
mod random;
mod sample;
mod simulator;
mod traces;
mod vectors;
