//! Where files and results go, and what happens to existing ones.

use std::path::PathBuf;

use muster_sweep::{AtOnce, Existing, Machine, Results, Row, Store};

use crate::{report::Report, Error};

/// A directory for files.
#[derive(Debug, clap::Args)]
pub(crate) struct FolderArgs {
    /// Replace existing files.
    #[arg(long)]
    pub(crate) force: bool,
    /// Directory for the files.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
}

/// The directory of a sweep.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct StoreArgs {
    /// Directory for the results.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// Continue with the results in DIR: finished rows are not run again.
    #[arg(long, conflicts_with = "force")]
    pub(crate) resume: bool,
    /// Replace the results in DIR.
    #[arg(long)]
    pub(crate) force: bool,
}

impl StoreArgs {
    /// Continues the results that are there, or none yet, on this machine: measures the cases that are left, one after the
    /// other, and says what came of all. `repeat` is written beside the rows, if they do not have it themselves.
    pub(crate) fn sweep<R: Row>(
        &self,
        repeat: Option<u64>,
        cases: &[R::Case],
        settings: impl FnOnce() -> Result<R::Settings, Error>,
    ) -> Result<Report, Error> {
        let results = Results::new(Machine::this(), repeat);
        let mut store = Store::<R>::open_on(&self.out, self.existing(), results)?;
        store.fill(cases, AtOnce::ONE, &settings()?)?;
        Ok(Report { text: store.text()?, json: store.json()? })
    }

    /// What to do about existing results.
    pub(crate) fn existing(&self) -> Existing {
        if self.resume {
            Existing::Resume
        } else if self.force {
            Existing::Replace
        } else {
            Existing::Refuse
        }
    }
}

/// Rows in their order, each of them once.
pub(crate) fn each_once<T: PartialEq>(rows: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut kept = vec![];
    for row in rows {
        if !kept.contains(&row) {
            kept.push(row);
        }
    }
    kept
}
