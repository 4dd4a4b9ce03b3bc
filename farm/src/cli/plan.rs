//! `muster-farm plan`: what `submit` would start, for clients in other languages.

use muster_prover::terminal::print;
use serde_json::json;

use super::{
    options::{CodecArgs, FarmArgs},
    requests::RequestArgs,
};
use crate::{runner::planned, temporal::FLOW_QUEUE, Error};

/// Print the workflows that `submit` would start, as one JSON object, without starting any.
///
/// Clients in other languages can start them with Temporal's own SDKs. Inputs that are too long for
/// a job are put into the store.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  muster-farm plan --store /mnt/farm --keys keys --batch signed --threshold 8 > plan.json")]
pub(super) struct PlanArgs {
    #[command(flatten)]
    store: FarmArgs,
    #[command(flatten)]
    codec: CodecArgs,
    #[command(flatten)]
    requests: RequestArgs,
    /// Owner of the jobs: who asks for them.
    #[arg(long, value_name = "NAME", default_value = "")]
    owner: String,
}

pub(super) async fn run(args: &PlanArgs) -> Result<(), Error> {
    let store = args.store.open_with(args.codec.seal()?).await?;
    let tasks = args.requests.read(&store, &args.owner).await?.tasks;
    let workflows = planned(tasks)?.into_iter().map(|(id, batch)| {
        let jobs: Vec<_> = batch.tasks.iter().map(|task| task.job.name()).collect();
        json!({ "type": "Proofs", "id": id, "queue": FLOW_QUEUE, "input": batch, "jobs": jobs, "owner": args.owner })
    });
    Ok(print(&json!({ "workflows": workflows.collect::<Vec<_>>() }).to_string())?)
}
