//! A command never replaces a file that it reads: whichever of the two it is about to do second is refused, so that no
//! long work is done in vain. The library keeps no such list: its callers may read files and then replace them.

use std::{
    collections::HashSet,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
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

fn files() -> MutexGuard<'static, Option<Files>> {
    FILES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A command calls this before anything else: from now on, files that it reads are not replaced.
pub fn begin() {
    *files() = Some(Files::default());
}

/// Notes that a file is about to be read.
///
/// # Errors
///
/// [`Error::File`] if it is about to be replaced.
pub fn reads(path: &Path) -> Result<(), Error> {
    note(path, |Files { read, replaced, .. }| (read, replaced))
}

/// Notes that an existing file is about to be replaced, unless it was read, or is about to be.
pub(crate) fn replaces(path: &Path) -> Result<(), Error> {
    note(path, |Files { read, replaced, .. }| (replaced, read))
}

/// Whether this process runs a command.
pub(crate) fn is_command() -> bool {
    files().is_some()
}

/// Notes that standard input, a pipe or a device is about to be read, unless it was before.
pub(crate) fn streams(path: &Path) -> Result<(), Error> {
    if files().as_mut().is_none_or(|files| files.streams.insert(path.to_path_buf())) {
        return Ok(());
    }
    Err(Error::file(path, "what comes from there can be read once, and was: use a file"))
}

/// Notes that a file's content is about to be written to standard output, unless another one is.
pub(crate) fn prints_file(path: &Path) -> Result<(), Error> {
    if files().as_mut().is_some_and(|files| std::mem::replace(&mut files.prints_file, true)) {
        return Err(Error::file(path, "two files cannot both be written to standard output"));
    }
    Ok(())
}

/// Whether standard output is for a file's content, so that a command says elsewhere what it has to say.
pub fn is_output_taken() -> bool {
    files().as_ref().is_some_and(|files| files.prints_file)
}

/// Notes a file in the first of two sets, unless it is in the second.
fn note(
    path: &Path,
    sets: impl FnOnce(&mut Files) -> (&mut HashSet<PathBuf>, &mut HashSet<PathBuf>),
) -> Result<(), Error> {
    let mut files = files();
    // A file that does not exist is neither read nor replaced.
    let (Some(files), Ok(file)) = (files.as_mut(), path.canonicalize()) else { return Ok(()) };
    let (own, others) = sets(files);
    let is_free = !others.contains(&file);
    own.insert(file);
    let reason = "the same command would read and replace it: choose another place to write to";
    is_free.then_some(()).ok_or_else(|| Error::file(path, reason))
}
