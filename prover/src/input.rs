//! Reading files that anyone may have written.

use std::{
    fs::{self, File},
    io::Read,
    path::Path,
};

use serde::Deserialize;

use crate::{apart, Error};

/// Reads a regular file of at most `limit` bytes; a longer one is refused before it is read.
pub(crate) fn read(path: &Path, limit: u64) -> Result<Vec<u8>, Error> {
    apart::reads(path)?;
    look(path, limit)
}

/// Opens a regular file and tells its length.
pub(crate) fn open(path: &Path) -> Result<(File, u64), Error> {
    apart::reads(path)?;
    regular(path)
}

/// As [`read`], of a file that is only looked at before it is replaced.
pub(crate) fn look(path: &Path, limit: u64) -> Result<Vec<u8>, Error> {
    let (file, len) = regular(path)?;
    let too_large = |len| Error::TooLarge { path: path.to_path_buf(), len, limit };
    if len > limit {
        return Err(too_large(len));
    }
    let mut bytes = Vec::with_capacity(len as usize);
    // One byte more shows a file that grows while it is read.
    let read = file.take(limit + 1).read_to_end(&mut bytes).map_err(Error::io(path))?;
    if read as u64 > limit {
        return Err(too_large(read as u64));
    }
    Ok(bytes)
}

/// As [`open`], likewise.
pub(crate) fn regular(path: &Path) -> Result<(File, u64), Error> {
    // Asked before opening: opening a pipe would wait for a writer.
    if !fs::metadata(path).map_err(Error::io(path))?.is_file() {
        return Err(Error::file(path, "not a regular file"));
    }
    let file = File::open(path).map_err(Error::io(path))?;
    let len = file.metadata().map_err(Error::io(path))?.len();
    Ok((file, len))
}

/// Parses JSON; an error names the place in the file.
pub(crate) fn parse<'a, T: Deserialize<'a>>(path: &Path, bytes: &'a [u8]) -> Result<T, Error> {
    if bytes.is_empty() {
        return Err(Error::file(path, "the file is empty"));
    }
    let mut json = serde_json::Deserializer::from_slice(bytes);
    let value = serde_path_to_error::deserialize(&mut json).map_err(|error| {
        // Names of fields are in it as the file has them: they end no line of what is said.
        let [at, reason] = [error.path().to_string(), error.inner().to_string()]
            .map(|text| text.replace('\n', "\\n"));
        match at.as_str() {
            "." => Error::file(path, reason),
            _ => Error::field(path, at, reason),
        }
    })?;
    json.end().map_err(|error| Error::file(path, error.to_string()))?;
    Ok(value)
}
