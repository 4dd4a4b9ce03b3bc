//! Writing files so that they appear whole or not at all.

use std::{
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use tempfile::{Builder, NamedTempFile, TempPath};

use crate::Error;

/// Bytes of a write buffer.
const BUFFER: usize = 1 << 18;
/// Permissions of what anybody may read, before the umask.
const PUBLIC: u32 = 0o666;
/// Permissions of secrets.
const SECRET: u32 = 0o600;

/// Files that are to appear together. Until [`Output::commit`] they are temporary files beside
/// their places; when it is not reached they vanish, and so do directories that were made for them.
#[derive(Debug)]
pub(crate) struct Output {
    dir: PathBuf,
    force: bool,
    /// Directories made, outermost first.
    made: Vec<PathBuf>,
    /// Closed, so that there may be more of them than a process may hold open.
    staged: Vec<(TempPath, PathBuf)>,
}

impl Output {
    /// Output into `dir`, which is made if it is not there. None of `names` may be there already,
    /// unless `force` is given: asked for now, so that no long work is done in vain.
    pub(crate) fn new(dir: &Path, names: &[&str], force: bool) -> Result<Self, Error> {
        let dir = if dir.as_os_str().is_empty() { Path::new(".") } else { dir };
        let mut output =
            Self { dir: dir.to_path_buf(), force, made: vec![], staged: Vec::with_capacity(4) };
        let missing = dir.ancestors().take_while(|d| !d.as_os_str().is_empty() && !d.exists());
        for dir in missing.collect::<Vec<_>>().into_iter().rev() {
            fs::create_dir(dir).map_err(Error::io(dir))?;
            output.made.push(dir.to_path_buf());
        }
        for name in names {
            let path = output.dir.join(name);
            if path.is_dir() || (!force && path.symlink_metadata().is_ok()) {
                return Err(Error::Exists(path));
            }
        }
        // Shows now whether the directory can be written to.
        temporary(&output.dir, PUBLIC).map_err(Error::io(&output.dir))?;
        Ok(output)
    }

    /// Output of the one file `path`.
    pub(crate) fn single(path: &Path, force: bool) -> Result<(Self, String), Error> {
        let name = path.file_name().and_then(|name| name.to_str());
        let name = name.ok_or_else(|| Error::file(path, "not the name of a file"))?;
        let dir = path.parent().unwrap_or(Path::new("."));
        if !dir.as_os_str().is_empty() && !dir.is_dir() {
            return Err(Error::file(dir, "no such directory"));
        }
        Ok((Self::new(dir, &[name], force)?, name.to_owned()))
    }

    /// Writes a file, through a buffer.
    pub(crate) fn write(
        &mut self,
        name: &str,
        fill: impl FnOnce(&mut BufWriter<&mut File>) -> io::Result<()>,
    ) -> Result<(), Error> {
        self.stage(name, PUBLIC, fill)
    }

    /// Writes a file that only its owner may read.
    pub(crate) fn write_secret(
        &mut self,
        name: &str,
        fill: impl FnOnce(&mut BufWriter<&mut File>) -> io::Result<()>,
    ) -> Result<(), Error> {
        self.stage(name, SECRET, fill)
    }

    fn stage(
        &mut self,
        name: &str,
        mode: u32,
        fill: impl FnOnce(&mut BufWriter<&mut File>) -> io::Result<()>,
    ) -> Result<(), Error> {
        let path = self.dir.join(name);
        let staged = (|| {
            let mut file = temporary(&self.dir, mode)?;
            let mut writer = BufWriter::with_capacity(BUFFER, file.as_file_mut());
            fill(&mut writer)?;
            writer.flush()?;
            drop(writer);
            file.as_file().sync_all()?;
            Ok(file.into_temp_path())
        })();
        self.staged.push((staged.map_err(Error::io(&path))?, path));
        Ok(())
    }

    /// Puts all files in their places, in the order in which they were written.
    pub(crate) fn commit(mut self) -> Result<(), Error> {
        let mut placed: Vec<PathBuf> = vec![];
        for (file, path) in std::mem::take(&mut self.staged) {
            let moved = match self.force {
                true => file.persist(&path).map_err(|error| error.error),
                false => file.persist_noclobber(&path).map_err(|error| error.error),
            };
            if let Err(error) = moved {
                // What was replaced is lost; what is new goes again.
                placed.iter().filter(|_| !self.force).for_each(|path| drop(fs::remove_file(path)));
                return Err(match error.kind() {
                    io::ErrorKind::AlreadyExists => Error::Exists(path),
                    _ => Error::Io { path, source: error },
                });
            }
            placed.push(path);
        }
        self.made.clear();
        Ok(())
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        self.staged.clear();
        // A directory that somebody else has put something into stays: it is not empty.
        self.made.iter().rev().for_each(|dir| drop(fs::remove_dir(dir)));
    }
}

fn temporary(dir: &Path, mode: u32) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(".muster-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(mode));
    #[cfg(not(unix))]
    let _ = mode;
    builder.tempfile_in(dir)
}

/// A writer for code that panics when it cannot write: it takes everything, and keeps the first
/// error.
#[derive(Debug)]
pub(crate) struct Lenient<W> {
    inner: W,
    error: Option<io::Error>,
}

impl<W> Lenient<W> {
    pub(crate) fn new(inner: W) -> Self {
        Self { inner, error: None }
    }

    /// The first error, if there was one.
    pub(crate) fn finish(self) -> io::Result<W> {
        self.error.map_or(Ok(self.inner), Err)
    }
}

impl<W: Write> Write for Lenient<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.error.is_none() {
            self.error = self.inner.write_all(bytes).err();
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<R: io::Read> io::Read for Lenient<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.error.is_none() {
            match self.inner.read(buffer) {
                Ok(0) if !buffer.is_empty() => {
                    self.error = Some(io::ErrorKind::UnexpectedEof.into());
                }
                Ok(read) => return Ok(read),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => return Err(error),
                Err(error) => self.error = Some(error),
            }
        }
        // Zeros: lengths that end what is being read.
        buffer.fill(0);
        Ok(buffer.len())
    }
}
