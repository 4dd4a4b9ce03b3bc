//! The folders that are to be proven, as `submit` and `plan` take them, and `muster-farm plan`: what `submit` would start,
//! for clients in other languages.

use std::path::{Path, PathBuf};

use muster_prover::{
    decimal,
    estimate::Size,
    files::DroppedList,
    terminal::{print, say},
    VerifierKey,
};
use serde_json::json;

use super::options::{CodecArgs, FarmArgs};
use crate::{
    job::Task,
    runner::planned,
    store::Store,
    submit::{folders, Committee, Requested, Shared},
    temporal::FLOW_QUEUE,
    Error,
};

/// Which proofs are asked for.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct RequestArgs {
    /// Directory with the keys; the proving key need not be there.
    #[arg(long, value_name = "DIR")]
    keys: PathBuf,
    /// Directory with a folder for each proof.
    #[arg(long, value_name = "DIR")]
    batch: PathBuf,
    /// The committee's file, if all proofs have the same committee.
    #[arg(long, value_name = "FILE")]
    committee: Option<PathBuf>,
    /// The least sum of the signers' weights.
    #[arg(long, value_name = "T", value_parser = decimal::read::<u64>)]
    threshold: u64,
    /// Refuse if any signature does not count, instead of dropping it.
    #[arg(long)]
    strict: bool,
}

/// The proofs, by their folders.
pub(super) struct Requests {
    pub(super) key: VerifierKey,
    pub(super) folders: Vec<PathBuf>,
    /// Of each folder.
    pub(super) tasks: Vec<Task>,
    /// Of each folder, the signatures that do not count.
    pub(super) dropped: Vec<DroppedList>,
}

impl RequestArgs {
    /// Reads all folders, and puts into the store what is too long for a job.
    pub(super) async fn read(&self, store: &Store, owner: &str) -> Result<Requests, Error> {
        let key = VerifierKey::load(&self.keys)?;
        let folders = folders(&self.batch)?;
        refuse_secrets(&folders)?;
        let committee = match &self.committee {
            Some(path) => Some(Committee::read(path, &key, store).await?),
            None => None,
        };
        let (threshold, size, strict) = (self.threshold, Size::for_key(&key), self.strict);
        let shared = Shared { key: &key, size, committee, threshold, owner, strict };
        let (mut tasks, mut lists) = (vec![], vec![]);
        for folder in &folders {
            let Requested { task, dropped } = shared.task(folder, store).await?;
            if !dropped.is_empty() {
                say(dropped.to_string().trim_end());
            }
            tasks.push(task);
            lists.push(dropped);
        }
        Ok(Requests { key, folders, tasks, dropped: lists })
    }
}

/// Files with secrets have no business here: whoever keeps them beside what is submitted is stopped in time.
fn refuse_secrets(folders: &[PathBuf]) -> Result<(), Error> {
    let secrets = folders.iter().map(|folder| folder.join(muster_prover::files::SECRETS_FILE));
    match secrets.into_iter().find(|path| path.exists()) {
        Some(path) => {
            Err(Error::Usage(format!("{}: secrets do not belong on a farm", path.display())))
        }
        None => Ok(()),
    }
}

/// What a folder is called.
pub(super) fn name(folder: &Path) -> String {
    folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

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

pub(super) async fn plan(args: &PlanArgs) -> Result<(), Error> {
    let store = args.store.open_with(args.codec.seal()?).await?;
    let tasks = args.requests.read(&store, &args.owner).await?.tasks;
    let workflows = planned(tasks)?.into_iter().map(|(id, batch)| {
        let jobs: Vec<_> = batch.tasks.iter().map(|task| task.job.name()).collect();
        json!({ "type": "Proofs", "id": id, "queue": FLOW_QUEUE, "input": batch, "jobs": jobs, "owner": args.owner })
    });
    Ok(print(&json!({ "workflows": workflows.collect::<Vec<_>>() }).to_string())?)
}
