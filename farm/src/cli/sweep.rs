//! `muster-farm sweep`.

use muster_cli::SweepArgs;
use muster_sweep::proofs::elsewhere::{FarRow, Record};

use super::options::RunArgs;
use crate::{
    job::{Job, SweepRow, Task, Work},
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

pub(super) async fn run(args: &RowsArgs) -> Result<(), Error> {
    let (store, mut sweep) = (args.run.open().await?, args.sweep.elsewhere()?);
    let rows = sweep.left();
    let task = |row: &FarRow| {
        let work = SweepRow { series: args.series.clone(), asked: row.asked.clone() };
        Task::row(Job::new(Work::SweepRow(work), args.run.owner.clone()), row)
    };
    let tasks: Vec<Task> = rows.iter().map(task).collect();
    let outcomes = args.run.run(&store, tasks.clone()).await?;
    for ((row, task), outcome) in rows.iter().zip(&tasks).zip(outcomes) {
        let name = task.job.name();
        match outcome {
            Outcome::Done => {
                let bytes = store.result(&name).await?;
                let bytes = bytes.ok_or_else(|| Error::Missing(format!("the row {name}")))?;
                let path = std::path::PathBuf::from(format!("the row {name}"));
                match Record::parse(&path, &bytes, &row.asked) {
                    Ok(record) => sweep.take(row, record),
                    Err(error) => sweep.fail(row, error.to_string()),
                }
            }
            Outcome::Failed(fault) => sweep.fail(row, fault.to_string()),
        }
    }
    sweep.save()?;
    Ok(sweep.report(args.json)?)
}
