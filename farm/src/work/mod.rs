//! Doing a job on this machine: the keys loaded, a proof made, somebody else's proof verified.

mod confirm;
mod fault;
mod inputs;
mod key;
mod outcome;

pub use confirm::{confirm, confirm_bytes};
pub use fault::Fault;
pub use inputs::Inputs;
pub use key::{KeyFolder, LoadedKey, Part};
pub use outcome::Outcome;
