//! A hidden directory beside the places of files, and those that interrupted runs have left.
//!
//! | in `.muster-XXXXXX/` | what |
//! |---|---|
//! | `lock` | locked by the process while it lives: whoever can lock it knows that it is dead |
//! | `new.NAME` | a file that is to be put in its place |
//! | `moving` | that files are being put in their places |
//! | `old.NAME` | the file that was there before, until all others are in their places |

use std::{
    fmt,
    fs::{self, File, Metadata, OpenOptions, TryLockError},
    io,
    path::{Path, PathBuf},
};

use tempfile::{Builder, TempDir, TempPath};

/// First letters of hidden names.
const PREFIX: &str = ".muster-";
const LOCK: &str = "lock";
const MOVING: &str = "moving";
const NEW: &str = "new.";
const OLD: &str = "old.";

/// Permissions of what anyone may read, before the umask.
pub(super) const PUBLIC: u32 = 0o666;
/// Permissions of secrets.
pub(super) const SECRET: u32 = 0o600;

/// How often a directory is made again, after another process has taken it for one without an owner.
const ATTEMPTS: usize = 16;

/// The directory of a process. It vanishes when dropped.
#[derive(Debug)]
pub(super) struct Staging {
    /// The first field, so that it is removed under the lock.
    dir: TempDir,
    _lock: File,
}

impl Staging {
    pub(super) fn new(beside: &Path) -> io::Result<Self> {
        for _ in 0..ATTEMPTS {
            let dir = hidden(beside)?;
            let path = dir.path().join(LOCK);
            let lock = match File::create_new(&path) {
                Ok(lock) => lock,
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => return Err(error),
            };
            // If there are no locks, nobody else gets one either, and nothing is removed.
            let taken = matches!(lock.try_lock(), Err(TryLockError::WouldBlock));
            // Until it was locked, another process could have removed it.
            if !taken && path.exists() {
                return Ok(Self { dir, _lock: lock });
            }
        }
        Err(io::Error::other("hidden directories are removed as soon as they are made"))
    }

    /// A file that waits to be placed.
    pub(super) fn create(&self, name: &str, mode: u32) -> io::Result<File> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, mode);
        #[cfg(not(unix))]
        let _ = mode;
        options.open(self.at(NEW, name))
    }

    /// Marks that from now on files may be in their places.
    pub(super) fn begin(&self) -> io::Result<()> {
        File::create_new(self.dir.path().join(MOVING))?.sync_all()
    }

    /// Puts a file in its place. With `replace`, the file there is kept until the end.
    pub(super) fn place(&self, name: &str, path: &Path, replace: bool) -> io::Result<()> {
        let (new, old) = (self.at(NEW, name), self.at(OLD, name));
        if !replace {
            let new = TempPath::try_from_path(new)?;
            return new.persist_noclobber(path).map_err(|error| error.error);
        }
        match path.symlink_metadata() {
            Ok(found) if found.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
            Ok(found) if !found.is_file() => return Err(io::Error::other("not a regular file")),
            // A second name, so that there is a file in its place at any time; some file systems have no
            // hard links.
            Ok(_) => fs::hard_link(path, &old).or_else(|_| fs::rename(path, &old))?,
            Err(_) => {}
        }
        let moved = fs::rename(new, path);
        if moved.is_err() && path.symlink_metadata().is_err() {
            drop(fs::rename(old, path));
        }
        moved
    }

    /// Undoes [`Self::place`].
    pub(super) fn take_back(&self, name: &str, path: &Path) -> io::Result<()> {
        match fs::rename(self.at(OLD, name), path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => fs::remove_file(path),
            moved => moved,
        }
    }

    /// Leaves the directory for a person to look at.
    pub(super) fn leave(self) -> Left {
        Left { path: self.dir.keep(), moving: true }
    }

    fn at(&self, prefix: &str, name: &str) -> PathBuf {
        self.dir.path().join(format!("{prefix}{name}"))
    }
}

/// What an interrupted run has left.
#[derive(Debug)]
pub(super) struct Left {
    pub(super) path: PathBuf,
    moving: bool,
}

impl fmt::Display for Left {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        if self.moving {
            write!(
                f,
                "{path}: left by a run that was interrupted while it moved files into place: those \
                 named {NEW}… are missing there, those named {OLD}… were replaced; see which belong \
                 together, then remove it"
            )
        } else {
            write!(
                f,
                "{path}: left by an interrupted run, unless another run is in progress; remove it"
            )
        }
    }
}

/// Removes directories that dead processes have left in `dir` before they moved a file, or after they
/// had moved the last: nobody has seen what is in them, or everything is in its place. Others, and
/// files, are named. An error says that nothing can be written to `dir`.
pub(super) fn clear(dir: &Path) -> io::Result<Vec<Left>> {
    let own = hidden(dir)?;
    let mine = fs::symlink_metadata(own.path())?;
    drop(own);
    let mut left = vec![];
    // A directory that cannot be listed may still be writable.
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        if !entry.file_name().to_string_lossy().starts_with(PREFIX) {
            continue;
        }
        let path = entry.path();
        let Ok(found) = fs::symlink_metadata(&path) else { continue };
        // What others have put there is not ours to open.
        if !same_owner(&found, &mine) {
            continue;
        }
        if found.is_dir() {
            left.extend(clear_one(path));
        } else if found.is_file() {
            left.push(Left { path, moving: false });
        }
    }
    Ok(left)
}

fn clear_one(path: PathBuf) -> Option<Left> {
    let Ok(lock) = File::open(path.join(LOCK)) else {
        // If it was just made, its owner makes another. If there is something in it, it stays.
        drop(fs::remove_dir(&path));
        return None;
    };
    lock.try_lock().ok()?;
    let moving = path.join(MOVING).exists();
    let waiting = |name: &str| name.starts_with(NEW);
    let mut entries = fs::read_dir(&path).into_iter().flatten().flatten();
    if moving && entries.any(|entry| waiting(&entry.file_name().to_string_lossy())) {
        return Some(Left { path, moving });
    }
    // Under the lock.
    drop(fs::remove_dir_all(&path));
    None
}

/// Writes a directory's entries to the disk.
pub(super) fn sync(dir: &Path) -> io::Result<()> {
    #[cfg(unix)]
    File::open(dir)?.sync_all()?;
    #[cfg(not(unix))]
    let _ = dir;
    Ok(())
}

fn hidden(beside: &Path) -> io::Result<TempDir> {
    let mut builder = Builder::new();
    builder.prefix(PREFIX);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
    builder.tempdir_in(beside)
}

fn same_owner(a: &Metadata, b: &Metadata) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        a.uid() == b.uid()
    }
    #[cfg(not(unix))]
    {
        let _ = (a, b);
        true
    }
}
