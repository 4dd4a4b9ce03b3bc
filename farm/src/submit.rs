//! From the folders that `muster prove --batch` reads to jobs.

use std::path::{Path, PathBuf};

use muster_prover::{
    files::{CommitteeFile, SignaturesFile, COMMITTEE_FILE, SIGNATURES_FILE},
    Seats, TranscriptKind, VerifierKey,
};

use crate::{
    digest::Digest,
    job::{Input, Job, Kind, StatedJob, Task, INLINE_LIMIT, VERSION},
    store::Store,
    Error,
};

/// What all jobs of a batch share.
#[derive(Clone, Debug)]
pub struct Shared<'a> {
    /// The key.
    pub key: &'a VerifierKey,
    /// The one committee's file, if there is one for all.
    pub committee: Option<&'a Path>,
    /// The least sum of weights.
    pub threshold: u64,
    /// Hash of the proofs' transcripts.
    pub transcript: TranscriptKind,
    /// Who asks.
    pub owner: &'a str,
}

impl Shared<'_> {
    /// The job of a folder with `signatures.json` and, unless it is shared, `committee.json`.
    ///
    /// # Errors
    ///
    /// Those of reading the files, and of the store.
    pub async fn task(&self, folder: &Path, store: &Store) -> Result<Task, Error> {
        let own = folder.join(COMMITTEE_FILE);
        let committee = self.committee.unwrap_or(&own);
        let signatures = folder.join(SIGNATURES_FILE);
        let job = Job {
            version: VERSION,
            kind: Kind::Prove,
            key: Digest(self.key.digest()),
            srs: Digest(self.key.srs().digest),
            statement: self.stated(committee, &signatures)?,
            transcript: self.transcript,
            committee: input(committee, store).await?,
            signatures: input(&signatures, store).await?,
            owner: self.owner.to_owned(),
        };
        Ok(Task::new(job, self.key.shape()))
    }

    fn stated(&self, committee: &Path, signatures: &Path) -> Result<StatedJob, Error> {
        let shape = self.key.shape();
        let terms = shape.terms().map_err(muster_prover::Error::from)?;
        let file = CommitteeFile::read(committee, Seats::default())?;
        let root = file.tree(committee, &terms)?.root();
        let signed = SignaturesFile::read(signatures, file.scheme, file.keys)?;
        let signers =
            terms.signers(shape.slots, &file.committee, &signed.signatures, self.threshold);
        let signers = signers.map_err(muster_prover::Error::from)?;
        let root = muster_prover::encoding::field_to_hex(&root);
        Ok(StatedJob {
            key_set_root: root.parse().map_err(Error::Usage)?,
            threshold: self.threshold,
            message: muster_prover::encoding::message_to_hex(&signed.message),
            signers: signers.map(|signers| signers.to_vec()),
        })
    }
}

/// A file in the job itself, or in the store if it is long.
async fn input(path: &Path, store: &Store) -> Result<Input, Error> {
    let bytes = std::fs::read(path).map_err(Error::io(path))?;
    match String::from_utf8(bytes) {
        Ok(text) if text.len() <= INLINE_LIMIT => Ok(Input::Inline(text)),
        Ok(text) => Ok(Input::Stored(store.put(text).await?)),
        Err(_) => Err(Error::Usage(format!("{}: it is not UTF-8", path.display()))),
    }
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
        return Err(Error::Usage(format!("{}: no folders in it", dir.display())));
    }
    folders.sort();
    Ok(folders)
}
