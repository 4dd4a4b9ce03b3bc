//! Reading files that anyone may have written.

mod objects;
#[cfg(test)]
mod tests;

use std::{
    borrow::Cow,
    fs::{self, File},
    io::{self, Read},
    path::Path,
};

use muster_schemes::decimal;
use serde::{
    de::{DeserializeOwned, Error as _},
    Deserialize, Deserializer,
};
use serde_json::{Map, Value};
use serde_path_to_error::{Deserializer as PathDeserializer, Track};

use self::objects::Objects;

use crate::{apart, Error};

/// What a command's argument is called in place of a file for standard input, or standard output.
const STANDARD: &str = "-";

/// Bytes that most streams do not exceed.
const STREAM: u64 = 1 << 16;

/// Whether a command's argument stands for standard input or output. For a library it is a file's name like others.
pub(crate) fn is_standard(path: &Path) -> bool {
    path.as_os_str() == STANDARD && apart::is_command()
}

/// Whether what a command's argument names is read once, front to back: standard input, a pipe or a device. Such a file
/// has no length, and no place to go back to.
pub fn is_stream(path: &Path) -> bool {
    let is_file = |found: fs::Metadata| found.is_file() || found.is_dir();
    is_standard(path) || (apart::is_command() && !fs::metadata(path).map_or(true, is_file))
}

/// Reads a file of at most `limit` bytes. A regular one that is longer is refused before it is read. A command also reads
/// [streams](is_stream), each once.
///
/// # Errors
///
/// [`Error::TooLarge`], [`Error::Io`], [`Error::File`] for what is no regular file, or is about to be replaced, or was
/// read already.
pub fn read(path: &Path, limit: u64) -> Result<Vec<u8>, Error> {
    if is_stream(path) {
        return take(stream(path)?, path, limit, STREAM);
    }
    read_regular(path, limit)
}

/// Like [`read`], for regular files alone.
///
/// # Errors
///
/// Those of [`read`].
pub fn read_regular(path: &Path, limit: u64) -> Result<Vec<u8>, Error> {
    apart::reads(path)?;
    look(path, limit)
}

/// Opens a [stream](is_stream).
///
/// # Errors
///
/// [`Error::Io`], [`Error::File`] for one that was opened already: nothing comes from it again.
pub fn stream(path: &Path) -> Result<Box<dyn Read>, Error> {
    apart::streams(path)?;
    Ok(if is_standard(path) {
        Box::new(io::stdin().lock())
    } else {
        Box::new(File::open(path).map_err(Error::io(path))?)
    })
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

/// Like [`read_regular`], for a file that is only looked at before it is replaced.
pub(crate) fn look(path: &Path, limit: u64) -> Result<Vec<u8>, Error> {
    let (file, len) = regular(path)?;
    if len > limit {
        return Err(Error::TooLarge { path: path.to_path_buf(), len, limit });
    }
    take(file, path, limit, len)
}

/// Reads to the end, which is there within `limit` bytes, and probably within `expected`: a vector that grows leaves
/// copies of what may be a secret.
fn take(from: impl Read, path: &Path, limit: u64, expected: u64) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::with_capacity(expected as usize);
    // One byte more shows a file that is longer, or grows while it is read.
    let read = from.take(limit + 1).read_to_end(&mut bytes).map_err(Error::io(path))? as u64;
    if read > limit {
        return Err(Error::TooLarge { path: path.to_path_buf(), len: read, limit });
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

/// Parses JSON; an error names the place in the file. Objects alone are taken for structs; integers may be strings of
/// decimal digits.
///
/// # Errors
///
/// Those of [`text`], [`Error::File`], [`Error::Field`].
pub fn parse<'a, T: Deserialize<'a>>(path: &Path, bytes: &'a [u8]) -> Result<T, Error> {
    let text = text(path, bytes)?;
    let mut json = serde_json::Deserializer::from_str(text);
    let value = structured(&mut json).map_err(|(at, error)| {
        // It quotes field names as the file has them, which must not break the message's line.
        let [at, reason] =
            [at, reason(&error, text.as_bytes())].map(|text| short(&text).replace('\n', "\\n"));
        match at.as_str() {
            "." => Error::file(path, reason),
            _ => Error::field(path, at, reason),
        }
    })?;
    json.end().map_err(|error| Error::file(path, error.to_string()))?;
    Ok(value)
}

/// Takes a JSON value for what [`parse`] would take its text for. The error says where in the value something is wrong.
///
/// # Errors
///
/// The reason in words.
pub fn from_value<T: DeserializeOwned>(value: Value) -> Result<T, String> {
    structured(value).map_err(placed)
}

/// The same; the error is the place, `.` for the whole, and the reason in words.
pub(crate) fn parts_of_value<T: DeserializeOwned>(value: Value) -> Result<T, (String, String)> {
    structured(value)
        .map_err(|(at, error): (_, serde_json::Error)| (at, in_words(error.to_string())))
}

/// The same from JSON that is no file's.
///
/// # Errors
///
/// The reason in words.
pub fn from_json<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<T, String> {
    let mut json = serde_json::Deserializer::from_slice(bytes);
    let value = structured(&mut json).map_err(placed)?;
    json.end().map_err(|error| error.to_string())?;
    Ok(value)
}

/// Reads a value as files have them. An error comes with its place, `.` for the whole.
fn structured<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    from: D,
) -> Result<T, (String, D::Error)> {
    let mut track = Track::new();
    let read = T::deserialize(Objects(PathDeserializer::new(from, &mut track)));
    read.map_err(|error| (track.path().to_string(), error))
}

/// An error and its place in words.
fn placed((at, error): (String, serde_json::Error)) -> String {
    match (at.as_str(), in_words(error.to_string())) {
        (".", reason) => reason,
        (at, reason) => format!("{at}: {reason}"),
    }
}

/// Reads an object whose field `tag` says what the others are: its text, and the others.
///
/// # Errors
///
/// For anything else.
pub fn tagged<'de, D: Deserializer<'de>>(
    from: D,
    tag: &'static str,
) -> Result<(String, Value), D::Error> {
    let mut fields = Map::deserialize(from)?;
    match fields.remove(tag) {
        Some(Value::String(kind)) => Ok((kind, fields.into())),
        Some(_) => Err(D::Error::custom(format!("{tag}: expected a string"))),
        None => Err(D::Error::missing_field(tag)),
    }
}

/// Most characters of an error: it quotes what a file has, and a file may have a string of megabytes.
const SHOWN: usize = 600;
/// Those at its end, which say where it is.
const END: usize = 100;

/// A text without its middle, if it is long.
fn short(text: &str) -> Cow<'_, str> {
    let start = text.char_indices().nth(SHOWN - END);
    let end = text.char_indices().rev().nth(END - 1);
    match (start, end) {
        (Some((start, _)), Some((end, _))) if start < end => {
            format!("{}…{}", &text[..start], &text[end..]).into()
        }
        _ => text.into(),
    }
}

/// The text of a file in UTF-8, without the mark that some editors put before it.
///
/// # Errors
///
/// [`Error::File`] for an empty file or another encoding.
pub fn text<'a>(path: &Path, bytes: &'a [u8]) -> Result<&'a str, Error> {
    let bytes = bytes.strip_prefix(&[0xef, 0xbb, 0xbf]).unwrap_or(bytes);
    if bytes.is_empty() {
        return Err(Error::file(path, "the file is empty"));
    }
    if is_wide(bytes) {
        return Err(Error::file(path, "it is in UTF-16 or UTF-32; save it as UTF-8"));
    }
    std::str::from_utf8(bytes).map_err(|error| {
        let reason = format!("it is not UTF-8: byte {} cannot be there", error.valid_up_to());
        Error::file(path, reason)
    })
}

/// Whether a text is in UTF-16 or UTF-32. What is read here begins with an ASCII character, so a zero byte beside it is
/// half of a UTF-16 character.
fn is_wide(bytes: &[u8]) -> bool {
    matches!(bytes, [0xff, 0xfe, ..] | [0xfe, 0xff, ..] | [0, 1..=255, ..] | [1..=255, 0, ..])
}

/// What serde calls values in words of the code, also where a file's parts are put aside before it is known what they are or
/// an object has no field, and what they are.
const NAMES: [(&str, &str); 8] = [
    ("enum", "an object with one field, or the name of one"),
    ("usize", "an integer of 0 or more"),
    ("u64", "an integer below 2^64"),
    ("u32", "an integer below 2^32"),
    ("u16", "an integer below 2^16"),
    ("u8", "an integer below 2^8"),
    ("f32", "a number"),
    ("f64", "a number"),
];

/// The text of an error without names of the code.
fn in_words(mut text: String) -> String {
    // What a file has is quoted before that.
    const EXPECTED: &str = ", expected ";
    let Some(start) = text.rfind(EXPECTED).map(|at| at + EXPECTED.len()) else { return text };
    let end = text[start..].find(" at line ").map_or(text.len(), |length| start + length);
    if let Some((_, words)) = NAMES.iter().find(|(name, _)| *name == &text[start..end]) {
        text.replace_range(start..end, words);
    }
    text
}

/// What is wrong with a value. Integers of 2^64 or more, or below -2^63, reach a field's reader as floating point, and
/// its message would call them that.
fn reason(error: &serde_json::Error, bytes: &[u8]) -> String {
    let text = in_words(error.to_string());
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
