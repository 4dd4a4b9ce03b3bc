//! `muster-farm simulate`.

use std::path::Path;

use muster_cli::simulate::{DkgArgs, FrostArgs, Simulated, Simulations};

use super::options::RunArgs;
use crate::{
    job::{Job, Simulate, Task, Work},
    work::Outcome,
    Error,
};

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

pub(super) async fn run(args: &SimulateArgs) -> Result<(), Error> {
    match &args.what {
        What::Frost(args) => hold(args, Simulations::frost(&args.what)?).await,
        What::Dkg(args) => hold(args, Simulations::dkg(&args.what)?).await,
    }
}

async fn hold<A: clap::Args>(args: &Asked<A>, mut all: Simulations) -> Result<(), Error> {
    let store = args.run.open().await?;
    let left = all.left();
    let tasks: Vec<Task> = (left.iter())
        .map(|asked| {
            let work = Simulate { series: args.series.clone(), asked: asked.clone() };
            Task::ceremony(Job::new(Work::Simulate(work), args.run.owner.clone()), asked)
        })
        .collect();
    let outcomes = args.run.run(&store, tasks.clone()).await?;
    let mut failed = vec![];
    for ((asked, task), outcome) in left.iter().zip(&tasks).zip(outcomes) {
        let name = task.job.name();
        if let Outcome::Failed(fault) = outcome {
            failed.push(format!("{name}: {fault}"));
            continue;
        }
        let bytes = store.result(&name).await?;
        let bytes = bytes.ok_or_else(|| Error::Missing(format!("the ceremony {name}")))?;
        let path = format!("the ceremony {name}");
        match Simulated::parse(Path::new(&path), &bytes, asked) {
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
