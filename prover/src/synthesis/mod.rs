//! Running a circuit: for what its key has, and for what its witness has.

mod assembly;
mod copies;
mod made;
mod witness;

pub(crate) use made::Made;
pub(crate) use witness::{advice, Size};
