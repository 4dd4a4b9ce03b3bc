//! Writing files so that they appear whole or not at all.

use std::{
    fs::{self, File},
    io::{self, BufWriter, Seek, Write},
    path::{Path, PathBuf},
};

use crate::{
    apart,
    input::is_standard,
    terminal::{printed, warn},
    Error,
};

mod secret;
mod staging;
#[cfg(test)]
mod tests;

pub use secret::{Secret, Wiped};

use staging::Staging;

/// Bytes of a write buffer.
const BUFFER: usize = 1 << 18;
/// What is wrong with a link, a device or a pipe in place of a file.
const NOT_REGULAR: &str =
    "not a regular file, and only regular files are replaced: a link stays, and so does its target";

/// What is wrong with a command's `-` in place of a folder.
const NOT_A_FOLDER: &str =
    "several files are written, which takes a folder and not standard output; ./- is a folder of that name";

/// Files that are to appear together. Until [`Output::commit`] they are in a hidden directory beside
/// their places; if it is not reached they vanish, and so do directories that were made for them.
#[derive(Debug)]
pub struct Output {
    dir: PathBuf,
    force: bool,
    /// Directories made, outermost first.
    made: Vec<PathBuf>,
    /// Where the files are. It is made with the first of them, so that a run interrupted before it has
    /// something to write leaves nothing.
    staging: Option<Staging>,
    /// Names of the files, in the order in which they were written.
    staged: Vec<String>,
    /// The content, if it goes to standard output and not into a directory.
    printed: Option<Printed>,
}

/// What is written to standard output as soon as all of it is there.
#[derive(Debug)]
enum Printed {
    /// Nothing yet.
    Nothing,
    /// A file without a name.
    File(File),
    /// A secret, which no disk sees.
    Secret(Wiped),
}

impl Output {
    /// Output into `dir`, which is made if it does not exist. None of `names` may exist already, unless `force` is
    /// given: then regular files are replaced, but none that the command reads, and no secret (see
    /// [`Output::secrets`]). This is checked now, so that no long work is done in vain.
    ///
    /// What interrupted runs have left in `dir` is removed, or named if it may be needed.
    ///
    /// # Errors
    ///
    /// [`Error::Exists`], [`Error::File`] for what is not replaced and for a command's `-`, [`Error::Io`].
    pub fn new(dir: &Path, names: &[&str], force: bool) -> Result<Self, Error> {
        let dir = if dir.as_os_str().is_empty() { Path::new(".") } else { dir };
        if is_standard(dir) {
            return Err(Error::file(dir, NOT_A_FOLDER));
        }
        let mut output = Self::empty(dir, force);
        let missing = dir.ancestors().take_while(|d| !d.as_os_str().is_empty() && !d.exists());
        for dir in missing.collect::<Vec<_>>().into_iter().rev() {
            fs::create_dir(dir).map_err(Error::io(dir))?;
            output.made.push(dir.to_path_buf());
        }
        output.check(None, names)?;
        // This makes a directory there, which shows whether it can be written to.
        for left in staging::clear(&output.dir).map_err(Error::io(&output.dir))? {
            warn(&left.to_string());
        }
        Ok(output)
    }

    fn empty(dir: &Path, force: bool) -> Self {
        let dir = dir.to_path_buf();
        Self { dir, force, made: vec![], staging: None, staged: vec![], printed: None }
    }

    /// Whether files of a kind may be written under these names.
    fn check(&self, secret: Option<Secret>, names: &[impl AsRef<str>]) -> Result<(), Error> {
        for name in names {
            let path = self.dir.join(name.as_ref());
            match path.symlink_metadata() {
                Err(_) => {}
                Ok(_) if path.is_dir() || !self.force => return Err(Error::Exists(path)),
                Ok(found) if !found.is_file() => return Err(Error::file(path, NOT_REGULAR)),
                Ok(found) => {
                    let found = Secret::found(&path, &found)?;
                    if let Some(found) = found.filter(|found| Some(*found) != secret) {
                        let reason = format!(
                            "holds a secret ({found}), which only another of its kind can replace; \
                             remove it yourself if nobody needs it"
                        );
                        return Err(Error::file(path, reason));
                    }
                    apart::replaces(&path)?;
                }
            }
        }
        Ok(())
    }

    /// Writes a file, through a buffer.
    ///
    /// # Errors
    ///
    /// [`Error::Io`].
    pub fn write(
        &mut self,
        name: &str,
        fill: impl FnOnce(&mut BufWriter<&mut File>) -> io::Result<()>,
    ) -> Result<(), Error> {
        self.stage(name, staging::PUBLIC, |file| {
            let mut writer = BufWriter::with_capacity(BUFFER, file);
            fill(&mut writer)?;
            writer.flush()
        })
    }

    fn stage(
        &mut self,
        name: &str,
        mode: u32,
        fill: impl FnOnce(&mut File) -> io::Result<()>,
    ) -> Result<(), Error> {
        if self.printed.is_some() {
            self.printed = Some(Printed::File(unnamed(fill).map_err(Error::io(name))?));
            return Ok(());
        }
        let staging = match self.staging.take() {
            Some(staging) => staging,
            None => Staging::new(&self.dir).map_err(Error::io(&self.dir))?,
        };
        let staging = self.staging.insert(staging);
        let written = (|| {
            let mut file = staging.create(name, mode)?;
            fill(&mut file)?;
            file.sync_all()
        })();
        written.map_err(Error::io(self.dir.join(name)))?;
        self.staged.push(name.to_owned());
        Ok(())
    }

    /// Other files in the same directory, which appear on their own. None of `names` may be there already, as
    /// for [`Output::new`].
    ///
    /// # Errors
    ///
    /// Those of [`Output::new`].
    pub fn other(&self, names: &[&str]) -> Result<Self, Error> {
        let other = Self::empty(&self.dir, self.force);
        other.check(None, names)?;
        Ok(other)
    }

    /// Removes a file that a new one might have replaced, and returns whether there was one.
    ///
    /// # Errors
    ///
    /// Those of [`Output::new`].
    pub fn remove(&self, name: &str) -> Result<bool, Error> {
        self.check(None, &[name])?;
        let path = self.dir.join(name);
        match fs::remove_file(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            removed => removed.map(|()| true).map_err(Error::io(path)),
        }
    }

    /// Names the files of this output that hold secrets of the kind `secret`. With `force` they
    /// replace secrets of their own kind; nothing replaces a secret of another kind.
    ///
    /// # Errors
    ///
    /// Those of [`Output::new`].
    pub fn secrets(self, secret: Secret, names: &[impl AsRef<str>]) -> Result<Self, Error> {
        self.check(Some(secret), names)?;
        Ok(self)
    }

    /// An output of the one file `path`, and the file's name. A command's `-` is standard output.
    ///
    /// # Errors
    ///
    /// Those of [`Output::new`].
    pub fn single(path: &Path, force: bool) -> Result<(Self, String), Error> {
        Self::one(path, |dir, name| Self::new(dir, &[name], force))
    }

    /// An output of one file, and the file's name: to standard output, or what `open` makes of its directory and name.
    fn one(
        path: &Path,
        open: impl FnOnce(&Path, &str) -> Result<Self, Error>,
    ) -> Result<(Self, String), Error> {
        if is_standard(path) {
            apart::prints_file(path)?;
            let mut output = Self::empty(Path::new("."), false);
            output.printed = Some(Printed::Nothing);
            return Ok((output, "standard output".into()));
        }
        let (dir, name) = place(path)?;
        Ok((open(dir, name)?, name.to_owned()))
    }

    /// The same for a file that holds a secret of this kind.
    ///
    /// # Errors
    ///
    /// Those of [`Output::new`].
    pub fn single_secret(
        path: &Path,
        secret: Secret,
        force: bool,
    ) -> Result<(Self, String), Error> {
        Self::one(path, |dir, name| Self::new(dir, &[], force)?.secrets(secret, &[name]))
    }

    /// Writes a file that only its owner may read. Memory that held its content is wiped.
    ///
    /// # Errors
    ///
    /// [`Error::Io`].
    pub fn write_secret(
        &mut self,
        name: &str,
        fill: impl FnOnce(&mut Wiped) -> io::Result<()>,
    ) -> Result<(), Error> {
        let mut content = Wiped::default();
        fill(&mut content).map_err(Error::io(self.dir.join(name)))?;
        if self.printed.is_some() {
            self.printed = Some(Printed::Secret(content));
            return Ok(());
        }
        self.stage(name, staging::SECRET, |file| file.write_all(&content.0))
    }

    /// Puts all files in their places, in the order in which they were written. If one of them cannot
    /// be put there, everything is left as it was.
    ///
    /// # Errors
    ///
    /// [`Error::Exists`] for what has appeared meanwhile, [`Error::Io`].
    pub fn commit(mut self) -> Result<(), Error> {
        if let Some(content) = self.printed.take() {
            return printed(content.print());
        }
        if let Some(staging) = self.staging.take() {
            staging.begin().map_err(Error::io(&self.dir))?;
            for (i, name) in self.staged.iter().enumerate() {
                let path = self.dir.join(name);
                if let Err(error) = staging.place(name, &path, self.force) {
                    self.take_back(staging, i);
                    return Err(match error.kind() {
                        io::ErrorKind::AlreadyExists => Error::Exists(path),
                        _ => Error::Io { path, source: error },
                    });
                }
            }
            // Callers may now remove what the files were made of.
            staging::sync(&self.dir).map_err(Error::io(&self.dir))?;
        }
        self.made.clear();
        Ok(())
    }

    /// Undoes the first `count` moves.
    fn take_back(&self, staging: Staging, count: usize) {
        let undo = |name: &String| staging.take_back(name, &self.dir.join(name));
        // All of them, even after one fails.
        let failed = self.staged[..count].iter().rev().filter(|name| undo(name).is_err()).count();
        if failed > 0 {
            warn(&staging.leave().to_string());
        }
    }
}

impl Printed {
    fn print(self) -> io::Result<()> {
        let mut out = io::stdout().lock();
        match self {
            Self::Nothing => {}
            Self::File(mut content) => drop(io::copy(&mut content, &mut out)?),
            Self::Secret(content) => out.write_all(&content.0)?,
        }
        out.flush()
    }
}

/// A file that has no name, with this content, at its start.
fn unnamed(fill: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<File> {
    let mut file = tempfile::tempfile()?;
    fill(&mut file)?;
    file.rewind()?;
    Ok(file)
}

impl Drop for Output {
    fn drop(&mut self) {
        self.staging = None;
        // A directory into which somebody else has put something stays: it is not empty.
        self.made.iter().rev().for_each(|dir| drop(fs::remove_dir(dir)));
    }
}

/// Writes a file whole or not at all. It replaces only a regular file, only with `force`, and never one that the
/// command has read.
///
/// # Errors
///
/// [`Error::Exists`], [`Error::File`] or [`Error::Io`].
pub fn write_file(path: &Path, bytes: &[u8], force: bool) -> Result<(), Error> {
    let (mut output, name) = Output::single(path, force)?;
    output.write(&name, |file| file.write_all(bytes))?;
    output.commit()
}

/// The directory and the name of a file.
fn place(path: &Path) -> Result<(&Path, &str), Error> {
    let name = path.file_name().and_then(|name| name.to_str());
    let name = name.ok_or_else(|| Error::file(path, "not the name of a file"))?;
    let dir = path.parent().unwrap_or(Path::new("."));
    if !dir.as_os_str().is_empty() && !dir.is_dir() {
        return Err(Error::file(dir, "no such directory"));
    }
    Ok((dir, name))
}
