//! Looking after a farm: `muster-farm init`, `pin`, `unpin`, `status`, `result`, `cancel`, `retry` and `gc`. They need the
//! store alone, without any server.

use std::{path::PathBuf, time::Duration};

use muster_cli::{progress::Progress, srs_of_keys, SrsArgs};
use muster_prover::{
    decimal,
    output::write_file,
    terminal::{print, printable},
    Keys,
};
use serde_json::json;

use super::options::{CodecArgs, FarmArgs};
use crate::{job::JobName, store::Stored, Digest, Error};

/// Seconds of an hour.
const HOUR: u64 = 3_600;

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

/// Show what the store has: keys, proofs, and jobs that were started.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  muster-farm status --store /mnt/farm")]
pub(super) struct StatusArgs {
    #[command(flatten)]
    store: FarmArgs,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Fetch the result of a job: a proof, a row of a sweep, what a node of a tree says, which files
/// the keys have, or a ceremony.
///
/// Workers write to the store: before you rely on a proof, verify it with `muster verify`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  muster-farm result --store /mnt/farm --out proof.json \\
      0x1a7c10d76f792858d6321cb06b3bbff0277150e818ee4d0511ba4f4fb1930881")]
pub(super) struct ResultArgs {
    #[command(flatten)]
    store: FarmArgs,
    /// The job's name, as submit --json prints it.
    job: JobName,
    /// File for the result.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Replace the file if it exists.
    #[arg(long)]
    force: bool,
}

/// Stop a farm from proving with keys, for example after pinning the wrong ones.
///
/// The next `gc` removes their files. Workers that have loaded the keys keep them until they are
/// restarted.
#[derive(Debug, clap::Args)]
pub(super) struct UnpinArgs {
    #[command(flatten)]
    store: FarmArgs,
    /// Digest of the verifying key, as `pin` and `status` print it.
    key: Digest,
}

/// Cancel a job.
///
/// The job ends as soon as a worker takes it up; one that is already running is not interrupted.
#[derive(Debug, clap::Args)]
pub(super) struct CancelArgs {
    #[command(flatten)]
    store: FarmArgs,
    /// The job's name.
    job: JobName,
    /// Reason given to those who wait for the job.
    #[arg(long, value_name = "TEXT", default_value = "somebody said so")]
    reason: String,
}

/// Allow another try at a job that was cancelled, was given up after too many workers died of it,
/// or has a result that does not hold.
///
/// Removes everything the store has of the job, its result included: submitted again, the job is
/// redone.
#[derive(Debug, clap::Args)]
pub(super) struct RetryArgs {
    #[command(flatten)]
    store: FarmArgs,
    /// The job's name.
    job: JobName,
}

/// Remove old files that only running jobs need: inputs, which show who signed, unverified results
/// and marks.
///
/// Keys and results stay.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example, for a daily timer:
  muster-farm gc --store /mnt/farm --hours 24")]
pub(super) struct GcArgs {
    #[command(flatten)]
    store: FarmArgs,
    /// Keep what was written in the last N hours: no job may take longer.
    #[arg(long, value_name = "N", default_value_t = 24,
          value_parser = decimal::within::<u64>(1..=u64::MAX))]
    hours: u64,
}

pub(super) async fn init(args: &InitArgs) -> Result<(), Error> {
    let store = args.store.make()?.sealed(args.codec.seal()?);
    let was =
        if store.found(args.force).await? == Stored::There { ", as it was before" } else { "" };
    Ok(print(&format!("a farm{was}"))?)
}

pub(super) async fn pin(args: &PinArgs) -> Result<(), Error> {
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

pub(super) async fn status(args: &StatusArgs) -> Result<(), Error> {
    let found = args.store.open().await?.overview().await?;
    if args.json {
        return Ok(print(&json!(found).to_string())?);
    }
    let mut lines: Vec<_> = found.keys.iter().map(|key| format!("key         {key}")).collect();
    lines.extend([
        format!("results     {}", found.results),
        format!("unverified  {}", found.unverified),
        format!("begun       {}", found.begun.len()),
        format!("given up    {}", found.given_up),
    ]);
    lines.extend(found.begun.iter().map(|(job, count)| format!("  {job} {count}")));
    Ok(print(&printable(&lines.join("\n")))?)
}

pub(super) async fn result(args: &ResultArgs) -> Result<(), Error> {
    let result = args.store.open().await?.result(&args.job).await?;
    let result = result.ok_or_else(|| Error::Missing(format!("a result of {}", args.job)))?;
    Ok(write_file(&args.out, &result, args.force)?)
}

pub(super) async fn unpin(args: &UnpinArgs) -> Result<(), Error> {
    args.store.open().await?.unpin(&args.key).await?;
    Ok(print(&format!("unpinned {}", args.key))?)
}

pub(super) async fn cancel(args: &CancelArgs) -> Result<(), Error> {
    args.store.open().await?.cancel(&args.job, &args.reason).await?;
    Ok(print(&format!("{} will not be started", args.job))?)
}

pub(super) async fn retry(args: &RetryArgs) -> Result<(), Error> {
    args.store.open().await?.retry(&args.job).await?;
    Ok(print(&format!("{} may be tried again: submit it again", args.job))?)
}

pub(super) async fn gc(args: &GcArgs) -> Result<(), Error> {
    let age = Duration::from_secs(args.hours.saturating_mul(HOUR));
    Ok(print(&format!("removed {}", args.store.open().await?.collect(age).await?))?)
}
