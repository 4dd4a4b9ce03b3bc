//! Where results go, and what happens to existing ones.

use std::path::PathBuf;

use muster_sweep::{Existing, Machine, Results, Row, Store};

use crate::Error;

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
    /// The results that are there, or none yet, to be continued on this machine. `repeat` is written beside the rows, if
    /// they do not have it themselves.
    ///
    /// # Errors
    ///
    /// Those of [`Store::open_on`].
    pub(crate) fn open<R: Row>(&self, repeat: Option<u64>) -> Result<Store<R>, Error> {
        let results = Results::new(Machine::this(), repeat);
        Ok(Store::open_on(&self.out, self.existing(), results)?)
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
