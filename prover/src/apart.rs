//! A command never replaces a file that it reads: whichever of the two it is about to do second is refused, so that no
//! long work is done in vain. The library keeps no such list: its callers may read files and then replace them.

use std::{
    collections::HashSet,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use crate::Error;

/// The files of the command that this process runs; `None` if it runs none.
static FILES: Mutex<Option<Files>> = Mutex::new(None);

/// Files by canonical path.
#[derive(Debug, Default)]
struct Files {
    read: HashSet<PathBuf>,
    replaced: HashSet<PathBuf>,
}

/// A command calls this before anything else: from now on, files that it reads are not replaced.
pub fn begin() {
    *FILES.lock().unwrap_or_else(PoisonError::into_inner) = Some(Files::default());
}

/// Notes that a file is about to be read.
///
/// # Errors
///
/// [`Error::File`] if it is about to be replaced.
pub fn reads(path: &Path) -> Result<(), Error> {
    let reads = |files: &mut Files, file: PathBuf| {
        let is_free = !files.replaced.contains(&file);
        files.read.insert(file);
        is_free
    };
    note(path, reads)
}

/// Notes that an existing file is about to be replaced.
///
/// # Errors
///
/// [`Error::File`] if it was read, or is about to be.
pub(crate) fn replaces(path: &Path) -> Result<(), Error> {
    let replaces = |files: &mut Files, file: PathBuf| {
        let is_free = !files.read.contains(&file);
        files.replaced.insert(file);
        is_free
    };
    note(path, replaces)
}

fn note(path: &Path, note: impl FnOnce(&mut Files, PathBuf) -> bool) -> Result<(), Error> {
    let mut files = FILES.lock().unwrap_or_else(PoisonError::into_inner);
    // A file that does not exist is neither read nor replaced.
    let (Some(files), Ok(file)) = (files.as_mut(), path.canonicalize()) else { return Ok(()) };
    if note(files, file) {
        Ok(())
    } else {
        Err(Error::file(
            path,
            "the same command would read and replace it: choose another place to write to",
        ))
    }
}
