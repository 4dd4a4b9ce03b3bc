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
pub(crate) fn needs_file(path: &Path, why: &str) -> Result<(), Error> {
    if is_stream(path) {
        return Err(Error::file(path, format!("{why}, so it has to be a file")));
    }
    Ok(())
}

/// An SRS whose files can be read as often as need be: those that were named, or copies of what came from there. Copies
/// are gone with this value.
pub(crate) struct Spooled {
    pub(crate) file: PathBuf,
    /// The second file of a `.point` pair.
    pub(crate) g2: Option<PathBuf>,
    _copies: [Option<TempDir>; 2],
}

impl Spooled {
    /// The files of an SRS: one, or the two of a `.point` pair.
    pub(crate) fn srs(file: &Path, g2: Option<&Path>) -> Result<Self, Error> {
        let (file, copy) = copied(file, |start| Ok(import::detect(start).map(drop)?))?;
        // Its start tells nothing.
        let g2 = g2.map(|path| copied(path, |_| Ok(()))).transpose()?;
        let (g2, other) = g2.unzip();
        Ok(Self { file, g2, _copies: [copy, other.flatten()] })
    }
}

/// The file itself or, of a stream, a copy and its directory; `look` is given the copy when it has the start.
fn copied(
    path: &Path,
    look: impl FnOnce(&Path) -> Result<(), Error>,
) -> Result<(PathBuf, Option<TempDir>), Error> {
    if !is_stream(path) {
        return Ok((path.to_path_buf(), None));
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
    Ok((copy, Some(dir)))
}
