//! `muster-farm submit`.

use std::path::PathBuf;

use bytes::Bytes;
use muster_prover::{decimal, output::write_file, terminal::print};
use serde_json::json;

use super::{
    options::RunArgs,
    requests::{name, RequestArgs, Requests},
};
use crate::{
    job::Task,
    store::Store,
    submit::tree,
    work::{verify_all, Fault, Outcome},
    Error,
};

/// Have proofs made, and wait for them.
///
/// Each folder in the directory is one proof to make, from its signatures.json and, without
/// --committee, its committee.json, as for `muster prove --batch`. What is already proven is not
/// proven again, no matter who asked for it. Without a server, the proofs are made on this machine.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  muster-farm submit --store /mnt/farm --keys keys --batch signed --committee sample/committee.json \\
      --threshold 8 --out proofs
  muster-farm submit --store /mnt/farm --address farm.example.org:7233 --keys keys --batch signed \\
      --threshold 8 --out proofs --json
  muster-farm submit --store /mnt/farm --keys keys --batch signed --threshold 8 --out proofs --tree 8")]
pub(super) struct SubmitArgs {
    #[command(flatten)]
    run: RunArgs,
    #[command(flatten)]
    requests: RequestArgs,
    /// Have every N proofs verified together by a node, and every N nodes by another, up to one
    /// that needs all of them.
    #[arg(long, value_name = "N", value_parser = decimal::within::<u16>(2..=1024))]
    tree: Option<u16>,
    /// Directory for the proofs; the proof of folder NAME is NAME.json there.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Replace existing proofs.
    #[arg(long)]
    force: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

pub(super) async fn run(args: &SubmitArgs) -> Result<(), Error> {
    let store = args.run.open().await?;
    let requests = args.requests.read(&store, &args.run.owner).await?;
    let tasks = requests.tasks.clone();
    let levels = match args.tree {
        Some(width) => tree(tasks, width.into(), &args.run.owner),
        None => vec![tasks],
    };
    let key = Some(&requests.key);
    let mut outcomes = args.run.chain(&store, levels.clone(), key).await?.into_iter();
    let proofs = outcomes.next().unwrap_or_default();
    let mut written = Written::default();
    std::fs::create_dir_all(&args.out).map_err(Error::io(&args.out))?;
    for (place, outcome) in held(&store, &requests, &proofs).await?.into_iter().enumerate() {
        written.proof(args, &requests, place, outcome)?;
    }
    for (tasks, outcomes) in levels[1..].iter().zip(outcomes) {
        tasks.iter().zip(outcomes).for_each(|(task, outcome)| written.node(task, outcome));
    }
    written.report(args)
}

/// The proofs that were made, from the store, or why there is none. Workers write there, too: what is given out was verified here.
pub(super) async fn held(
    store: &Store,
    requests: &Requests,
    outcomes: &[Outcome],
) -> Result<Vec<Result<Bytes, Fault>>, Error> {
    let (mut proofs, mut places, mut told) = (vec![], vec![], vec![]);
    for (place, (task, outcome)) in requests.tasks.iter().zip(outcomes).enumerate() {
        let job = task.job.name();
        let lacks = |reason: String| Err(Fault::Worker(format!("the proof {job}: {reason}")));
        let proof = match outcome {
            Outcome::Failed(fault) => Err(fault.clone()),
            Outcome::Done => match store.result(&job).await {
                Ok(Some(proof)) => Ok(proof),
                Ok(None) => lacks("it was reported to be in the store, but is not there".into()),
                Err(error @ Error::Malformed { .. }) => lacks(error.to_string()),
                Err(error) => return Err(error),
            },
        };
        if let (Ok(proof), Some(claim)) = (&proof, task.job.work.claim()) {
            told.push((claim.clone(), proof.clone()));
            places.push((place, job));
        }
        proofs.push(proof);
    }
    for ((place, job), verdict) in places.into_iter().zip(verify_all(&requests.key, &told)) {
        if let Err(reason) = verdict {
            proofs[place] = Err(Fault::Worker(format!("the proof {job}: {reason}")));
        }
    }
    Ok(proofs)
}

/// What came of all.
#[derive(Default)]
struct Written {
    rows: Vec<serde_json::Value>,
    nodes: Vec<serde_json::Value>,
    failed: Vec<String>,
    proven: usize,
}

impl Written {
    /// Writes the file of a proof that was verified.
    fn proof(
        &mut self,
        args: &SubmitArgs,
        requests: &Requests,
        place: usize,
        proof: Result<Bytes, Fault>,
    ) -> Result<(), Error> {
        let (folder, task) = (&requests.folders[place], &requests.tasks[place]);
        let (name, job) = (name(folder), task.job.name());
        let path = args.out.join(format!("{name}.json"));
        let (written, outcome) = match proof {
            Ok(proof) => {
                write_file(&path, &proof, args.force)?;
                self.proven += 1;
                (Some(path.display().to_string()), Outcome::Done)
            }
            Err(fault) => {
                self.failed.push(format!("{}: {fault}", folder.display()));
                (None, Outcome::Failed(fault))
            }
        };
        let dropped = requests.dropped[place].to_json();
        self.rows.push(json!({
            "folder": name, "job": job, "proof": written, "outcome": outcome, "dropped": dropped,
        }));
        Ok(())
    }

    fn node(&mut self, task: &Task, outcome: Outcome) {
        let job = task.job.name();
        if let Outcome::Failed(fault) = &outcome {
            self.failed.push(format!("the node {job}: {fault}"));
        }
        self.nodes.push(json!({ "job": job, "outcome": outcome }));
    }

    fn report(self, args: &SubmitArgs) -> Result<(), Error> {
        let Self { rows, nodes, failed, proven } = self;
        if args.json {
            let mut object = json!({ "jobs": rows, "proven": proven, "failed": failed.len() });
            if args.tree.is_some() {
                object["nodes"] = nodes.into();
            }
            print(&object.to_string())?;
        } else {
            print(&format!("{proven} of {} proofs in {}", rows.len(), args.out.display()))?;
            if let Some(root) = nodes.last().filter(|_| failed.is_empty()) {
                print(&format!("all of them hold: {}", root["job"].as_str().unwrap_or_default()))?;
            }
        }
        if failed.is_empty() {
            Ok(())
        } else {
            Err(Error::Failed(failed))
        }
    }
}
