//! `muster-farm init`.

use muster_prover::terminal::print;

use super::options::{CodecArgs, FarmArgs};
use crate::{store::Stored, Error};

/// Set up a place as the store of a farm.
///
/// All other commands look for the mark that this leaves: a folder without it may be a disk that is
/// not mounted. With a codec key, the mark identifies it, and anyone with another key is told so.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  muster-farm init --store /mnt/farm
  muster-farm init --store /mnt/farm --codec-key codec-key")]
pub(super) struct InitArgs {
    #[command(flatten)]
    store: FarmArgs,
    #[command(flatten)]
    codec: CodecArgs,
    /// Give an existing farm another codec key, or none. Jobs that wait must be submitted again.
    #[arg(long)]
    force: bool,
}

pub(super) async fn run(args: &InitArgs) -> Result<(), Error> {
    let store = args.store.make()?.sealed(args.codec.seal()?);
    let was =
        if store.found(args.force).await? == Stored::There { ", as it was before" } else { "" };
    Ok(print(&format!("a farm{was}"))?)
}
