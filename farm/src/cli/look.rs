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

/// Show what the store has: keys, proofs, and jobs that were begun.
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

/// Fetch the result of a job: a proof, a row of a sweep, what a node of a tree says, which files keys have, or a ceremony.
///
/// Workers write to the store: a proof is to be verified, with `muster verify`, by whoever relies on it.
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

/// Have a farm prove with keys no longer, as after `pin` of wrong ones.
///
/// Their files go with the next `gc`. Workers that have loaded the keys keep them until they are started again.
#[derive(Debug, clap::Args)]
pub(super) struct UnpinArgs {
    #[command(flatten)]
    store: FarmArgs,
    /// Digest of the verifying key, as `pin` and `status` print it.
    key: Digest,
}

/// Say that a job is not to be done.
///
/// It ends as soon as a worker takes it up; one that is at work already is not broken off.
#[derive(Debug, clap::Args)]
pub(super) struct CancelArgs {
    #[command(flatten)]
    store: FarmArgs,
    /// The job's name.
    job: JobName,
    /// What those are told who wait for it.
    #[arg(long, value_name = "TEXT", default_value = "somebody said so")]
    reason: String,
}

/// Let a job be tried again that was cancelled, given up after too many workers died of it, or has a result that does not hold.
///
/// All that the store has of the job goes, its result included: submitted once more, it is done anew.
#[derive(Debug, clap::Args)]
pub(super) struct RetryArgs {
    #[command(flatten)]
    store: FarmArgs,
    /// The job's name.
    job: JobName,
}

/// Remove what only jobs at work need, once it is old: inputs, which show who signed, unverified results and marks.
///
/// Keys and results stay.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example, for a timer of each day:
  muster-farm gc --store /mnt/farm --hours 24")]
pub(super) struct GcArgs {
    #[command(flatten)]
    store: FarmArgs,
    /// What was written in so many hours stays: no job may take longer.
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
    Ok(print(&format!("{} is not going to be begun", args.job))?)
}

pub(super) async fn retry(args: &RetryArgs) -> Result<(), Error> {
    args.store.open().await?.retry(&args.job).await?;
    Ok(print(&format!("{} may be tried again: submit it once more", args.job))?)
}

pub(super) async fn gc(args: &GcArgs) -> Result<(), Error> {
    let age = Duration::from_secs(args.hours.saturating_mul(HOUR));
    Ok(print(&format!("removed {}", args.store.open().await?.collect(age).await?))?)
}
