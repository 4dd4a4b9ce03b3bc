//! Whether a sweep did what was asked for.

use super::{
    ask::Ask,
    row::{Row, Status},
};
use crate::{Error, Row as _, Store};

/// An error if a row that was asked for failed.
pub(super) fn verdict(asks: &[Ask], store: &Store<Row>) -> Result<(), Error> {
    let failed = |row: &&Row| row.status == Status::Failed && asks.contains(&row.ask());
    let rows = store.results.rows.iter().map(|kept| &kept.row);
    let failed: Vec<&Row> = rows.filter(failed).collect();
    match failed.first() {
        None => Ok(()),
        Some(first) => {
            let (json, count, ask) = (store.json_path(), failed.len(), first.ask());
            let reason = first.reason.as_deref().unwrap_or("unknown reason");
            Err(Error::file(json, format!("failed rows: {count}, the first: {ask}: {reason}")))
        }
    }
}
