//! `muster frost`: ceremonies of FROST, a command a participant and step.

mod aggregate;
mod args;
mod check;
mod command;
mod commit;
mod dkg;
mod keygen;
mod refresh;
mod repair;
mod rounds;
mod sign;
mod sweep;
mod verify;

pub(super) use command::{run, FrostArgs};
pub use sweep::SweepArgs;
