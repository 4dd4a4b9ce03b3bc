//! `muster-farm pin`.

use std::path::PathBuf;

use muster_cli::{progress::Progress, srs_of_keys, SrsArgs};
use muster_prover::{terminal::print, Keys};

use super::options::FarmArgs;
use crate::{store::Stored, Error};

/// Let a farm prove with keys: put them and their SRS into the store.
///
/// Jobs name keys by the digest that this prints, and workers accept no others. Both keys are first
/// checked against their circuit: with a wrong one, no worker could make a proof.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  muster-farm pin --store /mnt/farm --keys keys --srs ceremony.ptau")]
pub(super) struct PinArgs {
    #[command(flatten)]
    store: FarmArgs,
    /// Directory with the keys, as `muster keygen` makes it.
    #[arg(long, value_name = "DIR")]
    keys: PathBuf,
    /// Accept keys whose SRS is insecure: whoever made it can prove anything.
    #[arg(long)]
    insecure: bool,
    #[command(flatten)]
    srs: SrsArgs,
    /// Replace other files that the key is pinned with. Workers that have loaded those keep them
    /// until they are restarted.
    #[arg(long)]
    force: bool,
}

pub(super) async fn run(args: &PinArgs) -> Result<(), Error> {
    let (store, keys) = (args.store.open().await?, Keys::load(&args.keys)?);
    if keys.srs().insecure && !args.insecure {
        let reason = "the keys were made from an insecure SRS: --insecure accepts them, for tests";
        return Err(Error::Usage(format!("{}: {reason}", args.keys.display())));
    }
    let progress = Progress::new();
    let srs = srs_of_keys(&args.srs, &keys.verifier(), &progress)?;
    if !progress.run("checking the keys against their circuit", || keys.is_made_from(&srs))? {
        let reason = "they do not belong to their circuit: make them with `muster keygen`";
        return Err(Error::Usage(format!("{}: {reason}", args.keys.display())));
    }
    let (key, stored) = store.pin(&args.keys, &keys, &srs, args.force).await?;
    let was = if stored == Stored::There { ", as it was before" } else { "" };
    Ok(print(&format!("pinned {key}{was}"))?)
}
