//! `muster-farm submit`.

use std::path::{Path, PathBuf};

use muster_prover::{TranscriptKind, VerifierKey};
use serde_json::json;

use super::options::{threads, write_new, CacheArgs, StoreArgs};
use crate::{
    job::Task,
    runner::{Local, Runner, Temporal},
    store::Store,
    submit::{folders, Shared},
    temporal::{connect, Server},
    work::{confirm_bytes, Outcome},
    workshop::{Capacity, Place, Workshop},
    Error,
};

/// Have proofs made, and wait for them.
///
/// Each folder in the directory is a proof to make, with its signatures.json and, without --committee, its committee.json,
/// as for `muster prove --batch`. What is proven already is not proven again, whoever asked for it. Without a server, the
/// proofs are made on this machine.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  muster-farm submit --store /mnt/farm --keys keys --batch signed --committee sample/committee.json \\
      --threshold 8 --out proofs
  muster-farm submit --store /mnt/farm --address farm.example.org:7233 --keys keys --batch signed \\
      --threshold 8 --transcript keccak --out proofs --json")]
pub(super) struct SubmitArgs {
    #[command(flatten)]
    store: StoreArgs,
    #[command(flatten)]
    cache: CacheArgs,
    #[command(flatten)]
    server: Server,
    /// Directory with the keys; the proving key need not be there.
    #[arg(long, value_name = "DIR")]
    keys: PathBuf,
    /// Directory with a folder for each proof.
    #[arg(long, value_name = "DIR")]
    batch: PathBuf,
    /// The committee's file, if all have the same.
    #[arg(long, value_name = "FILE")]
    committee: Option<PathBuf>,
    /// The least sum of the signers' weights.
    #[arg(long, value_name = "T")]
    threshold: u64,
    /// Hash for the proofs' challenges: keccak for contracts, poseidon for recursion.
    #[arg(long, value_enum, default_value_t)]
    transcript: TranscriptKind,
    /// Who asks.
    #[arg(long, value_name = "NAME", default_value = "")]
    owner: String,
    /// Directory for the proofs: that of folder NAME is NAME.json.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Replace proofs that are there.
    #[arg(long)]
    force: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

pub(super) async fn run(args: &SubmitArgs) -> Result<(), Error> {
    let (store, key) = (args.store.open()?, VerifierKey::load(&args.keys)?);
    let folders = folders(&args.batch)?;
    refuse_secrets(&folders)?;
    let shared = Shared {
        key: &key,
        committee: args.committee.as_deref(),
        threshold: args.threshold,
        transcript: args.transcript,
        owner: &args.owner,
    };
    let mut tasks = vec![];
    for folder in &folders {
        tasks.push(shared.task(folder, &store).await?);
    }
    let outcomes = have_done(args, &store, tasks.clone()).await?;
    std::fs::create_dir_all(&args.out).map_err(Error::io(&args.out))?;
    let (mut failed, mut rows) = (vec![], vec![]);
    for ((folder, task), outcome) in folders.iter().zip(&tasks).zip(outcomes) {
        let (name, job) = (name(folder), task.job.name());
        let path = args.out.join(format!("{name}.json"));
        let written = match &outcome {
            Outcome::Proven => {
                let proof = store.proof(&job).await?;
                let proof = proof.ok_or_else(|| Error::Missing(format!("the proof {job}")))?;
                // Workers write to the store, too: what is given out was verified here.
                confirm_bytes(&key, &task.job, &proof).map_err(|reason| Error::Malformed {
                    name: format!("the proof {job}"),
                    reason,
                })?;
                write_new(&path, &proof, args.force)?;
                Some(path.display().to_string())
            }
            Outcome::Failed(fault) => {
                failed.push(format!("{}: {fault}", folder.display()));
                None
            }
        };
        rows.push(json!({ "folder": name, "job": job, "proof": written, "outcome": outcome }));
    }
    let proven = rows.len() - failed.len();
    if args.json {
        println!("{}", json!({ "jobs": rows, "proven": proven, "failed": failed.len() }));
    } else {
        println!("{proven} of {} proofs in {}", rows.len(), args.out.display());
    }
    if failed.is_empty() {
        Ok(())
    } else {
        Err(Error::Failed(failed))
    }
}

/// Has jobs done by a server's workers, or on this machine if no server is named.
async fn have_done(
    args: &SubmitArgs,
    store: &Store,
    tasks: Vec<Task>,
) -> Result<Vec<Outcome>, Error> {
    let is_named = args.server.address.is_some()
        || ["TEMPORAL_ADDRESS", "TEMPORAL_PROFILE"]
            .iter()
            .any(|name| std::env::var_os(name).is_some());
    if is_named {
        let client = connect(&args.server).await?;
        return Temporal::new(client, store.clone()).run(tasks).await;
    }
    let (cache, _folder) = args.cache.open(store.clone())?;
    let slots = threads();
    let capacity = Capacity { memory: u64::MAX, slots };
    let workshop = Workshop::new(cache, Place::Inside, capacity)?;
    Local::new(workshop, slots).run(tasks).await
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

fn name(folder: &Path) -> String {
    folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}
