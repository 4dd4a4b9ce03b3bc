//! `muster bls-threshold`: any t of n signers make one BLS signature, by passing files.

mod aggregate;
mod command;
mod keygen;
mod message;
mod sign;
mod sweep;
mod verify;

pub(super) use command::{run, BlsThresholdCommand};
