//! A row in the process of whoever calls: its peak of memory is that of the process.

use crate::{
    cli::sweep::{args::RowArgs, measure, supply::Supply},
    Error,
};

/// Measures a row and prints one JSON object, for [`Record::of`](super::Record::of). A missing SRS is made, an insecure one.
///
/// # Errors
///
/// Those of making keys, proofs and verifications; [`Error::Usage`] for something that is not a shape.
pub fn run(args: &RowArgs) -> Result<(), Error> {
    let mut supply = Supply::cached();
    let dir = supply.prepare(args.shape()?.degree())?;
    measure::run_row(args, &muster_params::SrsCache::new(&dir))
}
