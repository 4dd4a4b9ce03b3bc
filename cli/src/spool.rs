//! Files of an SRS that come through a pipe: an importer goes to the start of a file more than once, and asks for its
//! length.

use std::{
    fs::File,
    io::{self, Read, Write},
    path::{Path, PathBuf},
};

use muster_params::import;
use muster_prover::input::{is_stream, stream};
use tempfile::TempDir;

use crate::Error;

/// What a copy is called in errors, and in the origin of an SRS.
const NAME: &str = "standard-input";
/// Bytes that tell whether it is an SRS at all, before the disk is full of it.
const START: u64 = 1 << 16;

/// Refuses standard input, pipes and devices where a file is needed that stays, and `why`.
///
/// # Errors
///
/// [`Error::file`].
pub(crate) fn needs_file(path: &Path, why: &str) -> Result<(), Error> {
    if is_stream(path) {
        return Err(Error::file(path, format!("{why}, so it has to be a file")));
    }
    Ok(())
}

/// A file that can be read as often as need be: the one that was named, or a copy of what came from there. The copy is
/// gone with this value.
pub(crate) struct Spooled {
    path: PathBuf,
    _copy: Option<TempDir>,
}

impl Spooled {
    /// The file of an SRS.
    pub(crate) fn srs(path: &Path) -> Result<Self, Error> {
        Self::copied(path, |start| Ok(import::detect(start).map(drop)?))
    }

    /// The second file of a `.point` pair, whose start tells nothing.
    pub(crate) fn g2(path: Option<&Path>) -> Result<Option<Self>, Error> {
        path.map(|path| Self::copied(path, |_| Ok(()))).transpose()
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    fn copied(path: &Path, look: impl FnOnce(&Path) -> Result<(), Error>) -> Result<Self, Error> {
        if !is_stream(path) {
            return Ok(Self { path: path.to_path_buf(), _copy: None });
        }
        let mut from = stream(path)?;
        let dir = tempfile::tempdir().map_err(Error::io(std::env::temp_dir()))?;
        let copy = dir.path().join(NAME);
        let mut file = File::create_new(&copy).map_err(Error::io(&copy))?;
        let mut more = |from: &mut dyn Read| -> io::Result<()> {
            io::copy(from, &mut file)?;
            file.flush()
        };
        more(&mut from.by_ref().take(START)).map_err(Error::io(path))?;
        look(&copy)?;
        more(&mut from).map_err(Error::io(path))?;
        Ok(Self { path: copy, _copy: Some(dir) })
    }
}
