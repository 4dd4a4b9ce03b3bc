//! `muster-farm status`, `result`, `unpin`, `cancel`, `retry` and `gc`: what the store tells, without any server.

use std::{path::PathBuf, time::Duration};

use muster_prover::{
    decimal,
    output::write_file,
    terminal::{print, printable},
};
use serde_json::json;

use super::options::FarmArgs;
use crate::{job::JobName, Digest, Error};

/// Seconds of an hour.
const HOUR: u64 = 3_600;

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
