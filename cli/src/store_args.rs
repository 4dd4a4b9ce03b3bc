//! Where results go, and what happens to existing ones.

use std::path::PathBuf;

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

/// What to do about existing results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Existing {
    /// Leave them alone and stop.
    Refuse,
    /// Keep their finished rows.
    Resume,
    /// Start again.
    Replace,
}

impl StoreArgs {
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
