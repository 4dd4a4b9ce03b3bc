//! Tests of the whole crate, which share a circuit.

mod arrangement;
mod circuit;
mod compact;
mod encoding;
mod equation;
mod key;
mod measure;
mod protocol;
mod random;
mod sample;
mod simulator;
mod strangers;
mod trace;
mod transcript;
mod verify;
