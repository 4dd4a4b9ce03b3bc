//! `muster-farm child`: the process that proves.

use std::path::PathBuf;

use crate::{child::serve, digest::Digest, Error};
use muster_prover::Memory;

/// Make proofs as standard input asks for them. Workers start this command themselves.
#[derive(Debug, clap::Args)]
pub(super) struct ChildArgs {
    /// Folder with keys and their SRS.
    #[arg(long, value_name = "DIR")]
    keys: PathBuf,
    /// Digest that the verifying key must have.
    #[arg(long, value_name = "DIGEST")]
    key: Digest,
    /// Keep more between proofs, which makes them faster.
    #[arg(long)]
    fast: bool,
}

pub(super) fn run(args: &ChildArgs) -> Result<(), Error> {
    serve(&args.keys, args.key, if args.fast { Memory::Fast } else { Memory::Low })
}
