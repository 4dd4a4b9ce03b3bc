//! What is to be proven: the folders of a directory.

use std::{
    fs,
    path::{Path, PathBuf},
};

use muster_prover::{estimate::Committees, files::COMMITTEE_FILE};

use crate::Error;

/// A proof that is to be made.
pub(super) struct Item {
    pub(super) folder: PathBuf,
}

impl Item {
    /// The name of the proof's file.
    ///
    /// # Errors
    ///
    /// [`muster_prover::Error::File`] for a folder whose name is no text.
    pub(super) fn name(&self) -> Result<String, Error> {
        let name = self.folder.file_name().and_then(|name| name.to_str());
        let reason = "its name is not UTF-8, so the proof would have none";
        name.map(|name| format!("{name}.json")).ok_or_else(|| Error::file(&self.folder, reason))
    }

    /// The path of a committee of its own.
    pub(super) fn committee(&self) -> PathBuf {
        self.folder.join(COMMITTEE_FILE)
    }
}

/// All folders of a directory, by name. What cannot be looked at counts as one, so that its item says why.
pub(super) fn items(dir: &Path) -> Result<Vec<Item>, Error> {
    let mut items = vec![];
    for entry in fs::read_dir(dir).map_err(Error::io(dir))? {
        let folder = entry.map_err(Error::io(dir))?.path();
        if fs::metadata(&folder).map_or(true, |found| found.is_dir()) {
            items.push(Item { folder });
        }
    }
    if items.is_empty() {
        return Err(Error::file(dir, "it contains no folders"));
    }
    items.sort_by(|left, right| left.folder.cmp(&right.folder));
    Ok(items)
}

/// What the committees of folders take in memory at most.
pub(super) fn committees(items: &[Item]) -> Committees {
    let lengths = items.iter().filter_map(|item| fs::metadata(item.committee()).ok());
    Committees::own(lengths.map(|found| found.len()).max().unwrap_or(0))
}
