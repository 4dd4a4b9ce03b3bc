//! Doing a job on this machine: the keys loaded, a proof made, somebody else's proof verified.

mod fault;
mod inputs;
mod key;
mod verify;

pub use fault::{Fault, Outcome};
pub use inputs::Inputs;
pub use key::{KeyFolder, LoadedKey, Part};
pub(crate) use verify::measured;
pub use verify::{are_results, verify, verify_all};
