//! `muster-farm child`: the process that proves.

use std::path::PathBuf;

use crate::{child::serve, digest::Digest, Error};
use muster_prover::Memory;

/// Makes proofs as they are ordered on standard input. Workers start it for themselves.
#[derive(Debug, clap::Args)]
pub(super) struct ChildArgs {
    /// Folder with keys and their SRS.
    #[arg(long, value_name = "DIR")]
    keys: PathBuf,
    /// Digest that the verifying key must have.
    #[arg(long, value_name = "DIGEST")]
    key: Digest,
    /// Keep more between the proofs, which are faster then.
    #[arg(long)]
    fast: bool,
}

pub(super) fn run(args: &ChildArgs) -> Result<(), Error> {
    serve(&args.keys, args.key, if args.fast { Memory::Fast } else { Memory::Low })
}
