//! What only commands write: one file at a given path, several one by one, and secrets.

use std::{
    fs,
    io::{self, Write},
    path::Path,
};

use super::{
    secret::{Secret, Wiped},
    staging, Output, Printed,
};
use crate::{apart, input::is_standard, Error};

impl Output {
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
        if is_standard(path) {
            return Self::printed(path);
        }
        let (dir, name) = place(path)?;
        Ok((Self::new(dir, &[name], force)?, name.to_owned()))
    }

    /// An output to standard output, and what it is called.
    fn printed(path: &Path) -> Result<(Self, String), Error> {
        apart::prints_file(path)?;
        let mut output = Self::empty(Path::new("."), false);
        output.printed = Some(Printed::Nothing);
        Ok((output, "standard output".into()))
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
        if is_standard(path) {
            return Self::printed(path);
        }
        let (dir, name) = place(path)?;
        Ok((Self::new(dir, &[], force)?.secrets(secret, &[name])?, name.to_owned()))
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
        self.stage(name, staging::SECRET, |file| file.write_all(content.as_slice()))
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
