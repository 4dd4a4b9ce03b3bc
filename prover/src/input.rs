//! Reading files that anyone may have written.

use std::{
    fs::{self, File},
    io::Read,
    path::Path,
};

use muster_schemes::decimal;
use serde::Deserialize;

use crate::{apart, Error};

/// Reads a regular file of at most `limit` bytes; a longer one is refused before it is read.
///
/// # Errors
///
/// [`Error::TooLarge`], [`Error::Io`], [`Error::File`] for what is no regular file, or is about to be replaced.
pub fn read(path: &Path, limit: u64) -> Result<Vec<u8>, Error> {
    apart::reads(path)?;
    look(path, limit)
}

/// Opens a regular file and tells its length.
///
/// # Errors
///
/// [`Error::Io`], [`Error::File`] for what is no regular file, or is about to be replaced.
pub fn open(path: &Path) -> Result<(File, u64), Error> {
    apart::reads(path)?;
    regular(path)
}

/// Like [`read`], for a file that is only looked at before it is replaced.
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

/// Like [`open`], for such a file.
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
///
/// # Errors
///
/// [`Error::File`], [`Error::Field`].
pub fn parse<'a, T: Deserialize<'a>>(path: &Path, bytes: &'a [u8]) -> Result<T, Error> {
    if bytes.is_empty() {
        return Err(Error::file(path, "the file is empty"));
    }
    if let Some(encoding) = other_encoding(bytes) {
        return Err(Error::file(path, encoding));
    }
    let mut json = serde_json::Deserializer::from_slice(bytes);
    let value = serde_path_to_error::deserialize(&mut json).map_err(|error| {
        // It quotes field names as the file has them, which must not break the message's line.
        let [at, reason] = [error.path().to_string(), reason(error.inner(), bytes)]
            .map(|text| text.replace('\n', "\\n"));
        match at.as_str() {
            "." => Error::file(path, reason),
            _ => Error::field(path, at, reason),
        }
    })?;
    json.end().map_err(|error| Error::file(path, error.to_string()))?;
    Ok(value)
}

/// What is wrong with the encoding of a text, if it cannot be UTF-8. JSON begins with an ASCII character, so a zero
/// byte beside it is half of a UTF-16 character.
fn other_encoding(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0xef, 0xbb, 0xbf, ..] => {
            Some("it begins with a byte order mark; save it as UTF-8 without one")
        }
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] | [0, 1..=255, ..] | [1..=255, 0, ..] => {
            Some("it is in UTF-16 or UTF-32; save it as UTF-8")
        }
        _ => None,
    }
}

/// What is wrong with a value. Integers of 2^64 or more, or below -2^63, reach a field's reader as floating point, and
/// its message would call them that.
fn reason(error: &serde_json::Error, bytes: &[u8]) -> String {
    let text = error.to_string();
    let float = text.split_once("floating point `");
    let around = float.and_then(|(before, rest)| Some((before, rest.split_once('`')?.1)));
    // The place of the error is the end of the number.
    let mut lines = bytes.split(|byte| *byte == b'\n');
    let line =
        lines.nth(error.line().saturating_sub(1)).and_then(|line| line.get(..error.column()));
    let part = |byte: &u8| byte.is_ascii_digit() || b"+-.eE".contains(byte);
    let number = line.and_then(|line| line.rsplit(|byte| !part(byte)).next());
    let number = number.and_then(|number| std::str::from_utf8(number).ok()).unwrap_or_default();
    match around {
        Some((before, after))
            if decimal::is_integer(number.strip_prefix('-').unwrap_or(number)) =>
        {
            format!("{before}integer `{number}`{after}")
        }
        _ => text,
    }
}
