//! `muster-farm keygen`.

use std::path::{Path, PathBuf};

use muster_cli::{packs_json, progress::Progress, CircuitArgs, PacksArgs, SrsArgs};
use muster_prover::{
    estimate::Size, input, keys::Plan, output::write_file, terminal::print, Keys, Shape, Srs,
    VerifierKey,
};
use serde_json::json;

use super::options::RunArgs;
use crate::{
    job::{Job, JobName, Keygen, MadeKeys, Task, Work},
    store::{key_limits, Store, KEY_FILES},
    work::Outcome,
    workshop::OTHER_PACKS,
    Digest, Error,
};

/// Have a farm's workers make keys, on machines that have the memory for it, and pin them.
///
/// No worker is trusted: another worker checks the keys against their circuit, every number of the
/// proving key included. The verifying key is checked once more here, which takes a fraction of the
/// time and memory of making it; with --proving-key, so is the proving key. DIR then has what
/// verifiers need; the proving key stays in the store.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  muster-farm keygen --store /mnt/farm --address farm.example.org:7233 --scheme schnorr-babyjubjub \\
      --signers 256 --slots 128 --srs ceremony.ptau --out keys
  muster-farm keygen --store /mnt/farm --address farm.example.org:7233 --scheme schnorr-babyjubjub \\
      --signers 256 --slots 128 --kind compact --srs ceremony.ptau --out keys-for-a-chain")]
pub(super) struct KeygenArgs {
    #[command(flatten)]
    run: RunArgs,
    #[command(flatten)]
    circuit: CircuitArgs,
    #[command(flatten)]
    packs: PacksArgs,
    #[command(flatten)]
    srs: SrsArgs,
    /// Also fetch the proving key.
    #[arg(long)]
    proving_key: bool,
    /// Directory for the keys.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Replace existing files, and other files that the key is pinned with.
    #[arg(long)]
    force: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// How many of the files verify.
const VERIFYING: usize = 2;

pub(super) async fn run(args: &KeygenArgs) -> Result<(), Error> {
    args.packs.check()?;
    let (store, progress) = (args.run.open().await?, Progress::new());
    let shape = args.circuit.fit(&progress)?;
    let plan = args.packs.plan(&shape, &progress)?;
    // Better told now than after the work.
    let wanted = if args.proving_key { KEY_FILES.len() } else { VERIFYING };
    let names = &KEY_FILES[..wanted];
    if let Some(there) = names.iter().map(|name| args.out.join(name)).find(|path| path.exists())
        && !args.force
    {
        return Err(muster_prover::Error::Exists(there).into());
    }
    let degree = plan.as_ref().map_or(shape.degree(), Plan::srs_degree);
    let srs = args.srs.load(degree, &progress)?;
    let asked = store.put_srs(&srs).await?;
    let keygen = Keygen {
        srs: asked,
        origin: srs.origin().clone(),
        shape: serde_json::to_value(&shape).expect("a shape is plain data"),
        // Said in any case: keys with the usual stride are the same job for those who name it and those who do not.
        stride: plan.as_ref().map(|plan| plan.packing().stride()),
    };
    let job = Job::new(Work::Keygen(keygen), args.run.owner.clone());
    let size = Size::planned(&shape, plan.as_ref())?;
    let (name, task) = (job.name(), Task::keys(job, &shape, &size));
    let made = made(&args.run, &store, &name, task).await?;
    std::fs::create_dir_all(&args.out).map_err(Error::io(&args.out))?;
    let (made, shape, plan) = (&made, &shape, plan.as_ref());
    let fetched = fetch(&store, made, (shape, wanted), &args.out).await?;
    let has_proving_key = args.proving_key;
    let told = Told { made, shape, plan, srs: asked, has_proving_key };
    if let Some(reason) = told.fault(fetched.path(), &srs, &progress)? {
        return Err(Error::Malformed { name: format!("the keys {name}"), reason });
    }
    for file in names {
        let path = fetched.path().join(file);
        let bytes = std::fs::read(&path).map_err(Error::io(&path))?;
        write_file(&args.out.join(file), &bytes, args.force)?;
    }
    store.pin_files(&made.key, &made.pinned, args.force).await?;
    if args.json {
        let packs = plan.map(packs_json);
        let json = json!({ "job": name, "vk_digest": made.key, "keys": args.out, "shape": shape,
            "kind": args.packs.kind(), "packs": packs });
        print(&json.to_string())?;
    } else {
        print(&format!("keys in {}\npinned {}", args.out.display(), made.key))?;
    }
    Ok(())
}

/// What workers say that they made.
async fn made(run: &RunArgs, store: &Store, name: &JobName, task: Task) -> Result<MadeKeys, Error> {
    match run.run(store, vec![task]).await?.pop() {
        Some(Outcome::Done) => {}
        Some(Outcome::Failed(fault)) => {
            return Err(Error::Failed(vec![format!("{name}: {fault}")]))
        }
        None => return Err(Error::Engine(format!("no outcome was reported for {name}"))),
    }
    let bytes = store.result(name).await?;
    let bytes = bytes.ok_or_else(|| Error::Missing(format!("the keys {name}")))?;
    let wrong = |reason| Error::Malformed { name: format!("the keys {name}"), reason };
    input::from_json(&bytes).map_err(wrong)
}

/// Keys that a worker is said to have made.
pub(super) struct Told<'a> {
    pub(super) made: &'a MadeKeys,
    /// What was asked for.
    pub(super) shape: &'a Shape,
    pub(super) plan: Option<&'a Plan>,
    /// Digest of the file of the SRS.
    pub(super) srs: Digest,
    pub(super) has_proving_key: bool,
}

impl Told<'_> {
    /// What keeps the files in `dir` from being the keys that were asked for.
    pub(super) fn fault(
        &self,
        dir: &Path,
        srs: &Srs,
        progress: &Progress,
    ) -> Result<Option<String>, Error> {
        let Self { made, shape, plan, .. } = self;
        let key = VerifierKey::load(dir)?;
        if made.pinned.srs != self.srs {
            return Ok(Some(format!("they were made from the SRS {}", made.pinned.srs)));
        }
        if !key.has_packs_of(*plan) {
            return Ok(Some(OTHER_PACKS.into()));
        }
        let is_told = key.shape() == *shape && Digest(key.digest()) == made.key;
        let words = "checking the verifying key against its circuit";
        if !is_told || !progress.run(words, || key.is_made_from(srs))? {
            return Ok(Some("the verifying key does not belong to the circuit".into()));
        }
        let words = "checking the proving key against its circuit";
        let holds = || Keys::load(dir)?.is_made_from(srs);
        if self.has_proving_key && !progress.run(words, holds)? {
            return Ok(Some("the proving key does not belong to the circuit".into()));
        }
        Ok(None)
    }
}

/// The files of keys, in a folder beside where they will be.
async fn fetch(
    store: &Store,
    made: &MadeKeys,
    (shape, wanted): (&Shape, usize),
    out: &Path,
) -> Result<tempfile::TempDir, Error> {
    let dir = tempfile::TempDir::new_in(out).map_err(Error::io(out))?;
    let files = made.pinned.files.iter().zip(KEY_FILES).zip(key_limits(shape)?);
    for ((digest, name), limit) in files.take(wanted) {
        store.fetch(digest, &dir.path().join(name), limit).await?;
    }
    Ok(dir)
}
