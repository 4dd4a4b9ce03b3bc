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
    /// What is read once, by the names that were given.
    streams: HashSet<PathBuf>,
    /// Whether standard output is for a file's content.
    prints_file: bool,
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

/// Whether this process runs a command.
pub(crate) fn is_command() -> bool {
    FILES.lock().unwrap_or_else(PoisonError::into_inner).is_some()
}

/// Notes that standard input, a pipe or a device is about to be read.
///
/// # Errors
///
/// [`Error::File`] if it was before.
pub(crate) fn streams(path: &Path) -> Result<(), Error> {
    let mut files = FILES.lock().unwrap_or_else(PoisonError::into_inner);
    if files.as_mut().is_none_or(|files| files.streams.insert(path.to_path_buf())) {
        return Ok(());
    }
    Err(Error::file(path, "what comes from there can be read once, and was: use a file"))
}

/// Notes that a file's content is about to be written to standard output.
///
/// # Errors
///
/// [`Error::File`] if another one is.
pub(crate) fn prints_file(path: &Path) -> Result<(), Error> {
    let mut files = FILES.lock().unwrap_or_else(PoisonError::into_inner);
    let before =
        files.as_mut().is_some_and(|files| std::mem::replace(&mut files.prints_file, true));
    if before {
        return Err(Error::file(path, "two files cannot both be written to standard output"));
    }
    Ok(())
}

/// Whether standard output is for a file's content, so that a command says elsewhere what it has to say.
pub fn is_output_taken() -> bool {
    let files = FILES.lock().unwrap_or_else(PoisonError::into_inner);
    files.as_ref().is_some_and(|files| files.prints_file)
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
