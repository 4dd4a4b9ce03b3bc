//! The files of a FROST ceremony: documents of [`muster_threshold::frost::files`], one for each
//! participant and step.

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

pub use muster_threshold::frost::files::*;
use serde::{de::IgnoredAny, Deserialize};
use zeroize::Zeroizing;

use crate::{input, output::Output, Error};

/// Kinds of files that are no parcels.
pub(crate) const GROUP: &str = "group";
pub(crate) const SHARE: &str = "key share";
pub(crate) const NONCES: &str = "nonces";
pub(crate) const COMMITMENT: &str = "commitment";
pub(crate) const SIGNATURE_SHARE: &str = "signature share";
pub(crate) const SIGNATURE: &str = "signature";

/// Greatest length of a file: a group of 2^16 members.
const LIMIT: u64 = 1 << 26;

/// Reads a document. What was read is wiped, since it may be secret.
///
/// # Errors
///
/// [`Error::Field`] naming the field, or what reading a file may give.
pub fn read<D: Document>(path: &Path) -> Result<D, Error> {
    let bytes = Zeroizing::new(input::read(path, LIMIT)?);
    input::parse(path, &bytes)
}

/// Reads several documents.
///
/// # Errors
///
/// Those of [`read`].
pub fn read_all<D: Document>(paths: &[PathBuf]) -> Result<Vec<D>, Error> {
    paths.iter().map(|path| read(path)).collect()
}

/// Writes a document, a secret one so that only its owner may read it.
pub(crate) fn write(
    output: &mut Output,
    name: &str,
    document: &impl Document,
) -> Result<(), Error> {
    let fill = |file: &mut dyn Write| -> io::Result<()> {
        serde_json::to_writer_pretty(&mut *file, document)?;
        file.write_all(b"\n")
    };
    match document.is_secret() {
        true => output.write_secret(name, |file| fill(file)),
        false => output.write(name, |file| fill(file)),
    }
}

/// Output of these files, each with its kind, into a directory.
pub(crate) fn open(dir: &Path, files: &[(String, &str)], force: bool) -> Result<Output, Error> {
    files.iter().try_for_each(|(name, kind)| check_replaceable(&dir.join(name), kind))?;
    let names: Vec<_> = files.iter().map(|(name, _)| name.as_str()).collect();
    Output::new(dir, &names, force)
}

/// Output of the one file `path`, and its name.
pub(crate) fn open_single(path: &Path, kind: &str, force: bool) -> Result<(Output, String), Error> {
    let opened = Output::single(path, force)?;
    check_replaceable(path, kind)?;
    Ok(opened)
}

/// What tells a secret's file from others: FROST's, and that of a BLS signer.
#[derive(Deserialize)]
struct AnyFile {
    kind: Option<Kind>,
    secret: Option<IgnoredAny>,
    secret_share: Option<IgnoredAny>,
    hiding_nonce: Option<IgnoredAny>,
}

impl AnyFile {
    /// What secret it holds.
    fn secret(&self) -> Option<&'static str> {
        match self {
            Self { secret_share: Some(_), .. } => Some(SHARE),
            Self { hiding_nonce: Some(_), .. } => Some(NONCES),
            Self { secret: Some(_), .. } => Some("secret"),
            Self { kind: Some(kind), .. } if kind.is_secret() => Some(kind.as_str()),
            _ => None,
        }
    }
}

/// A secret is replaced by its like only, whatever was asked for: a mistaken name would cost a key.
fn check_replaceable(path: &Path, kind: &str) -> Result<(), Error> {
    // What cannot be read, or is no JSON, is no secret of ours.
    let is_small = fs::metadata(path).is_ok_and(|found| found.is_file() && found.len() <= LIMIT);
    let Some(bytes) = is_small.then(|| fs::read(path).ok()).flatten().map(Zeroizing::new) else {
        return Ok(());
    };
    match serde_json::from_slice::<AnyFile>(&bytes).ok().and_then(|file| file.secret()) {
        Some(found) if found != kind => {
            let reason = format!("holds a secret ({found}): nothing else takes its place");
            Err(Error::file(path, reason))
        }
        _ => Ok(()),
    }
}
