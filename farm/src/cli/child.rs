//! `muster-farm child`: the process that proves.

use std::path::PathBuf;

use crate::{digest::Digest, workshop::KEPT, Error};

/// Makes proofs as they are ordered on standard input. Workers start it for themselves.
#[derive(Debug, clap::Args)]
pub(super) struct ChildArgs {
    /// Folder with keys and their SRS.
    #[arg(long, value_name = "DIR")]
    keys: PathBuf,
    /// Digest that the verifying key must have.
    #[arg(long, value_name = "DIGEST")]
    key: Digest,
}

pub(super) fn run(args: &ChildArgs) -> Result<(), Error> {
    crate::child::serve(&args.keys, args.key, KEPT)
}
