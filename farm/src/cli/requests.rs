//! The folders that are to be proven, as `submit` and `plan` take them.

use std::path::{Path, PathBuf};

use muster_prover::{decimal, estimate::Size, files::DroppedList, terminal::say, VerifierKey};

use crate::{
    job::Task,
    store::Store,
    submit::{folders, Committee, Requested, Shared},
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
