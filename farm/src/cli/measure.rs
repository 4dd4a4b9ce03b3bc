//! What is measured: `muster-farm sweep` and `simulate`.

use std::path::Path;

use bytes::Bytes;
use muster_cli::{
    simulate::{DkgArgs, FrostArgs, Simulated, Simulation, Simulations},
    SweepArgs,
};
use muster_sweep::proofs::elsewhere::{FarRow, Record};

use super::options::RunArgs;
use crate::{
    job::{Job, JobName, Simulate, SweepRow, Task, Work},
    store::Store,
    work::Outcome,
    Error,
};

/// Run a sweep on a farm's workers: each row has a machine to itself.
///
/// Rows, files and options are those of `muster sweep`; each row says which machine it is from, and
/// different machines share no line of a plot. Rows that the store already has are not measured
/// again. Without a server, the rows are measured on this machine.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  muster-farm sweep --store /mnt/farm --address farm.example.org:7233 \\
      --scheme schnorr-babyjubjub --degree 11..13 --case 8/16 --out results
  muster-farm sweep --store /mnt/farm --scheme ed25519 --case 1/1 4/7 --series november --out results")]
pub(super) struct RowsArgs {
    #[command(flatten)]
    run: RunArgs,
    #[command(flatten)]
    sweep: SweepArgs,
    /// Name of the series: rows measured in another series are measured again.
    #[arg(long, value_name = "NAME", default_value = "")]
    series: String,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

pub(super) async fn sweep(args: &RowsArgs) -> Result<(), Error> {
    let (store, mut sweep) = (args.run.open().await?, args.sweep.elsewhere()?);
    let rows = sweep.left();
    let task = |row: &FarRow| {
        let work = SweepRow { series: args.series.clone(), asked: row.asked.clone() };
        Task::row(Job::new(Work::SweepRow(work), args.run.owner.clone()), row)
    };
    let tasks: Vec<Task> = rows.iter().map(task).collect();
    let outcomes = args.run.run(&store, tasks.clone()).await?;
    for ((row, task), outcome) in rows.iter().zip(&tasks).zip(outcomes) {
        if let Outcome::Failed(fault) = outcome {
            sweep.fail(row, fault.to_string());
            continue;
        }
        let (name, bytes) = result(&store, "row", &task.job.name()).await?;
        match Record::parse(Path::new(&name), &bytes, &row.asked) {
            Ok(record) => sweep.take(row, record),
            Err(error) => sweep.fail(row, error.to_string()),
        }
    }
    sweep.save()?;
    Ok(sweep.report(args.json)?)
}

/// Measure ceremonies of FROST and of key generation with made-up secrets, each on a machine of its
/// own.
///
/// Options and files are those of `muster frost sweep` and `muster dkg demo`. What the store
/// already has is not measured again. Without a server, the ceremonies run on this machine.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  muster-farm simulate frost --store /mnt/farm --address farm.example.org:7233 \\
      --suite ed25519 p256 --case 2/3 67/100 --out frost
  muster-farm simulate dkg --store /mnt/farm --stakes stakes.json --out dkg")]
pub(super) struct SimulateArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    /// FROST: key generation, both rounds, aggregation and the search for a cheater, as `muster
    /// frost sweep` measures them.
    Frost(Asked<FrostArgs>),
    /// Key generation among players with given stakes, without a dealer, as in `muster dkg demo`.
    Dkg(Asked<DkgArgs>),
}

#[derive(Debug, clap::Args)]
struct Asked<A: clap::Args> {
    #[command(flatten)]
    run: RunArgs,
    #[command(flatten)]
    what: A,
    /// Name of the series: ceremonies measured in another series are measured again.
    #[arg(long, value_name = "NAME", default_value = "")]
    series: String,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

pub(super) async fn simulate(args: &SimulateArgs) -> Result<(), Error> {
    match &args.what {
        What::Frost(args) => hold(args, Simulations::frost(&args.what)?).await,
        What::Dkg(args) => hold(args, Simulations::dkg(&args.what)?).await,
    }
}

async fn hold<A: clap::Args>(args: &Asked<A>, mut all: Simulations) -> Result<(), Error> {
    let store = args.run.open().await?;
    let left = all.left();
    let task = |asked: &Simulation| {
        let work = Simulate { series: args.series.clone(), asked: asked.clone() };
        Task::ceremony(Job::new(Work::Simulate(work), args.run.owner.clone()), asked)
    };
    let tasks: Vec<Task> = left.iter().map(task).collect();
    let outcomes = args.run.run(&store, tasks.clone()).await?;
    let mut failed = vec![];
    for ((asked, task), outcome) in left.iter().zip(&tasks).zip(outcomes) {
        let job = task.job.name();
        if let Outcome::Failed(fault) = outcome {
            failed.push(format!("{job}: {fault}"));
            continue;
        }
        let (name, bytes) = result(&store, "ceremony", &job).await?;
        match Simulated::parse(Path::new(&name), &bytes, asked) {
            Ok(simulated) => all.take(simulated)?,
            Err(error) => failed.push(error.to_string()),
        }
    }
    all.save()?;
    if failed.is_empty() {
        Ok(all.report(args.json)?)
    } else {
        Err(Error::Failed(failed))
    }
}

/// The result of a job that is done, and what errors call it.
async fn result(store: &Store, what: &str, job: &JobName) -> Result<(String, Bytes), Error> {
    let name = format!("the {what} {job}");
    match store.result(job).await? {
        Some(bytes) => Ok((name, bytes)),
        None => Err(Error::Missing(name)),
    }
}
