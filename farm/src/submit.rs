//! From the folders that `muster prove --batch` reads to jobs.

use std::path::{Path, PathBuf};

use muster_prover::{
    estimate::Size,
    files::{
        CommitteeFile, DroppedList, Gathered, SignaturesFile, COMMITTEE_FILE, SIGNATURES_FILE,
    },
    Seats, VerifierKey,
};

use crate::{
    digest::Digest,
    job::{Claim, Input, Job, Prove, StatedJob, Task, Verify, Work, INLINE_LIMIT},
    store::Store,
    Error,
};

/// What all jobs of a batch share.
#[derive(Clone, Debug)]
pub struct Shared<'a> {
    /// The key.
    pub key: &'a VerifierKey,
    /// What its proofs take.
    pub size: Size,
    /// The committee, if all jobs have the same.
    pub committee: Option<Committee>,
    /// The least sum of weights.
    pub threshold: u64,
    /// Who asks.
    pub owner: &'a str,
    /// Whether all signatures have to count.
    pub strict: bool,
}

/// What a folder comes to.
#[derive(Clone, Debug)]
pub struct Requested {
    /// The job.
    pub task: Task,
    /// The signatures that do not count, and are no part of it.
    pub dropped: DroppedList,
}

/// Signatures that count, of which a job is to make a proof.
struct Sorted {
    stated: StatedJob,
    /// The file with them alone, if others are left out.
    file: Option<String>,
    dropped: DroppedList,
}

impl Shared<'_> {
    /// The job of a folder with `signatures.json` and, unless it is shared, `committee.json`. Signatures that do not count
    /// are left out of it, so that no worker sees them.
    ///
    /// # Errors
    ///
    /// Those of reading the files, and of the store; and [`muster_prover::Error::Dropped`] if all have to count.
    pub async fn task(&self, folder: &Path, store: &Store) -> Result<Requested, Error> {
        let signatures = folder.join(SIGNATURES_FILE);
        let own;
        let committee = match &self.committee {
            Some(shared) => shared,
            None => {
                own = Committee::read(&folder.join(COMMITTEE_FILE), self.key, store).await?;
                &own
            }
        };
        let Sorted { stated: statement, file, dropped } = self.sorted(committee, &signatures)?;
        let claim = Claim { key: Digest(self.key.digest()), kind: self.key.kind(), statement };
        let prove = Prove {
            claim,
            srs: Digest(self.key.srs().digest),
            committee: committee.input.clone(),
            signatures: match file {
                None => input(&signatures, store).await?,
                Some(text) => stored(text, store).await?,
            },
        };
        let job = Job::new(Work::Prove(prove), self.owner);
        Ok(Requested { task: Task::proof(job, self.key.shape(), &self.size), dropped })
    }

    /// The signatures that count, as `muster prove` sorts them out.
    fn sorted(
        &self,
        committee: &Committee,
        signatures: &Path,
    ) -> Result<Sorted, muster_prover::Error> {
        let Committee { file, root, .. } = committee;
        let gathered = Gathered::read(signatures, file)?;
        let (shape, message) = (self.key.shape(), gathered.message().clone());
        let stated = shape.suite()?.stated(&message)?;
        let terms = shape.terms()?;
        let (signatures, dropped) = gathered.sort_out(&terms, file, &stated)?;
        if self.strict {
            dropped.refuse()?;
        }
        let signers = terms.signers(shape.slots, &file.committee, &signatures, self.threshold);
        let signers = dropped.named_in(signers.map_err(Into::into))?;
        let stated = StatedJob {
            key_set_root: *root,
            threshold: self.threshold,
            message: muster_prover::encoding::message_to_hex(&message),
            signers: signers.map(|signers| signers.to_vec()),
        };
        let counting = SignaturesFile { scheme: file.scheme, message, signatures };
        let file = (!dropped.is_empty()).then(|| counting.to_json().to_string());
        Ok(Sorted { stated, file, dropped })
    }
}

/// A committee read from its file.
#[derive(Clone, Debug)]
pub struct Committee {
    file: CommitteeFile,
    root: Digest,
    input: Input,
}

impl Committee {
    /// Reads a committee's file for keys, and computes its root.
    ///
    /// # Errors
    ///
    /// Those of reading the file, and of the store.
    pub async fn read(path: &Path, key: &VerifierKey, store: &Store) -> Result<Self, Error> {
        let terms = key.shape().terms().map_err(muster_prover::Error::from)?;
        let file = CommitteeFile::read_for(path, Seats::default(), &terms)?;
        let root = muster_prover::encoding::field_to_hex(&file.tree(path, &terms)?.root());
        let root = root.parse().map_err(Error::Usage)?;
        Ok(Self { file, root, input: input(path, store).await? })
    }
}

/// A file in the job itself, or in the store if it is long.
async fn input(path: &Path, store: &Store) -> Result<Input, Error> {
    let bytes = std::fs::read(path).map_err(Error::io(path))?;
    match String::from_utf8(bytes) {
        Ok(text) => stored(text, store).await,
        Err(_) => Err(Error::Usage(format!("{}: it is not UTF-8", path.display()))),
    }
}

/// A text in the job itself, or in the store if it is long.
async fn stored(text: String, store: &Store) -> Result<Input, Error> {
    if text.len() <= INLINE_LIMIT {
        return Ok(Input::Inline(text));
    }
    store.put_input(&text).await
}

/// Levels of jobs that end in one that needs all others: each has a node over every `width` jobs of the level before.
pub fn tree(tasks: Vec<Task>, width: usize, owner: &str) -> Vec<Vec<Task>> {
    let width = width.max(2);
    let node = |verify: Verify| {
        let children = verify.claims.len() + verify.nodes.len();
        Task::node(Job::new(Work::Verify(verify), owner), children)
    };
    let over_proofs = |tasks: &[Task]| {
        let claims = tasks.iter().filter_map(|task| task.job.work.claim().cloned()).collect();
        node(Verify { claims, nodes: vec![] })
    };
    let over_nodes = |tasks: &[Task]| {
        let nodes = tasks.iter().map(|task| task.job.name()).collect();
        node(Verify { claims: vec![], nodes })
    };
    let mut level: Vec<Task> = tasks.chunks(width).map(over_proofs).collect();
    let mut levels = vec![tasks];
    while level.len() > 1 {
        let next = level.chunks(width).map(over_nodes).collect();
        levels.push(std::mem::replace(&mut level, next));
    }
    levels.push(level);
    levels
}

/// The folders of a directory, by name.
///
/// # Errors
///
/// [`Error::Io`], [`Error::Usage`] if there are none.
pub fn folders(dir: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut folders = vec![];
    for entry in std::fs::read_dir(dir).map_err(Error::io(dir))? {
        let path = entry.map_err(Error::io(dir))?.path();
        if path.is_dir() {
            folders.push(path);
        }
    }
    if folders.is_empty() {
        return Err(Error::Usage(format!("{}: it contains no folders", dir.display())));
    }
    folders.sort();
    Ok(folders)
}
