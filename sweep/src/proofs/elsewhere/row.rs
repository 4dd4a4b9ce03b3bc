//! A row in the process of whoever calls: its peak of memory is that of the process.

use muster_params::SrsCache;

use crate::{
    proofs::{
        measure::{self, Measurement},
        supply::Supply,
    },
    Error,
};

/// Measures a row and prints one JSON object, for [`Record::of`](super::Record::of). A missing SRS is made, an insecure one.
///
/// # Errors
///
/// Those of making keys, proofs and verifications.
pub fn run(row: &Measurement) -> Result<(), Error> {
    let mut supply = Supply::cached();
    let dir = supply.prepare(row.shape.degree())?;
    measure::run_row(row, &SrsCache::new(&dir))
}
